/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.opening;

import jakarta.jms.BytesMessage;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.TextMessage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.MessageOpenException;
import org.signetmq.client.internal.address.Source;
import org.signetmq.client.internal.body.BodyDecoder;
import org.signetmq.client.internal.body.BodyDecoder.Decoded;
import org.signetmq.client.internal.failure.OpenExceptions;
import org.signetmq.client.internal.message.Arrival;
import org.signetmq.client.internal.message.Arrival.Acknowledgement;
import org.signetmq.client.internal.message.PayloadParts;
import org.signetmq.client.internal.message.ReceivedMessage;
import org.signetmq.client.internal.message.ReceivedMessages;
import org.signetmq.client.internal.message.SignetProperties;
import org.signetmq.client.internal.message.StreamedBytesMessage;
import org.signetmq.client.internal.message.Unopened;
import org.signetmq.client.internal.provider.ClientProtocol;
import org.signetmq.client.internal.provider.ProviderSession;
import org.signetmq.envelope.SegmentOpener;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.message.Entity;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.keystore.KeystoreUnusableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns messages as they arrive into messages as they were sent. Thread-safe. */
public final class MessageOpening {
    private static final Logger LOG = LoggerFactory.getLogger(MessageOpening.class);
    private static final byte[] NO_BYTES = {};

    private final AddressedOpener opener;

    /** A message to open. */
    public record Request(Message arrived, Source source, Acknowledgement acknowledgement) {
        /** The properties of the opened message; the payload is null if nobody has read it yet. */
        SignetProperties properties(OpenedMessage opened, @Nullable Decoded decoded) throws JMSException {
            return SignetProperties.of(opened, decoded, arrived, source.name());
        }
    }

    public MessageOpening(AddressedOpener opener) {
        this.opener = opener;
    }

    /** Whether a call that receives goes on to the next message after this one. */
    public boolean skips(JMSException failure) {
        return opener.failures().skips(failure);
    }

    /** Makes the exceptions that tell the application of messages that cannot be opened. */
    public OpenExceptions exceptions() {
        return opener.failures().exceptions();
    }

    /** Where a consumer of this destination receives from. */
    public Source source(Destination destination) throws JMSException {
        return opener.source(destination);
    }

    /**
     * Opens a message; a very large one as far as is needed to hand it on as a {@link StreamedBytesMessage}.
     *
     * @throws MessageOpenException if it must not reach the application
     * @throws JMSException if the provider fails
     */
    public ReceivedMessage open(Request request, ProviderSession session) throws JMSException {
        try {
            InputStream large = LargeBody.of(request.arrived());
            if (large != null) {
                SegmentOpener segments = opener.openSegments(large, request.arrived(), request.source());
                return new LargeOpening(segments, exceptions()).open(request, session);
            }
        } catch (JMSException e) {
            throw e;
        } catch (IOException e) {
            throw PayloadParts.notRead(e);
        } catch (Throwable e) { // as below
            throw failure(e, request.arrived());
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
            Arrival arrival = new Arrival(arrived, request.properties(opened, decoded), request.acknowledgement());
            return decoded == null ? Unopened.of(arrival) : ReceivedMessages.of(decoded.body(), arrival, session);
        } catch (JMSException e) {
            throw e;
        } catch (Throwable e) { // whatever it is, the message is neither delivered nor lost
            throw failure(e, request.arrived());
        }
    }

    private JMSException failure(Throwable cause, Message arrived) {
        Message shown = Unopened.of(new Arrival(arrived, SignetProperties.OF_UNOPENED, Acknowledgement.NO_EFFECT));
        return exceptions()
                .because(
                        opener.opener().isClosed() ? new KeystoreUnusableException("the opener was closed") : cause,
                        shown);
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
    public static void logNotDelivered(Message arrived, Source source, JMSException cause) {
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
