/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.protect;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.activemq.artemis.api.core.Message;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.BodyReplacement;
import org.signetmq.envelope.EnvelopeChain;
import org.signetmq.envelope.EnvelopeCheck;
import org.signetmq.envelope.SenderRule;
import org.signetmq.envelope.exception.EnvelopeException;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.message.BodyKind;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.envelope.message.HiddenProperties;
import org.signetmq.interceptor.internal.audit.AuditLog;
import org.signetmq.interceptor.internal.audit.AuditLog.SealedMessage;
import org.signetmq.interceptor.internal.audit.RejectionReason;
import org.signetmq.interceptor.internal.body.MessageBodies;
import org.signetmq.interceptor.internal.body.MessageBody;
import org.signetmq.interceptor.internal.body.ProducerProperties;
import org.signetmq.interceptor.internal.home.CryptoService;
import org.signetmq.interceptor.internal.home.LoadedHome;
import org.signetmq.interceptor.internal.parse.BodyContent;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.interceptor.internal.parse.RareThreadLocal;
import org.signetmq.interceptor.internal.parse.WorkMemory;
import org.signetmq.interceptor.internal.status.Counters;
import org.signetmq.interceptor.internal.status.Counters.MessageRecords;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.Policy.MessageAudit;
import org.signetmq.policy.SealingPlace;

/** Seals a message in place as its policy requires, or rejects the message. */
public final class MessageSealer {
    public static final String NOT_SEALED =
            "the policy requires messages sealed by their producer, found no valid envelope";

    /**
     * The key, in the user context of a message, of the address whose policy the message satisfies. No peer can set it.
     */
    private static final Object APPROVED = new Object();

    /** The key, in the user context of a message, of the address at which the message passes unchanged. */
    private static final Object EXEMPT = new Object();

    private final Counters counters;
    private final AuditLog audit;
    private final WorkMemory memory = new WorkMemory(Runtime.getRuntime().maxMemory());

    /** The body that this thread sealed early, until the plugin judges the converted message. */
    private static final RareThreadLocal<Early> SEALED_EARLY = new RareThreadLocal<>();

    /**
     * A body that was sealed before the broker converted it. The broker may drop the message instead, so the next one
     * of the thread may be another.
     *
     * @param address the address of the message
     * @param messageId for the audit; null if its policy audits no message
     * @param sha256 the digest of the sealed body in hex
     */
    private record Early(String address, @Nullable String messageId, String sha256) {
        private @Nullable Audited audited() {
            return messageId == null ? null : new Audited(messageId, sha256);
        }

        boolean is(MessageBody body, ProtectionRequest request) {
            return address.equals(request.target().address())
                    && body.possibleEnvelope().isPresent()
                    && sha256.equals(digest(body));
        }
    }

    public MessageSealer(MessageRecords records) {
        this.counters = records.counters();
        this.audit = records.audit();
    }

    /**
     * The address of a message and its policy.
     *
     * @param address the bare address
     * @param policy the policy of the address
     * @param isQuarantine whether messages in the form of envelopes pass there unchanged
     */
    public record Target(String address, EffectivePolicy policy, boolean isQuarantine) {}

    /**
     * The origin of a message.
     *
     * @param protocol the protocol by which it arrived; empty if no client sends it now
     * @param user the authenticated user, or null
     * @param judged whether a broker of this cluster judged it before, at the address from which it comes
     * @param before the address from which the broker moved it, with the policy there; empty if it was not moved
     * @param senders the senders that its envelope may name if it is already sealed
     */
    public record Source(
            String protocol, @Nullable String user, boolean judged, Optional<Target> before, SenderRule senders) {
        Source asJudged() {
            return new Source(protocol, user, true, before, senders);
        }

        /** Returns whether a client sends the message. Otherwise this broker moves it, or another one passes it on. */
        boolean isClient() {
            return senders != SenderRule.ANY;
        }
    }

    /**
     * How to find a sealed message that its policy audits.
     *
     * @param messageId the identifier in its envelope
     * @param sha256 the digest of its sealed body in hex
     */
    public record Audited(String messageId, String sha256) {}

    /** Returns whether this message satisfies the policy of this address. */
    public static boolean isApproved(Message message, String address) {
        return address.equals(message.getUserContext(APPROVED));
    }

