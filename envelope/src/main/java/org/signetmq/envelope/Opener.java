/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Supplier;
import org.signetmq.envelope.exception.EnvelopeException;
import org.signetmq.envelope.internal.cms.EnvelopeParser;
import org.signetmq.envelope.internal.cms.EnvelopeSplitter;
import org.signetmq.envelope.internal.cms.EnvelopeStructure;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.open.DataKeyFinder;
import org.signetmq.envelope.internal.open.EnvelopeOpener;
import org.signetmq.envelope.internal.open.EnvelopeOpener.CacheSizes;
import org.signetmq.envelope.internal.open.EnvelopeOpener.OpeningRules;
import org.signetmq.envelope.internal.signature.SignatureVerifier;
import org.signetmq.envelope.message.MessageMove;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentitySource;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.trust.CertificateTrust;
import org.signetmq.policy.Policy.LegacyAlgorithms;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.WildcardSyntax;

/** Opens messages, without broker or JMS. All threads of a client share one opener. Thread-safe. */
public final class Opener implements AutoCloseable {
    private final EnvelopeOpener envelopes;
    private final Supplier<PolicySet> policies;

    private Opener(Keys keys, Supplier<PolicySet> policies, Clock clock, LegacyAlgorithms unmatchedLegacy) {
        this.envelopes = new EnvelopeOpener(
                new DataKeyFinder(keys.identities(), keys.providers()),
                new SignatureVerifier(keys.certificates(), keys.trust(), clock, keys.providers()),
                clock,
                unmatchedLegacy);
        this.policies = policies;
    }

    /**
     * The keys and certificates of an opener.
     *
     * @param identities their private keys open messages; a message with a data key that is not cached asks for them
     * @param certificates finds the certificates that messages reference and policies name
     * @param trust decides whether a signer is trusted
     * @param providers verify and decrypt
     */
    public record Keys(
            IdentitySource identities,
            RecipientDirectory certificates,
            CertificateTrust trust,
            CryptoProviders providers) {
        /** Keys with the providers of this machine. */
        public Keys(IdentitySource identities, RecipientDirectory certificates, CertificateTrust trust) {
            this(identities, certificates, trust, CryptoProviders.standard());
        }

        /** Keys that do not change. */
        public Keys(
                Collection<Identity> identities,
                RecipientDirectory certificates,
                CertificateTrust trust,
                CryptoProviders providers) {
            this(IdentitySource.of(identities), certificates, trust, providers);
        }

        /** Keys that do not change, with the providers of this machine. */
        public Keys(Collection<Identity> identities, RecipientDirectory certificates, CertificateTrust trust) {
            this(identities, certificates, trust, CryptoProviders.standard());
        }
    }

    /** Creates an opener. It asks the supplier for the policies of each message. */
    public static Opener create(Keys keys, Supplier<PolicySet> policies) {
        return create(keys, policies, Clock.systemUTC());
    }

    /** Creates an opener with another clock. */
    public static Opener create(Keys keys, Supplier<PolicySet> policies, Clock clock) {
        return new Opener(keys, policies, clock, LegacyAlgorithms.REFUSED);
    }

    /** Creates an opener with a rule for old algorithms on addresses without a policy. */
    public static Opener create(Keys keys, Supplier<PolicySet> policies, LegacyAlgorithms unmatched) {
        return new Opener(keys, policies, Clock.systemUTC(), unmatched);
    }

    /**
     * Opens a message from an address: an envelope, all segments of a large message, or a message in clear if the
     * policy accepts it.
     *
     * @param bytes the message body as it arrived
     * @param address the address that it was received from, without queue part or prefix
     * @throws EnvelopeException if the message must not reach the application; the type says why
     * @throws IllegalStateException after close
     */
    public OpenedMessage open(byte[] bytes, String address) {
        return open(bytes, OpeningRules.at(policies.get(), address));
    }

    /**
     * Opens a message by the rules of {@link #open(byte[], String)}, and copies nothing from the buffer but the
     * payload.
     *
     * @param bytes the message body as it arrived, from position to limit; must not change during this call
     * @param address the address that it was received from, without queue part or prefix
     * @throws EnvelopeException if the message must not reach the application; the type says why
     * @throws IllegalStateException after close
     */
    public OpenedMessage open(ByteBuffer bytes, String address) {
        return open(bytes, address, policies.get());
    }

    /** Opens a message as {@link #open(ByteBuffer, String)} does, by these policies in place of the opener's. */
    public OpenedMessage open(ByteBuffer bytes, String address, PolicySet others) {
        return open(slice(bytes), OpeningRules.at(others, address));
    }

    /**
     * Opens a message that the broker moved, by the rules of {@link #open(byte[], MessageMove)}, and copies nothing
     * from the buffer but the payload.
     *
     * @param bytes the message body as it arrived, from position to limit; must not change during this call
     * @param moved both addresses, without queue parts or prefixes
     * @throws EnvelopeException if the message must not reach the application; the type says why
     * @throws IllegalStateException after close
     */
    public OpenedMessage open(ByteBuffer bytes, MessageMove moved) {
        return open(slice(bytes), OpeningRules.of(policies.get(), moved));
    }

