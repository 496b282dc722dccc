/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.opening;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.signetmq.client.internal.body.BodyDecoder;
import org.signetmq.client.internal.body.BodyDecoder.Decoded;
import org.signetmq.client.internal.message.KeptBody;
import org.signetmq.client.internal.message.OpenOutcomes;
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
    private final KeptBody body;
    private final Segments segments;
    private final OpenOutcomes outcomes;

    /** Opens the segments of a body. */
    interface Segments {
        SegmentOpener of(InputStream body) throws JMSException;
    }

    LargeOpening(InputStream arriving, Segments segments, OpenOutcomes outcomes) {
        this.body = new KeptBody(arriving);
        this.segments = segments;
        this.outcomes = outcomes;
    }

    /** Returns the message after at least its first part was verified. */
    ReceivedMessage open(MessageOpening.Request request, ProviderSession session) throws JMSException, IOException {
        try {
            return opened(request, session);
        } catch (Throwable e) {
            body.release();
            throw e;
        }
    }

    private ReceivedMessage opened(MessageOpening.Request request, ProviderSession session)
            throws JMSException, IOException {
        SegmentOpener rest = segments.of(body.fromStart());
        OpenedMessage first = first(rest);
        Entity entity = first.entityIfProtected()
                .orElseThrow(() -> new MalformedEnvelopeException(
                        "body: begins with an envelope, but its first segment is not protected"));
        ClientProtocol protocol = request.arrived().library().protocol();
        if (!BodyDecoder.areBytes(entity, protocol)) {
            body.release(); // needed once
            Decoded decoded = BodyDecoder.decode(entity, whole(first, rest), protocol);
            return ReceivedMessages.of(decoded.body(), request.envelope(first, decoded), session);
        }
        BytesMessage content = session.createBytesMessage();
        content.reset();
        return new StreamedBytesMessage(
                request.envelope(first, null), content, new PayloadParts(first, rest, outcomes), new Kept());
    }

    private static OpenedMessage first(SegmentOpener segments) throws IOException {
        return segments.next().orElseThrow(() -> new MalformedEnvelopeException("body: has no segment"));
    }

    /** Opens the kept body again, with all checks: the file is no more trusted than the broker. */
    private final class Kept implements StreamedBytesMessage.Again {
        @Override
        public boolean isPossible() {
            return body.isKept();
        }

        @Override
        public PayloadParts fromStart() throws JMSException {
            try {
                SegmentOpener rest = segments.of(body.fromStart());
                return new PayloadParts(first(rest), rest, outcomes);
            } catch (IOException e) {
                throw PayloadParts.notRead(e);
            } catch (RuntimeException e) {
                throw outcomes.because(e, null);
            }
        }

        @Override
        public void release() {
            body.release();
        }
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
