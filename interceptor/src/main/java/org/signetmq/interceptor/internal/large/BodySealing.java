/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.large;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.function.Function;
import org.apache.activemq.artemis.api.core.ICoreMessage;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.EnvelopeChain;
import org.signetmq.envelope.EnvelopeCheck;
import org.signetmq.envelope.SegmentSealer;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.interceptor.internal.body.CoreBody;
import org.signetmq.interceptor.internal.large.EnvelopeDetectingStage.Envelopes;
import org.signetmq.interceptor.internal.large.EnvelopeDetectingStage.Envelopes.Rule;
import org.signetmq.interceptor.internal.parse.BodyStage;
import org.signetmq.interceptor.internal.parse.BodyStage.ClearBodyStage;
import org.signetmq.interceptor.internal.parse.CoreParsers;
import org.signetmq.interceptor.internal.parse.InflatingStage;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.interceptor.internal.parse.WaitingBytes;
import org.signetmq.interceptor.internal.protect.MessageSealer;
import org.signetmq.interceptor.internal.protect.MessageSealer.ProtectionRequest;
import org.signetmq.interceptor.internal.protect.SeenMessages;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.policy.SealingPlace;

/** Puts the stages together that seal the body of a large Core message on its way into the file. Thread-safe. */
record BodySealing(ActiveMQServer server, MessageSealer sealer) {
    /** Returns whether a complete file is on the disk before the broker goes on. */
    boolean syncs() {
        return server.getConfiguration().isLargeMessageSync();
    }

    /** Returns whether the broker has the body in memory. A streamed or federated message has only its head there. */
    static boolean isInMemory(CoreMessage message) {
        return !message.isLargeMessage() && message.getBuffer() != null && message.getBodyBufferSize() > 0;
    }

    /** Sets the properties that describe the sealed body. */
    static void label(CoreMessage message) {
        if (EmbeddedStage.isCarrier(message)) {
            EmbeddedStage.label(message);
        } else {
            message.setType(Message.BYTES_TYPE);
            message.removeProperty(Message.HDR_LARGE_COMPRESSED);
        }
    }

    /**
     * Seals a body in memory in place, because the protocols read it again afterwards.
     *
     * @param onlySealed whether the broker stores the message as a large one only because it is sealed
     */
    LargeBody inMemory(CoreMessage message, ProtectionRequest request, LargeFile file, boolean onlySealed)
            throws Exception {
        String address = request.target().address();
        if (!MessageSealer.isApproved(message, address)) {
            if (onlySealed) {
                CoreBody.markLargeAsEnvelope(message);
            }
            boolean unused = sealer.apply(message, request, request.limit());
        }
        return LargeBody.unchanged(file, large -> {
            SeenMessages.share(message, large);
            MessageSealer.markApproved(large, address);
        });
    }

    /**
     * Begins a body that comes part by part.
     *
     * @param space ends with the body
     */
    LargeBody ofParts(CoreMessage message, ProtectionRequest request, LargeFile file, WaitingBytes.Space space)
            throws Exception {
        try {
            if (!EmbeddedStage.isCarrier(message)) {
                return stream(message, request, file, space);
            }
            EmbeddedStage stage =
                    EmbeddedStage.of(message, sealer, request, new WaitingBytes(space, BufferBudget.MOST_OF_ONE), file);
            return new LargeBody(file, stage, space, large -> {});
        } catch (Throwable e) {
            space.close();
            throw e;
        }
    }

    /**
     * Tells whether a text or object surely has the encoding of its type: clients of JMS write it, and give each
     * message an id, and the broker writes it for clients of other protocols.
     */
    private static boolean encodes(CoreMessage message, ProtectionRequest request) {
        String protocol = request.source().protocol();
        return message.getUserID() != null || !(protocol.isEmpty() || protocol.equals("CORE"));
    }

    /**
     * Begins a body that comes part by part, and carries no message of another protocol.
     *
     * @param space for the parts of the body that wait for further ones
     */
    LargeBody stream(CoreMessage message, ProtectionRequest request, LargeFile file, WaitingBytes.Space space)
            throws MessageRejectedException {
        MessageSealer.Target target = request.target();
        String messageId = MessageSealer.auditedId(request);
        MessageDigest digest = messageId == null ? null : CryptoProviders.digest("SHA-256");
        Map<String, @Nullable Object> hidden = CoreBody.properties(message, request.hide());
        boolean seals = request.where() != SealingPlace.CLIENT;
        Map<String, String> properties = seals ? MessageSealer.withHidden(Map.of(), hidden) : Map.of();
        SealingStage sealing = !seals
                ? null
                : sealing(
                        request,
                        digest == null ? file::write : digested(digest, file),
                        body -> request.head(body, properties, messageId),
                        space);
        BodyStage clear = sealing == null
                ? BodyStage.rejecting(MessageSealer.NOT_SEALED)
                : CoreParsers.forStream(message.getType(), encodes(message, request), sealing);
        boolean bytes = message.getType() == Message.BYTES_TYPE;
        Envelopes envelopes = envelopes(bytes, request);
        EnvelopeDetectingStage judge = new EnvelopeDetectingStage(envelopes, space, file, clear);
        boolean mayBeSealed = bytes
                ? !MessageSealer.sealsAll(request)
                : message.getType() == Message.DEFAULT_TYPE && !MessageSealer.sealsEnvelopes(request);
        FormStage form = new FormStage(file, clear);
        BodyStage first = !mayBeSealed ? clear : target.isQuarantine() ? form : judge;
        boolean compressed = Boolean.TRUE.equals(message.getObjectProperty(Message.HDR_LARGE_COMPRESSED));
        return new LargeBody(file, compressed ? new InflatingStage(space, first) : first, space, large -> {
            if (sealing == null || (bytes && (judge.wasSealed() || form.wasSealed()))) {
                MessageSealer.requireHidden(hidden, request);
                SeenMessages.note(large, request, envelopes.chain());
                sealer.countPassed();
            } else {
                CoreBody.remove((ICoreMessage) large, hidden.keySet());
                sealer.countSealedBytes(sealing.length);
                sealer.countSealed(
                        request,
                        messageId == null || digest == null
                                ? null
                                : new MessageSealer.Audited(
                                        messageId, HexFormat.of().formatHex(digest.digest())));
            }
            request.removeReserved(large);
            MessageSealer.markApproved(large, target.address());
        });
    }