    /** Returns whether this message satisfies the policy of an address. */
    public static boolean isApproved(Message message) {
        return message.getUserContext(APPROVED) != null;
    }

    /** Returns whether this message is for a protected address: the plugin applied a policy to it, or exempted it. */
    public static boolean isProtected(Message message) {
        return isApproved(message) || message.getUserContext(EXEMPT) != null;
    }

    /** Returns whether this message passes unchanged at this address, though the address may have a policy. */
    public static boolean isExempt(Message message, String address) {
        return address.equals(message.getUserContext(EXEMPT));
    }

    /**
     * Lets a message pass unchanged, because another broker sealed it and mirrors it here, or this broker made it for
     * itself. The plugin judges the message again when it moves to another address.
     */
    public static void markExempt(Message message, String address) {
        message.setUserContext(EXEMPT, address);
    }

    public static void markApproved(Message message, String address) {
        message.setUserContext(APPROVED, address);
    }

    /** Returns the memory for messages that threads seal as a whole. */
    public WorkMemory memory() {
        return memory;
    }

    /**
     * Returns whether an envelope that does not satisfy the policy is payload for the broker to seal. Otherwise the
     * message is rejected.
     */
    public static boolean sealsEnvelopes(ProtectionRequest request) {
        return switch (request.where()) {
            case BROKER -> true;
            case EITHER -> request.source().judged();
            case CLIENT -> false;
        };
    }

    /** Returns whether the broker seals whatever a client sends, also an envelope that satisfies the policy. */
    public static boolean sealsAll(ProtectionRequest request) {
        return request.source().isClient()
                && request.where() == SealingPlace.BROKER
                && !request.target().isQuarantine();
    }

    /** Returns the rejection of an envelope in a body in which no consumer finds it. */
    public static MalformedEnvelopeException hiddenEnvelope() {
        return new MalformedEnvelopeException("envelope: in another body than one of bytes; send it as bytes");
    }

    /** Counts a message that arrived sealed. */
    public void countPassed() {
        counters.countPassed();
    }

    /**
     * Counts a message that the plugin sealed, and audits it if it has an identifier for that.
     *
     * @param audited how to find the message; null if its policy audits no message
     */
    public void countSealed(ProtectionRequest request, @Nullable Audited audited) {
        Target target = request.target();
        counters.countSealed(target.policy().policy().quality());
        if (audited != null) {
            audit.messageSealed(new SealedMessage(
                    audited.messageId(),
                    audited.sha256(),
                    target.address(),
                    request.source().user(),
                    target.policy()));
        }
    }

    /** Counts the payload of a sealed message. */
    public void countSealedBytes(long bytes) {
        counters.countSealedBytes(bytes);
    }

    /** Returns a new identifier for a message whose policy audits each one; null for any other message. */
    public static @Nullable String auditedId(ProtectionRequest request) {
        return request.target().policy().policy().acceptance().audit() == MessageAudit.EACH
                ? request.home().crypto().newMessageId()
                : null;
    }

    /**
     * Seals a message in memory, unless it already satisfies the policy.
     *
     * @return whether the message was in clear
     * @throws MessageRejectedException if the message cannot be sealed
     */
    public boolean apply(Message message, ProtectionRequest request, SizeLimit limit) throws MessageRejectedException {
        limit.requireNotFarBeyond(message);
        request.removeReserved(message);
        long mostBytes = limit.mostInflated(request.home().maxMessageSize());
        WorkMemory.Work part = memory.take(MessageBodies.decompressedLength(message, mostBytes));
        try (part) { // and not by inMemory, whose parameter each message would allocate
            return apply(message, MessageBodies.of(message, request.source().protocol(), mostBytes), request, limit);
        }
    }

    /** Judges or seals a body. */
    @FunctionalInterface
    private interface Judgement {
        boolean of(MessageBody body) throws MessageRejectedException;
    }

    /** Gives a judgement the body of a message, while the memory for it is taken. */
    private boolean inMemory(Message message, ProtectionRequest request, long mostBytes, Judgement judgement)
            throws MessageRejectedException {
        WorkMemory.Work part = memory.take(MessageBodies.decompressedLength(message, mostBytes));
        try (part) {
            return judgement.of(MessageBodies.of(message, request.source().protocol(), mostBytes));
        }
    }

