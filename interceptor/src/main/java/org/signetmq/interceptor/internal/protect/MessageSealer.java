/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.protect;

import java.util.Optional;
import org.apache.activemq.artemis.api.core.Message;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.SenderRule;
import org.signetmq.envelope.exception.SenderMismatchException;
import org.signetmq.envelope.message.BodyKind;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.interceptor.internal.body.MessageBodies;
import org.signetmq.interceptor.internal.body.MessageBody;
import org.signetmq.interceptor.internal.body.ProducerProperties;
import org.signetmq.interceptor.internal.home.CryptoService;
import org.signetmq.interceptor.internal.parse.BodyContent;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.interceptor.internal.status.Counters;
import org.signetmq.keystore.Identity;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.SealingPlace;

/** Applies the policy to a message in place, or rejects the message. */
public final class MessageSealer {
    public static final String NOT_SEALED =
            "the policy wants messages sealed by their producer, found none of its envelopes";

    /** Set on messages found right, in this process only: no peer can write it. Its value is the address. */
    private static final Object FOUND_RIGHT = new Object();

    /** Set on messages that no policy binds, in this process only. Its value is the address. */
    private static final Object EXEMPT = new Object();

    private final Counters counters;

    /** The address of the body that this thread sealed early, until the stored message is found sealed. */
    private final ThreadLocal<@Nullable String> sealedEarly = new ThreadLocal<>();

    public MessageSealer(Counters counters) {
        this.counters = counters;
    }

    /**
     * Where a message goes.
     *
     * @param address the address, bare
     * @param policy its policy
     */
    public record Target(String address, EffectivePolicy policy) {}

    /**
     * Where a message comes from.
     *
     * @param protocol that it arrived by; empty if it did not just arrive
     * @param user the authenticated user, or null
     * @param before where it was before, with the policy there, if it was anywhere
     * @param senders which senders its envelope may name if it is sealed already
     */
    public record Source(String protocol, @Nullable String user, Optional<Target> before, SenderRule senders) {}

    /** Whether this message was made right for this address before. */
    public static boolean isFoundRight(Message message, String address) {
        return address.equals(message.getUserContext(FOUND_RIGHT));
    }

    /** Tells whether this message was judged before, for any address. */
    public static boolean isFoundRight(Message message) {
        return message.getUserContext(FOUND_RIGHT) != null;
    }

    /**
     * Whether this message goes to an address with a policy: it was made right, or passes as another broker sealed it.
     */
    public static boolean isProtected(Message message) {
        return isFoundRight(message) || message.getUserContext(EXEMPT) != null;
    }

    /** Whether this message passes as it is at this address, though the address may have a policy. */
    public static boolean isExempt(Message message, String address) {
        return address.equals(message.getUserContext(EXEMPT));
    }

    /**
     * Lets a message pass as it is: another broker sealed it and mirrors it here, or this broker made it for itself.
     * When the message moves to another address it is judged there.
     */
    public static void markExempt(Message message, String address) {
        message.setUserContext(EXEMPT, address);
    }

    public static void markFoundRight(Message message, String address) {
        message.setUserContext(FOUND_RIGHT, address);
    }

    /** Counts a message that was sealed, or was before it came. */
    public void count(boolean wasSealedBefore) {
        if (wasSealedBefore) {
            counters.countPassed();
        } else {
            counters.countSealed();
        }
    }

    /**
     * Leaves a message that is in memory sealed as its target wants it.
     *
     * @return whether it was in clear and had to be sealed
     * @throws MessageRejectedException if that cannot be
     */
    public boolean apply(Message message, ProtectionRequest request, SizeLimit limit) throws MessageRejectedException {
        limit.requireNotFarBeyond(message);
        ProducerProperties.remove(message);
        MessageBody body = MessageBodies.of(
                message,
                request.source().protocol(),
                limit.mostInflated(request.home().maxMessageSize()));
        boolean asItIs = body.clearsRetained() || isSealed(body, request);
        if (!asItIs && request.target().policy().policy().acceptance().where() == SealingPlace.CLIENT) {
            throw new MessageRejectedException(NOT_SEALED);
        }
        if (!asItIs) {
            seal(body, request, limit);
        }
        count(asItIs && !wasSealedEarly(request));
        markFoundRight(message, request.target().address());
        return !asItIs;
    }

    /** Whether a message that is in memory is sealed as its target wants it. Changes nothing. */
    public boolean isSealed(Message message, ProtectionRequest request) throws MessageRejectedException {
        return isSealed(
                MessageBodies.of(
                        message, request.source().protocol(), request.home().maxMessageSize()),
                request);
    }

    /**
     * Seals an AMQP body that only AMQP can express, before it is made something else. The plugin seals any other body,
     * or counts it as sealed, when the broker has made the message to store.
     */
    public void sealSections(Message message, ProtectionRequest request) throws MessageRejectedException {
        sealedEarly.remove();
        MessageBody body = MessageBodies.of(
                message, request.source().protocol(), request.home().maxMessageSize());
        if (body.content().body().kind() == BodyKind.AMQP_SECTIONS
                && request.target().policy().policy().acceptance().where() != SealingPlace.CLIENT) {
            seal(body, request, SizeLimit.inMemory(request.home().maxMessageSize()));
            sealedEarly.set(request.target().address());
        }
    }

    private boolean wasSealedEarly(ProtectionRequest request) {
        String address = sealedEarly.get();
        sealedEarly.remove();
        return request.target().address().equals(address);
    }

    private static boolean isSealed(MessageBody body, ProtectionRequest request) throws MessageRejectedException {
        Optional<byte[]> envelope = body.possibleEnvelope();
        if (envelope.isEmpty()) {
            return false;
        }
        CryptoService crypto = request.home().crypto();
        Target target = request.target();
        Source source = request.source();
        try {
            return crypto.satisfies(envelope.get(), target.address(), target.policy(), source.senders())
                    || source.before()
                            .filter(before ->
                                    crypto.satisfies(envelope.get(), before.address(), before.policy(), SenderRule.ANY))
                            .isPresent();
        } catch (SenderMismatchException e) {
            throw new MessageRejectedException(String.valueOf(e.getMessage()));
        }
    }

    private static void seal(MessageBody body, ProtectionRequest request, SizeLimit limit)
            throws MessageRejectedException {
        BodyContent content = body.content();
        Target target = request.target();
        Source source = request.source();
        // a compressed body that does not fit otherwise travels compressed
        int length = limit.around() ? content.payload().length : content.written();
        boolean deflated = body.wasCompressed() && !limit.holds(body, length);
        if (!deflated) {
            limit.require(body, length);
        }
        ClearMessage clear = new ClearMessage(
                target.address(),
                deflated ? content.body().deflated() : content.body(),
                content.payload(),
                source.user(),
                content.properties());
        Identity signer = request.home().identities().signerFor(source.user());
        byte[] envelope = request.home().crypto().sealWhole(clear, target.policy(), signer);
        if (limit.around()) {
            limit.require(body, envelope.length);
        }
        body.replace(envelope);
    }
}