    /**
     * Opens a message that the broker moved, by the rules of {@link #open(byte[], String)}. If the policy of the
     * original address protects no less than that of the new address, the message must be sealed for the original
     * address. Otherwise the broker sealed the message again, and it must be sealed for the new address. Both policies
     * must accept a message in clear.
     *
     * @param bytes the message body as it arrived
     * @param moved both addresses, without queue parts or prefixes
     * @throws EnvelopeException if the message must not reach the application; the type says why
     * @throws IllegalStateException after close
     */
    public OpenedMessage open(byte[] bytes, MessageMove moved) {
        return open(bytes, OpeningRules.of(policies.get(), moved));
    }

    /** Tells whether a policy covers an address, without queue part or prefix. */
    public boolean covers(String address) {
        return policies.get().find(address).isPresent();
    }

    /** The policies that apply now. */
    public PolicySet policies() {
        return policies.get();
    }

    /** The wildcards of the policies, which are those of the broker. */
    public WildcardSyntax wildcards() {
        return policies.get().wildcards();
    }

    private OpenedMessage open(byte[] bytes, OpeningRules rules) {
        return looksSealed(bytes) ? sealed(Slice.of(bytes), rules) : clear(bytes, rules);
    }

    private OpenedMessage open(Slice bytes, OpeningRules rules) {
        return looksSealed(bytes) ? sealed(bytes, rules) : clear(bytes.copy(), rules);
    }

    private OpenedMessage clear(byte[] bytes, OpeningRules rules) {
        envelopes.rejectClear(rules, Slice.of(bytes));
        return new OpenedMessage(EnvelopeStructure.CLEAR.quality(), null, bytes, null, null);
    }

    private OpenedMessage sealed(Slice bytes, OpeningRules rules) {
        if (EnvelopeSplitter.isShorterThan(bytes)) {
            InputStream in = new ByteArrayInputStream(bytes.array(), bytes.offset(), bytes.length());
            return new SegmentOpener(envelopes, rules, in).openAll(bytes.length());
        }
        return envelopes.open(bytes, rules);
    }

    /** Returns the bytes of a buffer, as a view if it has an array. */
    private static Slice slice(ByteBuffer buffer) {
        if (buffer.hasArray()) {
            return new Slice(buffer.array(), buffer.arrayOffset() + buffer.position(), buffer.remaining());
        }
        byte[] copy = new byte[buffer.remaining()];
        buffer.duplicate().get(copy);
        return Slice.of(copy);
    }

    /**
     * Returns the address that a message was sealed for, for a consumer of several addresses. The address is proved as
     * by {@link #open(byte[], String)}, but no policy is applied. The consumer must still open the message for this
     * address. Old algorithms are rejected, because no policy is known yet.
     *
     * @param bytes the message body as it arrived
     * @return the address; empty for a message in clear
     * @throws EnvelopeException if this opener cannot open the envelope; the type says why
     * @throws IllegalStateException after close
     */
    public Optional<String> sealedAddress(byte[] bytes) {
        return sealedAddress(Slice.of(bytes));
    }

    /** Returns the address as {@link #sealedAddress(byte[])} does, for the bytes from position to limit. */
    public Optional<String> sealedAddress(ByteBuffer bytes) {
        return sealedAddress(slice(bytes));
    }

    private Optional<String> sealedAddress(Slice bytes) {
        if (!looksSealed(bytes)) {
            return Optional.empty();
        }
        Slice first = EnvelopeSplitter.isShorterThan(bytes)
                ? new Slice(bytes.array(), bytes.offset(), (int) EnvelopeSplitter.lengthOf(bytes))
                : bytes;
        return Optional.of(envelopes.sealedAddress(first));
    }

    /**
     * Begins to open a message part by part, by the rules of {@link #open}. It takes the memory of one segment, or of
     * an envelope without segments of at most 64 MiB. Reads nothing yet.
     *
     * @param in the message body as it arrives; the caller closes it
     * @param address the address that it was received from, without queue part or prefix
     */
    public SegmentOpener openSegments(InputStream in, String address) {
        return openSegments(in, address, policies.get());
    }

    /** Begins to open a message part by part, by these policies in place of the opener's. */
    public SegmentOpener openSegments(InputStream in, String address, PolicySet others) {
        return new SegmentOpener(envelopes, OpeningRules.at(others, address), in);
    }

    /** Begins to open a message part by part, by the rules of {@link #open(byte[], MessageMove)}. */
    public SegmentOpener openSegments(InputStream in, MessageMove moved) {
        return new SegmentOpener(envelopes, OpeningRules.of(policies.get(), moved), in);
    }

    /** Tells whether these bytes begin like a CMS envelope. It is fast, and verifies nothing. */
    public static boolean looksSealed(byte[] bytes) {
        return looksSealed(Slice.of(bytes));
    }

    private static boolean looksSealed(Slice bytes) {
        return EnvelopeParser.looksSealed(bytes.array(), bytes.offset(), bytes.length());
    }

    /** The sizes of the caches. Exact while no message is being opened. */
    CacheSizes remembered() {
        return envelopes.remembered();
    }

    /** The number of data keys that were unwrapped so far. */
    public long unwraps() {
        return envelopes.unwraps();
    }

    /** Tells whether this opener is closed. */
    public boolean isClosed() {
        return envelopes.isClosed();
    }

    /** Wipes all cached keys after their last use. Opening afterwards throws an IllegalStateException. */
    @Override
    public void close() {
        envelopes.close();
    }
}