    private boolean apply(Message message, MessageBody body, ProtectionRequest request, SizeLimit limit)
            throws MessageRejectedException {
        Early early = takeEarly(body, request);
        boolean payload = sealsAll(request) && early == null;
        boolean asItIs = body.clearsRetained() || (!payload && isSealed(body, request, early == null ? message : null));
        if (asItIs) {
            requireHidden(body.properties(request.hide()), request);
            if (early == null) {
                countPassed();
            } else {
                countSealed(request, early.audited());
            }
        } else {
            requireSealing(request);
            String messageId = auditedId(request);
            long begun = counters.beginSealing();
            int length = seal(body, request, limit, messageId);
            counters.endSealing(begun);
            countSealedBytes(length);
            countSealed(request, messageId == null ? null : new Audited(messageId, digest(message, request)));
        }
        markApproved(message, request.target().address());
        return !asItIs;
    }

    /**
     * Returns whether a message in memory that lies in a queue is in clear. Counts nothing.
     *
     * @throws MessageRejectedException if it does not satisfy the policy, and the broker must not seal it
     */
    public boolean isClear(Message message, ProtectionRequest request) throws MessageRejectedException {
        return inMemory(message, request, request.home().maxMessageSize(), body -> {
            if (body.clearsRetained() || isSealed(body, request, null)) {
                return false;
            }
            requireClear(
                    body.possibleEnvelope().filter(EnvelopeCheck::looksSealed).isPresent(), request);
            return true;
        });
    }

    /**
     * Checks that the broker may seal a message that lies in a queue.
     *
     * @throws MessageRejectedException if the message has the form of an envelope, or its producer must seal it
     */
    public static void requireClear(boolean looksSealed, ProtectionRequest request) throws MessageRejectedException {
        if (looksSealed) {
            throw new MessageRejectedException(
                    RejectionReason.NOT_SEALED,
                    "it has the form of an envelope, and does not satisfy the policy of its address now");
        }
        requireSealing(request);
    }

    /**
     * Checks that the broker may seal messages of a policy.
     *
     * @throws MessageRejectedException if their producer must seal them
     */
    public static void requireSealing(ProtectionRequest request) throws MessageRejectedException {
        if (request.where() == SealingPlace.CLIENT) {
            throw new MessageRejectedException(RejectionReason.NOT_SEALED, NOT_SEALED);
        }
    }

    /**
     * Seals a copy that the caller throws away, and counts nothing.
     *
     * @return whether the copy was in clear
     * @throws MessageRejectedException if the message cannot be sealed
     */
    public boolean trySealing(Message copy, ProtectionRequest request, SizeLimit limit)
            throws MessageRejectedException {
        return inMemory(copy, request, limit.mostInflated(request.home().maxMessageSize()), body -> {
            if (body.clearsRetained() || isSealed(body, request, null)) {
                return false;
            }
            int unused = seal(body, request, limit, null);
            return true;
        });
    }

    /** Returns whether a message in memory satisfies the policy. */
    public boolean isSealed(Message message, ProtectionRequest request) throws MessageRejectedException {
        return inMemory(message, request, request.home().maxMessageSize(), body -> isSealed(body, request, null));
    }

    /**
     * Seals an AMQP body that the broker cannot convert. The plugin seals any other body, and counts this one, after
     * the conversion.
     */
    public void sealSections(Message message, ProtectionRequest request) throws MessageRejectedException {
        SEALED_EARLY.remove();
        long mostBytes = request.home().maxMessageSize();
        boolean unused = inMemory(message, request, mostBytes, body -> {
            if (body.content().body().kind() != BodyKind.AMQP_SECTIONS || request.where() == SealingPlace.CLIENT) {
                return false;
            }
            String messageId = auditedId(request);
            countSealedBytes(seal(body, request, request.limit(), messageId));
            SEALED_EARLY.set(new Early(request.target().address(), messageId, digest(message, request)));
            return true;
        });
    }

    /**
     * Checks that a message which its producer sealed has no property in clear that its policy hides.
     *
     * @param clear the properties in clear that the policy hides
     * @throws MessageRejectedException if it has one
     */
    public static void requireHidden(Map<String, ?> clear, ProtectionRequest request) throws MessageRejectedException {
        if (!clear.isEmpty() && request.source().isClient() && !request.target().isQuarantine()) {
            throw new MessageRejectedException(
                    RejectionReason.POLICY_VIOLATION,
                    "property '" + new TreeMap<>(clear).firstKey() + "' is beside the envelope in clear, where policy '"
                            + request.target().policy().policy().pattern()
                            + "' hides it; put it into the envelope, or leave it out");
        }
    }

