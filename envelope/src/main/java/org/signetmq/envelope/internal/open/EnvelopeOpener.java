/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.open;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import javax.crypto.spec.GCMParameterSpec;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.AddressMismatchException;
import org.signetmq.envelope.exception.AuthenticationFailedException;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.exception.PolicyViolationException;
import org.signetmq.envelope.exception.UnprotectedMessageException;
import org.signetmq.envelope.internal.cms.Commitment;
import org.signetmq.envelope.internal.cms.ContentInfoHead;
import org.signetmq.envelope.internal.cms.EnvelopeParser;
import org.signetmq.envelope.internal.cms.EnvelopeStructure;
import org.signetmq.envelope.internal.cms.ParsedEnvelope;
import org.signetmq.envelope.internal.cms.RecipientInfo;
import org.signetmq.envelope.internal.cms.RecipientInfoParser;
import org.signetmq.envelope.internal.cms.SenderKey;
import org.signetmq.envelope.internal.codec.CodecBuffers;
import org.signetmq.envelope.internal.codec.CodecBuffers.CodecBufferPool;
import org.signetmq.envelope.internal.codec.OperationBudget;
import org.signetmq.envelope.internal.codec.PendingCacheEntries;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.entity.EntityReader;
import org.signetmq.envelope.internal.format.Limits;
import org.signetmq.envelope.internal.format.Malformed;
import org.signetmq.envelope.internal.open.DataKeyFinder.OpenedDataKey;
import org.signetmq.envelope.internal.open.OpenedPart.VerifiedContent;
import org.signetmq.envelope.internal.signature.SignatureVerifier;
import org.signetmq.envelope.message.Entity;
import org.signetmq.envelope.message.MessageMove;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.envelope.message.Segment;
import org.signetmq.keystore.PrintableText;
import org.signetmq.keystore.keys.ContentCipher;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.Policy;
import org.signetmq.policy.Policy.LegacyAlgorithms;
import org.signetmq.policy.Policy.RequiredKeys;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;

/** Opens envelopes, one at a time: verifies, decrypts, and reads the header. Thread-safe. */
public final class EnvelopeOpener implements AutoCloseable {
    private static final String NAME = "opener";

    private final DataKeyFinder keys;
    private final SignatureVerifier signatures;
    private final Clock clock;
    private final LegacyAlgorithms unmatchedLegacy;
    private final CodecBufferPool bufferPool;

    public EnvelopeOpener(
            DataKeyFinder keys, SignatureVerifier signatures, Clock clock, LegacyAlgorithms unmatchedLegacy) {
        this.keys = keys;
        this.signatures = signatures;
        this.clock = clock;
        this.unmatchedLegacy = unmatchedLegacy;
        this.bufferPool = new CodecBufferPool(keys.providers());
    }

    /** Makes buffers for a thread that opens many envelopes. The caller closes them. */
    public CodecBuffers newBuffers() {
        return new CodecBuffers(keys.providers());
    }

    /** Opens a message that is one envelope. The result has no part of its array. */
    public OpenedMessage open(Slice envelope, OpeningRules rules) {
        return withBuffers(buffers -> {
            ParsedEnvelope parsed = EnvelopeParser.parse(envelope, keys.known());
            OperationBudget budget = buffers.budget();
            try (VerifiedContent verified =
                    verify(parsed, rules.policy(), Nesting.of(rules.policy()), buffers, budget)) {
                Slice rest = header(verified, rules, buffers);
                EntityReader entities = buffers.entities();
                SegmentSequence.rejectIncomplete(entities.segment(), rest.length());
                byte[] payload = entities.payload(rest);
                Entity entity = entities.entity(payload);
                verified.accept(PendingCacheEntries.ACCEPTED);
                return new OpenedMessage(
                        verified.structure().quality(),
                        entity,
                        payload,
                        verified.signer(),
                        verified.provedSender(entity, rules.policy()));
            }
        });
    }

