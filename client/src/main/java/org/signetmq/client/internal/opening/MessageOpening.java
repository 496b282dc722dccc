/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.opening;

import jakarta.jms.BytesMessage;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.body.BodyDecoder;
import org.signetmq.client.internal.body.BodyDecoder.Decoded;
import org.signetmq.client.internal.message.KeptBody;
import org.signetmq.client.internal.message.OpenOutcomes;
import org.signetmq.client.internal.message.OpenOutcomes.Fate;
import org.signetmq.client.internal.message.OutgoingMessage;
import org.signetmq.client.internal.message.PayloadParts;
import org.signetmq.client.internal.message.ReceivedMessage;
import org.signetmq.client.internal.message.ReceivedMessage.Acknowledgement;
import org.signetmq.client.internal.message.ReceivedMessage.Envelope;
import org.signetmq.client.internal.message.ReceivedMessages;
import org.signetmq.client.internal.message.SignetProperties;
import org.signetmq.client.internal.message.StreamedBytesMessage;
import org.signetmq.client.internal.provider.ClientLibrary;
import org.signetmq.client.internal.provider.ClientLibrary.ArrivedMessage;
import org.signetmq.client.internal.provider.ClientLibrary.ClientProtocol;
import org.signetmq.client.internal.provider.LibraryChoice;
import org.signetmq.envelope.SegmentOpener;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.message.Entity;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrintableText;
import org.signetmq.policy.Policy.OnFailure;
import org.signetmq.policy.PolicySet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens received messages, and logs those that cannot be opened. Thread-safe. */
public final class MessageOpening {
    private static final Logger LOG = LoggerFactory.getLogger(MessageOpening.class);
    private static final byte[] NO_BYTES = {};

    private final AddressedOpener opener;
    private final LibraryChoice choice;
    private final Quarantine quarantine;
    private volatile boolean closed;

    /** A message to open. */
    public final class Request {
        private final ArrivedMessage arrived;
        private final ConsumerAddress source;
        private final Acknowledgement acknowledgement;
        private final boolean listens;

        /** Whether a large message is verified to its end before the application gets it. */
        private boolean verifiedFirst;

        /** The body of a large message that could not be opened. */
        private @Nullable KeptBody unopened;

        private OpenedBefore.@Nullable Opened remembered;

        private Request(
                ArrivedMessage arrived, ConsumerAddress source, Acknowledgement acknowledgement, boolean listens) {
            this.arrived = arrived;
            this.source = source;
            this.acknowledgement = acknowledgement;
            this.listens = listens;
        }

        ArrivedMessage arrived() {
            return arrived;
        }

        /** Returns the message of the client library. */
        public Message message() {
            return arrived.message();
        }

        public ConsumerAddress source() {
            return source;
        }

        boolean listens() {
            return listens;
        }

        /** Returns the body of a large message that could not be opened; null if the message holds its body. */
        @Nullable
        KeptBody unopened() {
            return unopened;
        }

        /** Drops the body of a large message that could not be opened; call it when the message is settled. */
        public void release() {
            if (unopened != null) {
                unopened.release();
                unopened = null;
            }
        }

        /** Returns the memory of the opened message; null if its address has no replay window. */
        public OpenedBefore.@Nullable Opened remembered() {
            return remembered;
        }

        /** Returns the message with the properties of its opening; {@code decoded} is null for an unread payload. */
        Envelope envelope(OpenedMessage opened, @Nullable Decoded decoded) throws JMSException {
            Entity entity = opened.entity();
            List<String> hides = List.of();
            if (entity != null) {
                PolicySet policies = opener.opener().policies();
                remembered = opener.remember(entity, policies, arrived, source, () -> closed);
                hides = AddressedOpener.hides(entity, policies);
            }
            SignetProperties added = SignetProperties.of(opened, decoded, arrived, source.name(), hides);
            opener.note(entity, arrived);
            return new Envelope(arrived, added, acknowledgement);
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
        this.quarantine = new Quarantine(opener, provider);
    }

    /** Returns the way to the quarantine. */
    public Quarantine quarantine() {
        return quarantine;
    }

    /** Notes that the connection is being closed, so that messages without acknowledgement go back to the broker. */
    public void closed() {
        closed = true;
    }

