/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.opening;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import org.signetmq.client.internal.body.BodyDecoder;
import org.signetmq.client.internal.body.BodyDecoder.Decoded;
import org.signetmq.client.internal.message.KeptBody;
import org.signetmq.client.internal.message.OpenOutcomes;
import org.signetmq.client.internal.message.PayloadParts;
import org.signetmq.client.internal.message.ReceivedMessage;
import org.signetmq.client.internal.message.ReceivedMessages;
import org.signetmq.client.internal.message.StreamedBytesMessage;
import org.signetmq.client.internal.provider.ClientLibrary.ClientProtocol;
import org.signetmq.client.internal.provider.ProviderSession;
import org.signetmq.envelope.SegmentOpener;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.message.Entity;
import org.signetmq.envelope.message.OpenedMessage;

/**
 * Opens messages that arrive in segments. Bytes reach the application as a stream; other bodies are assembled first.
 */
final class LargeOpening {
    /** The greatest length of an array in bytes. */
    private static final int LONGEST = Integer.MAX_VALUE - Long.BYTES;

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
                request.envelope(first, null), content, new PayloadParts(first, rest, outcomes), body, this::again);
    }

    private static OpenedMessage first(SegmentOpener segments) throws IOException {
        return segments.next().orElseThrow(() -> new MalformedEnvelopeException("body: has no segment"));
    }

    /** Opens the kept body again, with all checks: the file is no more trusted than the broker. */
    private PayloadParts again(InputStream kept) throws JMSException {
        try {
            SegmentOpener rest = segments.of(kept);
            return new PayloadParts(first(rest), rest, outcomes);
        } catch (IOException e) {
            throw PayloadParts.notRead(e);
        } catch (RuntimeException e) {
            throw outcomes.because(e, null);
        }
    }

    private static byte[] whole(OpenedMessage first, SegmentOpener rest) throws IOException {
        InputStream all = new SequenceInputStream(new ByteArrayInputStream(first.payload()), rest.payload());
        byte[] whole = all.readNBytes(LONGEST);
        if (all.read() >= 0) {
            throw new MalformedEnvelopeException("body: too long to be assembled, more than " + LONGEST + " bytes");
        }
        return whole;
    }
}