    /** Returns the address that an envelope was sealed for. The address is proved, except by the rules of a policy. */
    public String sealedAddress(Slice envelope) {
        return withBuffers(buffers -> {
            ParsedEnvelope parsed = EnvelopeParser.parse(envelope, keys.known());
            try (VerifiedContent verified = verify(parsed, null, Nesting.ALLOWED, buffers, buffers.budget())) {
                buffers.entities().header(verified.content());
                String address = buffers.entities().head().address();
                verified.accept(PendingCacheEntries.ACCEPTED);
                return address;
            }
        });
    }

    @FunctionalInterface
    public interface Work<T, X extends Exception> {
        T in(CodecBuffers buffers) throws X;
    }

    public <T, X extends Exception> T withBuffers(Work<T, X> work) throws X {
        T result;
        CodecBuffers buffers = bufferPool.take(NAME);
        try {
            result = work.in(buffers);
        } catch (Throwable failed) {
            buffers.close(); // their state is unknown
            throw failed;
        }
        bufferPool.giveBack(buffers);
        return result;
    }

    /**
     * Opens one envelope, a segment or a whole message. The result lies in the buffers or in the envelope. Its array
     * may change. The caller accepts and closes it.
     */
    public OpenedPart part(Slice envelope, OpeningRules rules, CodecBuffers buffers, OperationBudget budget) {
        ParsedEnvelope parsed = EnvelopeParser.parseInPlace(envelope, keys.known());
        VerifiedContent verified = verify(parsed, rules.policy(), Nesting.of(rules.policy()), buffers, budget);
        try {
            Slice rest = header(verified, rules, buffers);
            Entity head = buffers.entities().head();
            if (rest.length() == Segment.FULL_LENGTH) {
                budget.renew();
            }
            String sender = verified.provedSender(head, rules.policy());
            return new OpenedPart(verified, head, buffers.entities().decoded(rest), sender);
        } catch (Throwable rejected) {
            verified.close();
            throw rejected;
        }
    }

    /** Reads the header, rejects another address, and returns the payload. */
    private static Slice header(VerifiedContent verified, OpeningRules rules, CodecBuffers buffers) {
        Slice payload = buffers.entities().header(verified.content(), rules.address());
        String sealed = buffers.entities().address();
        if (!sealed.equals(rules.address())) {
            throw new AddressMismatchException("envelope: sealed for address " + PrintableText.quoted(sealed)
                    + ", received from " + PrintableText.quoted(rules.address()));
        }
        return payload;
    }

    private VerifiedContent verify(
            ParsedEnvelope envelope,
            @Nullable Policy policy,
            Nesting nesting,
            CodecBuffers buffers,
            OperationBudget budget) {
        return envelope instanceof ParsedEnvelope.Signed signed
                ? signed(signed, policy, budget)
                : encrypted((ParsedEnvelope.Encrypted) envelope, policy, nesting, buffers, budget);
    }

    /**
     * Rejects a message in clear, unless the policy accepts it.
     *
     * @param beginning the first bytes of the message; if another content type of CMS begins there, the text names it
     */
    public void rejectClear(OpeningRules rules, Slice beginning) {
        try {
            rules.rejectClear(clock.instant());
        } catch (UnprotectedMessageException clear) {
            ContentInfoHead.rejectOther(beginning);
            throw clear;
        }
    }

    private VerifiedContent signed(ParsedEnvelope.Signed envelope, @Nullable Policy policy, OperationBudget budget) {
        rejectWeaker(EnvelopeStructure.SIGNED, policy);
        SignatureVerifier.Verified signer = signatures.verify(envelope, policy, budget);
        return new VerifiedContent(EnvelopeStructure.SIGNED, envelope.content(), signer, null);
    }