    /**
     * Returns the header properties of an envelope, those included that its policy hides.
     *
     * @throws MessageRejectedException if the values of these cannot be hidden
     */
    public static Map<String, String> withHidden(Map<String, String> properties, Map<String, @Nullable Object> hidden)
            throws MessageRejectedException {
        if (hidden.isEmpty()) {
            return properties;
        }
        for (Map.Entry<String, @Nullable Object> property : hidden.entrySet()) {
            if (!HiddenProperties.isValue(property.getValue())) {
                throw new MessageRejectedException("property '" + property.getKey()
                        + "' is hidden, and has another type than the properties of JMS; send a boolean, a number or a"
                        + " string");
            }
        }
        Map<String, String> all = new HashMap<>(properties);
        try {
            all.put(HiddenProperties.KEY, HiddenProperties.encode(hidden));
        } catch (IllegalArgumentException tooLong) {
            throw new MessageRejectedException(
                    RejectionReason.TOO_LARGE,
                    "the properties that policy hides need more than " + HiddenProperties.MOST_BYTES
                            + " bytes; send shorter ones");
        }
        return all;
    }

    /** Returns the note of a body that this thread sealed early, and forgets it; null for any other body. */
    private @Nullable Early takeEarly(MessageBody body, ProtectionRequest request) {
        Early early = SEALED_EARLY.get();
        if (early == null) {
            return null;
        }
        SEALED_EARLY.remove();
        return early.is(body, request) ? early : null;
    }

    private static String digest(Message sealed, ProtectionRequest request) throws MessageRejectedException {
        return digest(MessageBodies.of(
                sealed, request.source().protocol(), request.home().maxMessageSize()));
    }

    private static String digest(MessageBody sealed) {
        MessageDigest digest = CryptoProviders.digest("SHA-256");
        digest.update(sealed.possibleEnvelope().orElseThrow().duplicate());
        return HexFormat.of().formatHex(digest.digest());
    }

    /**
     * Returns whether a body satisfies the policy. If not, it is payload.
     *
     * @param arriving the message that a client may send now; null for any other
     * @throws EnvelopeException if it is an envelope that does not satisfy the policy, and must not be sealed
     * @throws KeystoreUnusableException if a recipient of the policy is unknown
     * @throws MessageRejectedException if it was not signed within the replay window
     */
    private static boolean isSealed(MessageBody body, ProtectionRequest request, @Nullable Message arriving)
            throws MessageRejectedException {
        ByteBuffer possible = body.possibleEnvelope().orElse(null);
        if (possible == null || !EnvelopeCheck.looksSealed(possible)) {
            return false;
        }
        if (request.target().isQuarantine()) {
            return true;
        }
        byte[] envelope = BodyContent.copyOf(possible);
        CryptoService crypto = request.home().crypto();
        Target target = request.target();
        Source source = request.source();
        try {
            EnvelopeChain checked = crypto.require(envelope, target.address(), target.policy(), source.senders());
            if (arriving != null) {
                SeenMessages.note(arriving, request, checked);
            }
            return true;
        } catch (EnvelopeException | KeystoreUnusableException rejected) {
            Optional<Target> before = source.before();
            if (before.isPresent()
                    && crypto.satisfies(
                            envelope, before.get().address(), before.get().policy(), SenderRule.ANY)) {
                return true;
            }
            if (sealsEnvelopes(request)) {
                return false;
            }
            throw rejected;
        }
    }

