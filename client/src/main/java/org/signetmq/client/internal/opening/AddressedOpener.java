/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.opening;

import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.message.OpenOutcomes;
import org.signetmq.client.internal.provider.ClientLibrary.ArrivedMessage;
import org.signetmq.envelope.Opener;
import org.signetmq.envelope.SegmentOpener;
import org.signetmq.envelope.message.Entity;
import org.signetmq.envelope.message.MessageMove;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.WildcardSyntax;

/**
 * Opens a message for the address that it must be sealed for, and seals one for the address to which it goes.
 *
 * @param opener opens envelopes
 * @param sealing seals messages
 * @param policies the policies of a home; null if the application made the opener
 * @param before the messages that its consumers opened
 * @param deadLetters the addresses with messages that were sealed for other addresses
 * @param prefixes the prefixes that the acceptor removes from names, longest first
 * @param outcomes makes the exceptions for messages that cannot be opened
 * @param throwing whether a receiving call throws after it gave such a message back, and does not take the next one
 */
public record AddressedOpener(
        Opener opener,
        MessageSealing sealing,
        @Nullable ClientPolicies policies,
        OpenedBefore before,
        Set<String> deadLetters,
        List<String> prefixes,
        OpenOutcomes outcomes,
        boolean throwing) {
    /** The property of a Core message that contains its original address after a move by the broker. */
    private static final String ORIGINAL_ADDRESS = "_AMQ_ORIG_ADDRESS";

    public AddressedOpener(
            Opener opener, MessageSealing sealing, @Nullable ClientPolicies policies, OpenOutcomes outcomes) {
        this(opener, sealing, policies, new OpenedBefore(), Set.of(), List.of(), outcomes, false);
    }

    /**
     * Returns the same for an application that also reads dead letters from these addresses.
     *
     * @throws IllegalArgumentException if one is no single address
     */
    public AddressedOpener withDeadLettersOn(Collection<String> addresses) {
        WildcardSyntax wildcards = knownWildcards();
        for (String address : addresses) {
            if (address.isEmpty() || ConsumerAddress.isPattern(address, wildcards) || address.contains("::")) {
                throw new IllegalArgumentException(
                        "dead letters: must be a single address without wildcards and queue part, found '" + address
                                + "'");
            }
        }
        return with(Set.copyOf(addresses), prefixes, throwing);
    }

    private AddressedOpener with(Set<String> withDeadLetters, List<String> withPrefixes, boolean thatThrows) {
        return new AddressedOpener(
                opener, sealing, policies, before, withDeadLetters, withPrefixes, outcomes, thatThrows);
    }

    /**
     * Returns the same for destinations with these prefixes of an acceptor.
     *
     * @throws IllegalArgumentException if one is empty or has a queue part
     */
    public AddressedOpener withPrefixes(Collection<String> ofAcceptor) {
        return with(deadLetters, ConsumerAddress.prefixes(ofAcceptor), throwing);
    }

    /** Returns the same, except that receiving calls throw for messages that cannot be opened. */
    public AddressedOpener thatThrows() {
        return with(deadLetters, prefixes, true);
    }

    /**
     * Returns whether the call continues with the next message after this exception. A consumer with unusable keys or
     * policies can open no message. If it skipped them, the broker would move all messages to its dead-letter address.
     */
    public boolean skips(JMSException e) {
        return !throwing && outcomes.isOpenFailure(e) && outcomes.mayOpenNext(e);
    }

    private WildcardSyntax knownWildcards() {
        try {
            return opener.wildcards();
        } catch (KeystoreUnusableException unknownYet) {
            return WildcardSyntax.DEFAULT;
        }
    }

    /**
     * Returns the address of a consumer of this destination.
     *
     * @throws org.signetmq.client.MessageOpenException if no policies are known
     */
    public ConsumerAddress source(Destination destination) throws JMSException {
        try {
            return ConsumerAddress.of(destination, prefixes, opener.wildcards());
        } catch (KeystoreUnusableException e) {
            throw outcomes.because(e, null);
        }
    }

    /** Returns the address to which a message for this destination goes; null for no destination. */
    @Nullable
    public String addressOf(@Nullable Destination destination) throws JMSException {
        return ConsumerAddress.addressOf(destination, prefixes);
    }

    OpenedMessage open(ByteBuffer body, ArrivedMessage arrived, ConsumerAddress source) throws JMSException {
        MessageMove moved = movement(arrived, source);
        if (moved != null) {
            return opener.open(body, moved);
        }
        String address = source.addressOf(arrived.message(), () -> opener.sealedAddress(body));
        return opener.open(body, address, policiesFor(address));
    }

    /**
     * Returns the two addresses of a move by the broker; null if the message counts as sent to the consumer's address.
     * For a consumer with wildcards it is always null: otherwise the message itself would claim to be a dead letter.
     */
    private @Nullable MessageMove movement(ArrivedMessage arrived, ConsumerAddress source) throws JMSException {
        String here = source.name();
        if (here == null || !deadLetters.contains(here)) {
            return null;
        }
        String noted = originalAddress(arrived);
        return noted == null || noted.equals(here) ? null : new MessageMove(noted, here);
    }

    /** Returns the address that the broker noted; null if there is none. Without a move a producer may have set it. */
    private static @Nullable String originalAddress(ArrivedMessage arrived) throws JMSException {
        Object noted = arrived.library().originalAddress(arrived.message());
        noted = noted == null ? arrived.message().getObjectProperty(ORIGINAL_ADDRESS) : noted;
        return noted instanceof String text && !text.isEmpty() ? ConsumerAddress.withoutQueuePart(text) : null;
    }

    /**
     * Remembers a message that was opened; returns null if its address has no replay window, and for browsers.
     *
     * @param policies those in force
     * @param closed tells whether the connection was closed
     * @throws org.signetmq.envelope.exception.ReplayedException if such a message was opened before
     */
    OpenedBefore.@Nullable Opened remember(
            Entity entity, PolicySet policies, ArrivedMessage arrived, ConsumerAddress source, BooleanSupplier closed)
            throws JMSException {
        Object scope = source.scope();
        Duration window = scope == null
                ? null
                : enforcement(policies, source.addressOf(arrived.message(), () -> Optional.of(entity.address())))
                        .replayWindow();
        return scope == null || window == null
                ? null
                : before.opened(
                        scope, entity.messageId(), window, arrived.message().getJMSRedelivered(), closed);
    }

    /** Returns whether a policy covers a message in clear, which this opener accepted. */
    boolean covers(ArrivedMessage arrived, ConsumerAddress source) throws JMSException {
        MessageMove moved = movement(arrived, source);
        return moved == null
                ? opener.covers(source.addressOf(arrived.message()))
                : opener.covers(moved.from()) || opener.covers(moved.to());
    }

    /** Returns the names of the properties that count only from inside an envelope for its address. */
    static List<String> hides(Entity entity, PolicySet policies) {
        return enforcement(policies, entity.address()).hide();
    }

    private static Policy.Enforcement enforcement(PolicySet policies, String address) {
        EffectivePolicy found = policies.find(address).orElse(null);
        return found == null ? Policy.Enforcement.DEFAULT : found.policy().enforcement();
    }

    public SegmentOpener openSegments(InputStream body, ArrivedMessage arrived, ConsumerAddress source)
            throws JMSException {
        MessageMove moved = movement(arrived, source);
        if (moved != null) {
            return opener.openSegments(body, moved);
        }
        String address = source.addressOf(arrived.message());
        return opener.openSegments(body, address, policiesFor(address));
    }

    /** Returns the policies of an address, at which a sealed reply may be due. */
    private PolicySet policiesFor(String address) {
        PolicySet ofReply = sealing.replies().due(address);
        return ofReply == null ? opener.policies() : ofReply;
    }

    /** Remembers the certificate of a request for its reply. */
    void note(@Nullable Entity entity, ArrivedMessage arrived) throws JMSException {
        if (entity != null && entity.properties().containsKey(Replies.CERTIFICATE)) {
            sealing.noteRequest(entity, addressOf(Replies.temporary(arrived.message())));
        }
    }
}