    private VerifiedContent encrypted(
            ParsedEnvelope.Encrypted envelope,
            @Nullable Policy policy,
            Nesting nesting,
            CodecBuffers buffers,
            OperationBudget budget) {
        RecipientInfo.rejectLegacy(envelope.recipients(), policy, unmatchedLegacy);
        OpenedDataKey key = keys.find(envelope, budget);
        try {
            Slice input = input(envelope.content(), buffers);
            byte[] content = decrypt(envelope.content(), input, key, buffers);
            Slice decrypted =
                    new Slice(content, 0, envelope.content().ciphertext().length());
            requireCommitment(content, decrypted.length());
            if (EnvelopeParser.looksSealed(content, 0, decrypted.length())) {
                ParsedEnvelope inner = EnvelopeParser.parseInside(decrypted, input.array());
                if (!(inner instanceof ParsedEnvelope.Signed signedInside)) {
                    nesting.requireNested(envelope, (ParsedEnvelope.Encrypted) inner);
                    ParsedEnvelope.Encrypted nested = (ParsedEnvelope.Encrypted)
                            EnvelopeParser.parseInPlace(Slice.of(decrypted.copy()), keys.known());
                    VerifiedContent inside = encrypted(nested, policy, Nesting.INSIDE, buffers, budget);
                    return inside.inside(key);
                }
                nesting.requireSingle();
                key.servesOneMessage();
                SignatureVerifier.Verified signer = signatures.verify(signedInside, policy, budget);
                return new VerifiedContent(EnvelopeStructure.SIGNED_AND_ENCRYPTED, signer.content(), signer, key);
            }
            nesting.requireSingle();
            SenderKey claimed = envelope.sender(); // the data key proves it
            SignatureVerifier.Verified sender = claimed == null ? null : signatures.sender(claimed, decrypted, policy);
            EnvelopeStructure found = sender == null ? EnvelopeStructure.ENCRYPTED : EnvelopeStructure.AGREED;
            rejectWeaker(found, policy);
            return new VerifiedContent(found, decrypted, sender, key);
        } catch (Throwable rejected) {
            key.close();
            throw rejected;
        }
    }

    /**
     * Whether an encrypted envelope is inside another one: that for post-quantum keys outside, that for classical keys
     * inside. A reader needs a key for each.
     */
    private enum Nesting {
        REFUSED,
        ALLOWED,
        REQUIRED,
        /** This envelope is the inner one. */
        INSIDE;

        static Nesting of(@Nullable Policy policy) {
            if (policy == null || policy.enforcement().require() != RequiredKeys.BOTH) {
                return REFUSED;
            }
            return EnvelopeStructure.of(policy).isEncrypted() ? REQUIRED : ALLOWED;
        }

        void requireNested(ParsedEnvelope.Encrypted outer, ParsedEnvelope.Encrypted inner) {
            Malformed.when(
                    this == REFUSED || this == INSIDE,
                    "envelope: encrypted twice, where no policy requires both kinds of keys");
            Malformed.when(
                    !RecipientInfoParser.areAllKem(outer.recipientInfos())
                            || RecipientInfoParser.isAnyKem(inner.recipientInfos()),
                    "envelope: encrypted twice, but not for post-quantum keys outside and classical ones inside");
        }

        void requireSingle() {
            if (this == REQUIRED) {
                throw new PolicyViolationException(
                        "envelope: encrypted for one kind of keys where the policy requires both");
            }
        }
    }

    /** Rejects content that a sender could have made to open to another text under another recipient's key. */
    private void requireCommitment(byte[] content, int length) {
        if (!Commitment.holds(content, length)
                && !clock.instant().isBefore(signatures.trust().uncommittedUntil())) {
            throw new MalformedEnvelopeException("envelope: its encryption does not commit to one key, so another"
                    + " recipient may read another text; have it sealed again by this version, or set"
                    + " uncommitted-until in trust.json");
        }
    }

    /** Returns ciphertext and tag next to each other: in place, or in the buffers. */
    private static Slice input(ParsedEnvelope.Content sealed, CodecBuffers buffers) {
        Slice ciphertext = sealed.ciphertext();
        Slice tag = sealed.tag();
        int length = ciphertext.length() + ContentCipher.TAG_LENGTH;
        if (tag.follows(ciphertext)) {
            return new Slice(ciphertext.array(), ciphertext.offset(), length);
        }
        byte[] together = buffers.input(length);
        ciphertext.copyTo(together, 0);
        tag.copyTo(together, ciphertext.length());
        return new Slice(together, 0, length);
    }