    /** Seals a body, and returns the length of its payload in bytes. */
    private static int seal(MessageBody body, ProtectionRequest request, SizeLimit limit, @Nullable String messageId)
            throws MessageRejectedException {
        if (!sealsEnvelopes(request)
                && body.beginning().filter(EnvelopeCheck::looksSealed).isPresent()) {
            throw hiddenEnvelope();
        }
        Map<String, @Nullable Object> hidden = body.properties(request.hide());
        BodyContent clear = body.content();
        BodyContent content = hidden.isEmpty()
                ? clear
                : new BodyContent(clear.body(), clear.bytes(), withHidden(clear.properties(), hidden));
        // a compressed body that does not fit otherwise travels compressed
        int length = limit.around() ? content.length() : content.written();
        boolean deflated = body.wasCompressed() && !limit.holds(body, length);
        if (!deflated) {
            limit.require(body, length);
        }
        String user = request.source().user();
        Identity signer = request.home().identities().signerFor(user);
        if (!deflated && CryptoService.fitsOneEnvelope(content.length())) {
            new EnvelopeInPlace(body, content, hidden.keySet(), limit).seal(request, signer, messageId);
            return content.length();
        }
        ClearMessage message = new ClearMessage(
                request.target().address(),
                deflated ? content.body().deflated() : content.body(),
                content.payload(),
                user,
                content.properties(),
                messageId);
        byte[] envelope =
                request.home().crypto().sealWhole(message, request.target().policy(), signer);
        limit.requireAround(body, envelope.length);
        body.replace(ByteBuffer.wrap(envelope), hidden.keySet());
        return content.length();
    }

    /** Seals a body in the memory of its message, so that no byte is copied before or after. For one message. */
    static final class EnvelopeInPlace implements BodyReplacement {
        private static final byte[] NO_PAYLOAD = {};
        private static final ByteBuffer NONE = ByteBuffer.wrap(NO_PAYLOAD);

        private final MessageBody body;
        private final BodyContent content;
        private final Set<String> hidden;
        private final SizeLimit limit;
        private ByteBuffer envelope = NONE;
        private boolean inMessage;

        EnvelopeInPlace(MessageBody body, BodyContent content, Set<String> hidden, SizeLimit limit) {
            this.body = body;
            this.content = content;
            this.hidden = hidden;
            this.limit = limit;
        }

        /**
         * Replaces the body with one envelope. A rejected message keeps its body.
         *
         * @param messageId the identifier of the message; null for a new one
         * @throws MessageRejectedException if the message would exceed the limit
         */
        void seal(ProtectionRequest request, Identity signer, @Nullable String messageId)
                throws MessageRejectedException {
            ClearMessage head = new ClearMessage(
                    request.target().address(),
                    content.body(),
                    NO_PAYLOAD,
                    request.source().user(),
                    content.properties(),
                    messageId);
            try {
                request.home().crypto().seal(head, this, request.target().policy(), signer);
            } catch (RuntimeException | Error failed) {
                if (inMessage) {
                    body.restore();
                }
                throw failed;
            }
            if (!inMessage) {
                limit.requireAround(body, envelope.remaining());
            }
            body.replace(envelope, hidden);
        }

        @Override
        public ByteBuffer payload() {
            return content.bytes();
        }

        /** Returns memory of the message, or other memory for an envelope that the limit will reject. */
        @Override
        public ByteBuffer memory(int length) {
            inMessage = limit.holdsAround(body, length);
            envelope = inMessage ? body.memory(length) : ByteBuffer.allocate(length);
            return envelope;
        }
    }

    /**
     * A request to protect one message.
     *
     * @param source the origin of the message
     * @param target the address of the message and its policy
     * @param home the keys
     */
    public record ProtectionRequest(MessageSealer.Source source, MessageSealer.Target target, LoadedHome home) {
        /** Returns the place at which messages of the policy are sealed. */
        public SealingPlace where() {
            return target.policy().policy().acceptance().where();
        }

        /**
         * Removes the properties that only Signet sets, unless the message goes to quarantine, which keeps them.
         *
         * @throws MessageRejectedException if they cannot be removed
         */
        public void removeReserved(Message message) throws MessageRejectedException {
            if (!target.isQuarantine()) {
                ProducerProperties.remove(message);
            }
        }

        /** Returns the names of the properties that travel inside the envelope alone. */
        public List<String> hide() {
            return target.policy().policy().enforcement().hide();
        }

        /** Returns the limit for a message that the plugin seals in memory. */
        public SizeLimit limit() {
            return SizeLimit.inMemory(home.maxMessageSize());
        }

        /**
         * Returns the message to seal, without its payload.
         *
         * @param properties the properties in its header
         * @param messageId its identifier; null for a new one
         */
        public ClearMessage head(ClearMessage.Body body, Map<String, String> properties, @Nullable String messageId) {
            return new ClearMessage(target.address(), body, new byte[0], source.user(), properties, messageId);
        }
    }
}