    /** Returns the client library of the connection. */
    public ClientLibrary library() {
        return choice.library();
    }

    /**
     * Returns a request to open a message that arrived.
     *
     * @param listens whether it is for a listener
     */
    public Request request(Message arrived, ConsumerAddress source, Acknowledgement acknowledgement, boolean listens) {
        return new Request(choice.arrived(arrived), source, acknowledgement, listens);
    }

    /** Returns the opener of the connection. */
    public AddressedOpener opener() {
        return opener;
    }

    /** Returns whether a message of the application to this address is sealed here, or refused. */
    public boolean seals(@Nullable String address) {
        return address != null && opener.sealing().seals(address);
    }

    /**
     * Returns what the provider sends for a message of the application.
     *
     * @param destination the destination, or null for none, which the provider rejects
     * @param address the address of the destination
     * @param session the session of the producer
     * @throws jakarta.jms.JMSSecurityException if the policy of the address wants it sealed, and it cannot be
     */
    public OutgoingMessage outgoing(
            Message message, @Nullable Destination destination, @Nullable String address, Session session)
            throws JMSException {
        OutgoingMessage outgoing = OutgoingMessage.of(message);
        return address == null ? outgoing : opener.sealing().sealed(outgoing, destination, address, opener, session);
    }

    /** Returns the maker of exceptions for messages that cannot be opened. */
    public OpenOutcomes outcomes() {
        return opener.outcomes();
    }

    /**
     * Opens a message. Of a large bytes message it opens the first segment and returns a {@link StreamedBytesMessage}.
     *
     * @throws org.signetmq.client.MessageOpenException if it must not reach the application
     * @throws JMSException if the provider fails
     */
    public ReceivedMessage open(Request request, Session session) throws JMSException {
        ArrivedMessage arrived = request.arrived();
        long begun = outcomes().begin();
        try {
            InputStream large = arrived.library().largeBody(arrived.message());
            request.verifiedFirst = large != null
                    && arrived.message().getJMSRedelivered() // an attempt may have failed while the application read
                    && quarantine.action(request) != OnFailure.REJECT;
            ReceivedMessage opened =
                    large == null ? openWhole(request, session) : new LargeOpening(large, request).open(session);
            outcomes().opened(begun, request.source().toString());
            return opened;
        } catch (Throwable e) { // any failure: the message is neither delivered nor lost
            if (request.remembered != null) {
                request.remembered.forget();
            }
            if (e instanceof JMSException ofProvider) {
                throw ofProvider;
            }
            throw e instanceof IOException notRead ? PayloadParts.notRead(notRead) : failure(e, arrived);
        }
    }

    private ReceivedMessage openWhole(Request request, Session session) throws JMSException {
        ArrivedMessage arrived = request.arrived();
        OpenedMessage opened = opener.open(bodyOf(arrived), arrived, request.source());
        Entity entity = opened.entity();
        if (entity == null) {
            return ReceivedMessages.ofUnprotected(
                    opener.covers(arrived, request.source())
                            ? request.envelope(opened, null)
                            : new Envelope(arrived, SignetProperties.HIDING, request.acknowledgement));
        }
        Decoded decoded =
                BodyDecoder.decode(entity, opened.payload(), arrived.library().protocol());
        return ReceivedMessages.of(decoded.body(), request.envelope(opened, decoded), session);
    }

    private JMSException failure(Throwable cause, ArrivedMessage arrived) {
        Message shown = ReceivedMessages.ofUnprotected(
                        new Envelope(arrived, SignetProperties.HIDING, Acknowledgement.NO_EFFECT))
                .shown();
        return outcomes()
                .because(
                        opener.opener().isClosed() ? new KeystoreUnusableException("the opener was closed") : cause,
                        shown);
    }

    /** Returns the bytes that may be an envelope. An envelope is always a bytes message. */
    static ByteBuffer bodyOf(ArrivedMessage arrived) throws JMSException {
        if (arrived.message() instanceof BytesMessage bytes) {
            ByteBuffer inside = arrived.library().bytesOf(bytes);
            return inside == null ? ByteBuffer.wrap(BodyDecoder.bytesOf(bytes)) : inside;
        }
        if (arrived.message() instanceof TextMessage text && text.getText() != null) {
            return ByteBuffer.wrap(text.getText().getBytes(StandardCharsets.UTF_8));
        }
        return ByteBuffer.wrap(NO_BYTES);
    }