    /** Decrypts into the buffers. The result is valid until their next use. */
    private static byte[] decrypt(ParsedEnvelope.Content sealed, Slice input, OpenedDataKey key, CodecBuffers buffers) {
        byte[] output = buffers.output(input.length());
        GCMParameterSpec parameters = new GCMParameterSpec(
                ContentCipher.TAG_LENGTH * Byte.SIZE,
                sealed.nonce().array(),
                sealed.nonce().offset(),
                sealed.nonce().length());
        if (!buffers.cipher().decrypt(key.key(), parameters, input.buffer(), output)) {
            throw new AuthenticationFailedException("envelope: it was changed, or encrypted under another key");
        }
        return output;
    }

    private static void rejectWeaker(EnvelopeStructure found, @Nullable Policy policy) {
        if (policy != null && !found.protectsNoLessThan(EnvelopeStructure.of(policy))) {
            throw new PolicyViolationException(
                    "envelope: quality " + found.quality().label() + " where policy '" + policy.pattern()
                            + "' asks for " + policy.quality().label());
        }
    }

    public CacheSizes remembered() {
        return new CacheSizes(
                keys.size(),
                signatures.certificatesKept(),
                signatures.bytesKept() + keys.known().bytes());
    }

    public long unwraps() {
        return keys.unwraps();
    }

    public boolean isClosed() {
        return bufferPool.isClosed();
    }

    @Override
    public void close() {
        keys.close();
        bufferPool.close();
    }

    /**
     * The sizes of caches: keys and certificates of accepted messages, and bytes of certificates and recipient infos.
     */
    public record CacheSizes(int keys, int certificates, long bytes) {
        /** The most bytes of one opener: certificates and recipient infos. */
        public static final long MOST_BYTES = (long) Limits.CERTIFICATES_KEPT + Limits.ALL_KNOWN_RECIPIENTS;
    }

    /**
     * The rules for one message. All its parts are checked by the same policy.
     *
     * @param sealedFor the address that the message must be sealed for, with its policy
     * @param addresses the addresses of policies that must accept the message if it is in clear
     */
    public record OpeningRules(AddressPolicy sealedFor, List<AddressPolicy> addresses) {
        /** An address with its policy, if a policy covers it. */
        record AddressPolicy(
                String address, PolicySet set, @Nullable Policy policy) {
            static AddressPolicy of(PolicySet set, String address) {
                return new AddressPolicy(
                        address,
                        set,
                        set.find(address).map(EffectivePolicy::policy).orElse(null));
            }

            private EnvelopeStructure structure() {
                return policy == null ? EnvelopeStructure.CLEAR : EnvelopeStructure.of(policy);
            }

            private void rejectClear(Instant now) {
                if (policy == null && set.unmatched() == UnmatchedAddress.REJECT) {
                    throw new UnprotectedMessageException("message: in clear, on an address that no policy covers");
                }
                if (policy != null
                        && structure().isEnvelope()
                        && !policy.acceptance().toleration().toleratesAt(now)) {
                    throw new UnprotectedMessageException("message: in clear where policy '" + policy.pattern()
                            + "' asks for " + policy.quality().label());
                }
            }
        }

        /** Returns the rules for a message that was not moved. */
        public static OpeningRules at(PolicySet set, String address) {
            AddressPolicy only = AddressPolicy.of(set, address);
            return new OpeningRules(only, List.of(only));
        }

        /**
         * Returns the rules for a message that the broker moved. The message keeps its envelope if that protects no
         * less than the new address requires. Otherwise the broker sealed it again for the new address.
         */
        public static OpeningRules of(PolicySet set, MessageMove moved) {
            AddressPolicy before = AddressPolicy.of(set, moved.from());
            AddressPolicy now = AddressPolicy.of(set, moved.to());
            return new OpeningRules(
                    before.structure().protectsNoLessThan(now.structure()) ? before : now, List.of(before, now));
        }

        String address() {
            return sealedFor.address();
        }

        @Nullable
        Policy policy() {
            return sealedFor.policy();
        }

        void rejectClear(Instant now) {
            addresses.forEach(address -> address.rejectClear(now));
        }
    }
}