    private static Envelopes envelopes(boolean bytes, ProtectionRequest request) {
        if (!bytes) {
            return new Envelopes(Rule.NONE, null);
        }
        MessageSealer.Target target = request.target();
        EnvelopeChain chain = request.home()
                .crypto()
                .chain(target.address(), target.policy(), request.source().senders());
        return new Envelopes(
                MessageSealer.sealsEnvelopes(request) ? Rule.OTHERS_ARE_CLEAR : Rule.OTHERS_ARE_REJECTED, chain);
    }

    private static SegmentSealer.Sink digested(MessageDigest digest, LargeFile file) {
        return (bytes, offset, length) -> {
            digest.update(bytes, offset, length);
            file.write(bytes, offset, length);
        };
    }

    private static SealingStage sealing(
            ProtectionRequest request,
            SegmentSealer.Sink sink,
            Function<ClearMessage.Body, ClearMessage> head,
            WaitingBytes.Space space) {
        Identity signer = request.home().identities().signerFor(request.source().user());
        return new SealingStage(
                space,
                body -> request.home()
                        .crypto()
                        .segments(head.apply(body), request.target().policy(), signer, sink));
    }

    /**
     * Passes a body on to one of two stages, by the form of its beginning. Bytes that follow an envelope do not count.
     */
    private static final class FormStage implements BodyStage {
        private final BodyStage sealed;
        private final BodyStage clear;
        private final byte[] head = new byte[EnvelopeCheck.HEAD_LENGTH];
        private int filled;
        private @Nullable BodyStage chosen;

        FormStage(BodyStage sealed, BodyStage clear) {
            this.sealed = sealed;
            this.clear = clear;
        }

        boolean wasSealed() {
            return chosen == sealed;
        }

        private BodyStage choose() throws Exception {
            BodyStage choice = EnvelopeCheck.looksSealed(ByteBuffer.wrap(head, 0, filled)) ? sealed : clear;
            chosen = choice;
            choice.add(head, 0, filled);
            return choice;
        }

        @Override
        public void add(byte[] bytes, int offset, int length) throws Exception {
            int taken = Math.min(length, head.length - filled);
            System.arraycopy(bytes, offset, head, filled, taken);
            filled += taken;
            if (filled == head.length) {
                (chosen == null ? choose() : chosen).add(bytes, offset + taken, length - taken);
            }
        }

        @Override
        public void finish() throws Exception {
            (chosen == null ? choose() : chosen).finish();
        }

        @Override
        public void close() {
            sealed.close();
            clear.close();
        }
    }

    /**
     * Seals its input in segments. The payload waits until more follows a full segment, because the last has a mark.
     */
    private static final class SealingStage implements ClearBodyStage {
        private final Function<ClearMessage.Body, SegmentSealer> factory;
        private final WaitingBytes segment;
        private @Nullable SegmentSealer sealer;
        private long length; // of the payload so far, in bytes

        /**
         * Makes a stage.
         *
         * @param space for the payload of one segment
         */
        SealingStage(WaitingBytes.Space space, Function<ClearMessage.Body, SegmentSealer> factory) {
            this.segment = new WaitingBytes(space, SegmentSealer.SEGMENT_LENGTH);
            this.factory = factory;
        }

        @Override
        public void begin(ClearMessage.Body body) {
            if (sealer == null) {
                sealer = factory.apply(body);
            }
        }

        private SegmentSealer begun() {
            if (sealer == null) {
                throw new IllegalStateException("body: not begun");
            }
            return sealer;
        }

        @Override
        public void add(byte[] bytes, int offset, int length) throws Exception {
            int taken;
            for (int done = 0; done < length; done += taken) {
                if (segment.length() == SegmentSealer.SEGMENT_LENGTH) {
                    seal(false);
                }
                taken = (int) Math.min(length - done, SegmentSealer.SEGMENT_LENGTH - segment.length());
                segment.add(bytes, offset + done, taken);
            }
            this.length += length;
        }

        private void seal(boolean last) throws Exception {
            segment.readWhole((bytes, offset, count) -> begun().seal(bytes, count, last));
            segment.clear();
        }

        @Override
        public void finish() throws Exception {
            seal(true);
        }

        @Override
        public void close() {
            segment.close();
            if (sealer != null) {
                sealer.close();
            }
        }
    }
}
