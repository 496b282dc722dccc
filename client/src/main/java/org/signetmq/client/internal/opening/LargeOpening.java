/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.opening;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.signetmq.client.internal.body.BodyDecoder;
import org.signetmq.client.internal.body.BodyDecoder.Decoded;
import org.signetmq.client.internal.failure.OpenExceptions;
import org.signetmq.client.internal.message.PayloadParts;
import org.signetmq.client.internal.message.ReceivedMessage;
import org.signetmq.client.internal.message.ReceivedMessages;
import org.signetmq.client.internal.message.StreamedBytesMessage;
import org.signetmq.client.internal.provider.ClientProtocol;
import org.signetmq.client.internal.provider.ProviderSession;
import org.signetmq.envelope.SegmentOpener;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.message.Entity;
import org.signetmq.envelope.message.OpenedMessage;

/**
 * Opens messages that arrive in segments. Bytes reach the application as a stream; other bodies are assembled first.
 */
final class LargeOpening {
    private final SegmentOpener segments;
    private final OpenExceptions exceptions;

    LargeOpening(SegmentOpener segments, OpenExceptions exceptions) {
        this.segments = segments;
        this.exceptions = exceptions;
    }

    /** Returns the message after at least its first part was verified. */
    ReceivedMessage open(MessageOpening.Request request, ProviderSession session) throws JMSException, IOException {
        OpenedMessage first = segments.next().orElseThrow(() -> new MalformedEnvelopeException("body: has no segment"));
        Entity entity = first.entityIfProtected()
                .orElseThrow(() -> new MalformedEnvelopeException(
                        "body: begins with an envelope, but its first segment is not protected"));
        ClientProtocol protocol = request.arrived().library().protocol();
        if (!BodyDecoder.areBytes(entity, protocol)) {
            Decoded decoded = BodyDecoder.decode(entity, whole(first, segments), protocol);
            return ReceivedMessages.of(decoded.body(), request.envelope(first, decoded), session);
        }
        BytesMessage content = session.createBytesMessage();
        content.reset();
        return new StreamedBytesMessage(
                request.envelope(first, null), content, new PayloadParts(first, segments, exceptions));
    }

    private static byte[] whole(OpenedMessage first, SegmentOpener rest) throws IOException {
        List<byte[]> parts = new ArrayList<>(List.of(first.payload()));
        long length = first.payload().length;
        for (Optional<OpenedMessage> part = rest.next(); part.isPresent(); part = rest.next()) {
            parts.add(part.get().payload());
            length += part.get().payload().length;
        }
        if (length > Integer.MAX_VALUE - Long.BYTES) {
            throw new MalformedEnvelopeException("body: too long to be assembled, " + length + " bytes");
        }
        ByteBuffer whole = ByteBuffer.allocate((int) length);
        parts.forEach(whole::put);
        return whole.array();
    }
}
