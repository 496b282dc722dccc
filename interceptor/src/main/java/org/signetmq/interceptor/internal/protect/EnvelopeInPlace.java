/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.protect;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.BodyReplacement;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.interceptor.internal.body.MessageBody;
import org.signetmq.interceptor.internal.parse.BodyContent;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.keystore.Identity;

/** Seals a body in the memory of its message, so that no byte is copied before or after. For one message. */
final class EnvelopeInPlace implements BodyReplacement {
    private static final byte[] NO_PAYLOAD = {};
    private static final ByteBuffer NONE = ByteBuffer.wrap(NO_PAYLOAD);

    private final MessageBody body;
    private final BodyContent content;
    private final SizeLimit limit;
    private ByteBuffer envelope = NONE;
    private boolean inMessage;

    EnvelopeInPlace(MessageBody body, BodyContent content, SizeLimit limit) {
        this.body = body;
        this.content = content;
        this.limit = limit;
    }

    /**
     * Replaces the body with one envelope. A rejected message keeps its body.
     *
     * @param messageId the identifier of the message; null for a new one
     * @throws MessageRejectedException if the message would exceed the limit
     */
    void seal(ProtectionRequest request, Identity signer, @Nullable String messageId) throws MessageRejectedException {
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
        body.replace(envelope);
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
