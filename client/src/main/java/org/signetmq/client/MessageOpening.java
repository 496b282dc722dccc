/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import jakarta.jms.BytesMessage;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.TextMessage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.signetmq.client.Arrival.Acknowledgement;
import org.signetmq.client.BodyDecoder.Decoded;
import org.signetmq.envelope.Entity;
import org.signetmq.envelope.MalformedEnvelopeException;
import org.signetmq.envelope.OpenedMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns messages as they arrive into messages as they were sent. Thread-safe. */
final class MessageOpening {
    private static final Logger LOG = LoggerFactory.getLogger(MessageOpening.class);
    private static final byte[] NO_BYTES = {};

    private final AddressedOpener opener;
    /** A message to open. */
    record Request(Message arrived, Source source, Acknowledgement acknowledgement) {}

    MessageOpening(AddressedOpener opener) {
        this.opener = opener;
    }

    /** Whether a call that receives goes on to the next message after this one. */
    boolean skips(MessageOpenException failure) {
        return opener.failures().skips(failure);
    }

    /** Where a consumer of this destination receives from. */
    Source source(Destination destination) throws JMSException {
        return opener.source(destination);
    }

    /**
     * Opens a message; a very large one as far as is needed to hand it on as a {@link StreamedBytesMessage}.
     *
     * @throws MessageOpenException if it must not reach the application
     * @throws JMSException if the provider fails
     */
    ReceivedMessage open(Request request, ProviderSession session) throws JMSException {
        try {
            InputStream large = LargeBody.of(request.arrived());
            if (large != null) {
                return LargeOpening.open(
                        opener.openSegments(large, request.arrived(), request.source()), request, session);
            }
        } catch (JMSException e) {
            throw e;
        } catch (IOException e) {
            throw PayloadParts.notRead(e);
        } catch (Throwable e) { // as below
            throw failure(e).of(request.arrived());
        }
        return openWhole(request, session);
    }

    /** As {@link #open}, all of it. */
    ReceivedMessage openWhole(Request request, ProviderSession session) throws JMSException {
        try {
            Message arrived = request.arrived();
            OpenedMessage opened = opener.open(bodyOf(arrived), arrived, request.source());
            Entity entity = opened.entity();
            Decoded decoded =
                    entity == null ? null : BodyDecoder.decode(entity, opened.payload(), ClientProtocol.of(arrived));
            Arrival arrival =
                    new Arrival(arrived, SignetProperties.of(opened, decoded, request), request.acknowledgement());
            return decoded == null ? Unopened.of(arrival) : decoded.body().message(arrival, session);
        } catch (JMSException e) {
            throw e;
        } catch (Throwable e) { // whatever it is, the message is neither delivered nor lost
            throw failure(e).of(request.arrived());
        }
    }

    private MessageOpenException failure(Throwable cause) {
        return opener.opener().isClosed()
                ? new MessageOpenException(OpenFailure.KEYSTORE, "message: cannot be opened, the opener was closed")
                : MessageOpenException.because(cause);
    }

    /** The bytes to judge the message by. What is sealed is always a bytes message. */
    private static byte[] bodyOf(Message message) throws JMSException {
        if (message instanceof BytesMessage bytes) {
            return bodyOf(bytes);
        }
        if (message instanceof TextMessage text && text.getText() != null) {
            return text.getText().getBytes(StandardCharsets.UTF_8);
        }
        return NO_BYTES;
    }

    private static byte[] bodyOf(BytesMessage message) throws JMSException {
        long length = message.getBodyLength();
        if (length > Integer.MAX_VALUE - Long.BYTES) {
            throw new MalformedEnvelopeException("body: longer than can be opened at once, " + length + " bytes");
        }
        byte[] body = new byte[(int) length];
        int read = body.length == 0 ? 0 : message.readBytes(body);
        message.reset();
        if (read != body.length) {
            throw new MalformedEnvelopeException("body: ends after " + read + " of " + body.length + " bytes");
        }
        return body;
    }

    /** Writes the one line in the log about a message that does not reach the application. */
    static void logNotDelivered(Message arrived, Source source, JMSException cause) {
        LOG.warn(
                "address '{}': message not delivered but given back to the broker, attempt {}: {}: {}",
                source,
                attempt(arrived),
                cause.getErrorCode(),
                cause.getMessage());
    }

    private static Object attempt(Message arrived) {
        try {
            return arrived.getIntProperty("JMSXDeliveryCount");
        } catch (JMSException | RuntimeException unknown) {
            return "unknown";
        }
    }
}
