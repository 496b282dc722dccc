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
import org.signetmq.client.internal.address.ConsumerAddress;
import org.signetmq.client.internal.body.BodyDecoder;
import org.signetmq.client.internal.body.BodyDecoder.Decoded;
import org.signetmq.client.internal.failure.OpenExceptions;
import org.signetmq.client.internal.message.PayloadParts;
import org.signetmq.client.internal.message.ReceivedEnvelope;
import org.signetmq.client.internal.message.ReceivedEnvelope.Acknowledgement;
import org.signetmq.client.internal.message.ReceivedMessage;
import org.signetmq.client.internal.message.ReceivedMessages;
import org.signetmq.client.internal.message.SignetProperties;
import org.signetmq.client.internal.message.StreamedBytesMessage;
import org.signetmq.client.internal.message.UnprotectedMessages;
import org.signetmq.client.internal.provider.ArrivedMessage;
import org.signetmq.client.internal.provider.ClientLibrary;
import org.signetmq.client.internal.provider.ProviderSession;
import org.signetmq.client.internal.provider.choice.LibraryChoice;
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
    private final LibraryChoice choice;

    /** A message to open. */
    public record Request(ArrivedMessage arrived, ConsumerAddress source, Acknowledgement acknowledgement) {
        /** Returns the properties of the opened message. Null stands for an unread payload. */
        SignetProperties properties(OpenedMessage opened, @Nullable Decoded decoded) throws JMSException {
            return SignetProperties.of(opened, decoded, arrived, source.name());
        }
    }

    /**
     * Opens messages of one connection.
     *
     * @param provider the provider's connection or context
     */
    public MessageOpening(AddressedOpener opener, Object provider) {
        this.opener = opener;
        this.choice = new LibraryChoice(provider);
    }

    /** Returns the client library of the connection. */
    public ClientLibrary library() {
        return choice.library();
    }

    /** Returns a request to open a message that arrived. */
    public Request request(Message arrived, ConsumerAddress source, Acknowledgement acknowledgement) {
        return new Request(choice.arrived(arrived), source, acknowledgement);
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
    public ConsumerAddress source(Destination destination) throws JMSException {
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
            ArrivedMessage arrived = request.arrived();
            InputStream large = arrived.library().largeBody(arrived.message());
            if (large != null) {
                SegmentOpener segments = opener.openSegments(large, arrived, request.source());
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
            ArrivedMessage arrived = request.arrived();
            OpenedMessage opened = opener.open(bodyOf(arrived.message()), arrived, request.source());
            Entity entity = opened.entity();
            Decoded decoded = entity == null
                    ? null
                    : BodyDecoder.decode(
                            entity, opened.payload(), arrived.library().protocol());
            ReceivedEnvelope envelope =
                    new ReceivedEnvelope(arrived, request.properties(opened, decoded), request.acknowledgement());
            return decoded == null
                    ? UnprotectedMessages.of(envelope)
                    : ReceivedMessages.of(decoded.body(), envelope, session);
        } catch (JMSException e) {
            throw e;
        } catch (Throwable e) { // any failure: the message is neither delivered nor lost
            throw failure(e, request.arrived());
        }
    }

    private JMSException failure(Throwable cause, ArrivedMessage arrived) {
        Message shown = UnprotectedMessages.of(
                new ReceivedEnvelope(arrived, SignetProperties.OF_UNOPENED, Acknowledgement.NO_EFFECT));
        return exceptions()
                .because(
                        opener.opener().isClosed() ? new KeystoreUnusableException("the opener was closed") : cause,
                        shown);
    }

    /** The bytes to judge the message by. An envelope is always a bytes message. */
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
    public static void logNotDelivered(Message arrived, ConsumerAddress source, JMSException cause) {
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