    /** Counts a message that goes back to the broker. */
    public void rejected(ConsumerAddress source, JMSException cause) {
        if (outcomes().isOpenFailure(cause)) {
            outcomes().unopened(cause, source.toString(), Fate.REJECTED);
        }
    }

    /**
     * Counts a message that left its queue, and logs one line about it.
     *
     * @param quarantine the address to which it was sent; null if it was skipped
     */
    public void putAside(ConsumerAddress source, @Nullable String quarantine, JMSException cause) {
        outcomes().unopened(cause, source.toString(), quarantine == null ? Fate.SKIPPED : Fate.QUARANTINED);
        warn(
                source,
                quarantine == null
                        ? "skipped, as its policy says"
                        : "moved to the quarantine " + PrintableText.quoted(quarantine),
                cause);
    }

    /** Logs one line about a message that does not reach the application. */
    public static void logNotDelivered(Message arrived, ConsumerAddress source, JMSException cause) {
        warn(source, "given back to the broker, attempt " + attempt(arrived), cause);
    }

    private static void warn(ConsumerAddress source, String fate, JMSException cause) {
        LOG.warn(
                "address {}: message not delivered but {}: {}: {}",
                PrintableText.quoted(source.toString()),
                fate,
                cause.getErrorCode(),
                PrintableText.of(cause.getMessage(), PrintableText.LONGEST_REASON));
    }

    private static Object attempt(Message arrived) {
        try {
            return arrived.getIntProperty("JMSXDeliveryCount");
        } catch (JMSException | RuntimeException unknown) {
            return "unknown";
        }
    }

    /**
     * Opens messages that arrive in segments. Bytes reach the application as a stream; other bodies are assembled
     * first.
     */
    private final class LargeOpening {
        /** The greatest length of an array in bytes. */
        private static final int LONGEST = Integer.MAX_VALUE - Long.BYTES;

        private final KeptBody body;
        private final Request request;

        LargeOpening(InputStream arriving, Request request) {
            this.body = new KeptBody(arriving);
            this.request = request;
        }

        /** Returns the message after at least its first part was verified. */
        ReceivedMessage open(Session session) throws JMSException, IOException {
            try {
                return opened(session);
            } catch (Throwable e) {
                request.unopened = body;
                throw e;
            }
        }

        private SegmentOpener segments(InputStream sealed) throws JMSException {
            return opener.openSegments(sealed, request.arrived, request.source);
        }

        private ReceivedMessage opened(Session session) throws JMSException, IOException {
            SegmentOpener rest = segments(body.fromStart());
            OpenedMessage first = first(rest);
            Entity entity = first.entityIfProtected()
                    .orElseThrow(() -> new MalformedEnvelopeException(
                            "body: begins with an envelope, but its first segment is not protected"));
            ClientProtocol protocol = request.arrived.library().protocol();
            if (!BodyDecoder.areBytes(entity, protocol)) {
                Decoded decoded = BodyDecoder.decode(entity, whole(first, rest), protocol);
                body.release(); // opened, so needed once
                return ReceivedMessages.of(decoded.body(), request.envelope(first, decoded), session);
            }
            BytesMessage content = session.createBytesMessage();
            content.reset();
            StreamedBytesMessage message = new StreamedBytesMessage(
                    request.envelope(first, null),
                    content,
                    new PayloadParts(first, rest, outcomes()),
                    body,
                    this::again);
            if (request.verifiedFirst) {
                message.verifyFirst();
            }
            return message;
        }

        private static OpenedMessage first(SegmentOpener segments) throws IOException {
            return segments.next().orElseThrow(() -> new MalformedEnvelopeException("body: has no segment"));
        }

        /** Opens the kept body again, with all checks: the file is no more trusted than the broker. */
        private PayloadParts again(InputStream kept) throws JMSException {
            try {
                SegmentOpener rest = segments(kept);
                return new PayloadParts(first(rest), rest, outcomes());
            } catch (IOException e) {
                throw PayloadParts.notRead(e);
            } catch (RuntimeException e) {
                throw outcomes().because(e, null);
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
}
