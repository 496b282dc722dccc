/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.opening;

import jakarta.jms.BytesMessage;
import jakarta.jms.Destination;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.Message;
import jakarta.jms.Session;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.body.BodyEncoder;
import org.signetmq.client.internal.body.BodyEncoder.Encoded;
import org.signetmq.client.internal.message.OutgoingMessage;
import org.signetmq.client.internal.provider.BulkInputStream;
import org.signetmq.client.internal.provider.ClientLibrary;
import org.signetmq.client.internal.provider.ClientLibrary.ClientProtocol;
import org.signetmq.client.internal.provider.LibraryChoice;
import org.signetmq.envelope.EnvelopeCheck;
import org.signetmq.envelope.Opener;
import org.signetmq.envelope.Sealer;
import org.signetmq.envelope.SegmentSealer;
import org.signetmq.envelope.SenderRule;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.envelope.message.Entity;
import org.signetmq.envelope.message.HiddenProperties;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentitySource;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrintableText;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.keys.PregenerationSettings;
import org.signetmq.keystore.trust.CertificateTrust;
import org.signetmq.policy.BrokerAddresses;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.SealingPlace;
import org.signetmq.policy.UnmatchedAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Seals the messages that an application sends, by the policies of their addresses. All connections of a factory share
 * one, and so its data keys. Without keys it refuses messages that their producer must seal. Thread-safe.
 */
public final class MessageSealing implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MessageSealing.class);
    private static final String NOT_SEALED = "NOT_SEALED";
    private static final byte[] NO_PAYLOAD = {};

    /** The most policies that the log named as not applied; then it begins again. */
    private static final int MOST_WARNED = 10_000;

    private final Opener opener;
    private final @Nullable Keys keys;
    private final @Nullable EnvelopeCheck check;
    private final Replies replies = new Replies();
    private final Set<String> warned = ConcurrentHashMap.newKeySet();
    /** The sealer; null before the first sealed message. */
    private volatile @Nullable Sealer sealer;

    /** The policies for which the sealer last wiped data keys. */
    private volatile @Nullable PolicySet retained;

    private volatile boolean closed;

    /**
     * The keys of a sealer.
     *
     * @param identities the first of them signs
     * @param recipients finds the certificates that policies name
     * @param trust decides whether these certificates may be used
     */
    public record Keys(IdentitySource identities, RecipientDirectory recipients, CertificateTrust trust, Clock clock) {}

    /**
     * Makes a sealing.
     *
     * @param opener has the policies
     * @param keys null for none
     */
    public MessageSealing(Opener opener, @Nullable Keys keys) {
        this.opener = opener;
        this.keys = keys;
        this.check =
                keys == null ? null : EnvelopeCheck.create(keys.recipients(), keys.trust(), CryptoProviders.standard());
    }

    /** Returns the replies that are due, and the requests that wait for one. */
    Replies replies() {
        return replies;
    }

    /**
     * Remembers the certificate of a sealed request, if this client can seal the reply.
     *
     * @param replyTo the address of the temporary destination for the reply; null for none
     */
    void noteRequest(Entity request, @Nullable String replyTo) {
        EffectivePolicy policy = opener.policies().find(request.address()).orElse(null);
        if (keys != null && replyTo != null && policy != null) {
            replies.requested(replyTo, request, policy);
        }
    }

    /** Returns the policy of an address: that of the policies, or else that of a request which waits there. */
    private @Nullable EffectivePolicy policy(PolicySet policies, String address) {
        EffectivePolicy found = policies.find(address).orElse(null);
        return found == null ? replies.policyOf(address) : found;
    }

    /** Returns whether a message to this address is sealed here, or refused. */
    boolean seals(String address) {
        try {
            if (address.indexOf(',') >= 0) {
                return true; // perhaps several addresses
            }
            PolicySet policies = opener.policies();
            EffectivePolicy policy = policy(policies, address);
            return policy == null ? refuses(policies, address) || replies.isAnyForgotten() : applies(policy, address);
        } catch (KeystoreUnusableException unreadable) {
            return true;
        }
    }

    private boolean refuses(PolicySet policies, String address) {
        return keys != null
                && policies.unmatched() == UnmatchedAddress.REJECT
                && BrokerAddresses.DEFAULT.useOf(address).isEmpty();
    }

    private boolean applies(EffectivePolicy policy, String address) {
        SealingPlace where = policy.policy().acceptance().where();
        return policy.policy().quality() != QualityOfProtection.NONE
                && where != SealingPlace.BROKER
                && (keys != null || where == SealingPlace.CLIENT)
                && BrokerAddresses.DEFAULT.useOf(address).isEmpty();
    }

    /**
     * Returns the sealed message if the policy of the address wants it, or else the message as it is.
     *
     * @throws JMSSecurityException if the producer must seal it and cannot
     */
    OutgoingMessage sealed(
            OutgoingMessage outgoing,
            @Nullable Destination destination,
            String address,
            AddressedOpener addresses,
            Session session)
            throws JMSException {
        PolicySet policies;
        try {
            policies = opener.policies();
        } catch (KeystoreUnusableException e) {
            throw refused(address, "its policies cannot be read: " + e.getMessage(), e);
        }
        if (address.indexOf(',') >= 0 && LibraryChoice.of(outgoing.toSend()).protocol() == ClientProtocol.OPENWIRE) {
            return toSeveral(outgoing, address, policies);
        }
        EffectivePolicy policy = policy(policies, address);
        if (policy == null) {
            if (refuses(policies, address)) {
                throw refused(address, "no policy is for it, and the policies reject such messages", null);
            }
            if (replies.mayBeForgotten(destination)) {
                throw refused(
                        address,
                        "too many sealed requests wait for replies, and this may be a reply to one that was forgotten",
                        null);
            }
            return outgoing;
        }
        if (!applies(policy, address)) {
            return outgoing;
        }
        ClientLibrary library = LibraryChoice.of(outgoing.toSend());
        boolean must = policy.policy().acceptance().where() == SealingPlace.CLIENT;
        must |= library.givenStream(outgoing.toSend()) != null; // which is read once
        try {
            return new Sealing(address, policy, library, session)
                    .of(outgoing, keys == null ? null : sealer(keys, policies), addresses);
        } catch (JMSSecurityException | IllegalStateException | JMSRuntimeException e) { // closed, as without Signet
            throw e;
        } catch (JMSException e) {
            if (must || closed) {
                throw e;
            }
            warn(policy, e);
        } catch (Exception | LinkageError e) { // of many types; nothing was sent
            if (must || closed) {
                throw refused(
                        address,
                        "policy '" + policy.reference() + "' wants it sealed by its producer: " + reason(e),
                        e instanceof Exception cause ? cause : null);
            }
            warn(policy, e);
        }
        return outgoing;
    }

    /** Passes a message to a destination of several addresses, unless its producer must seal it for each of them. */
    private OutgoingMessage toSeveral(OutgoingMessage outgoing, String addresses, PolicySet policies)
            throws JMSException {
        for (String part : addresses.split(",", -1)) {
            String address = ConsumerAddress.without(ConsumerAddress.OF_CLIENTS, part.trim());
            EffectivePolicy policy = policies.find(address).orElse(null);
            if (policy != null
                    && applies(policy, address)
                    && policy.policy().acceptance().where() == SealingPlace.CLIENT) {
                throw refused(
                        addresses,
                        "policy '" + policy.reference() + "' wants it sealed by its producer, for one address;"
                                + " send it to each address by itself",
                        null);
            }
        }
        return outgoing;
    }

    private void warn(EffectivePolicy policy, Throwable cause) {
        if (warned.size() >= MOST_WARNED) {
            warned.clear();
        }
        if (warned.add(policy.reference())) {
            LOG.warn(
                    "policy {}: its messages are sent in clear for the broker to seal, because this client cannot: {}",
                    PrintableText.quoted(policy.reference()),
                    PrintableText.of(reason(cause), PrintableText.LONGEST_REASON));
        }
    }

    /** Returns the reason of a failure, without the text of a defect: that could contain content. */
    private static String reason(Throwable cause) {
        String type = cause.getClass().getName();
        return cause instanceof IllegalArgumentException || type.startsWith("org.signetmq.")
                ? String.valueOf(cause.getMessage())
                : cause instanceof java.lang.IllegalStateException ? "the factory is closed" : "internal error " + type;
    }

    private static JMSSecurityException refused(String address, String why, @Nullable Exception cause) {
        String text = "message not sent to address " + PrintableText.quoted(address) + ": " + why;
        JMSSecurityException refused =
                new JMSSecurityException(PrintableText.of(text, PrintableText.LONGEST_REASON), NOT_SEALED);
        if (cause != null) {
            refused.initCause(cause);
        }
        return refused;
    }

    /** Returns the sealer, and wipes the data keys of policies that ended. */
    @SuppressWarnings("ReferenceEquality") // an equal set may stand in place of another
    private Sealer sealer(Keys with, PolicySet policies) {
        Sealer made = retained == policies ? sealer : null;
        return made == null ? retaining(with, policies) : made; // after close it throws
    }

    private synchronized Sealer retaining(Keys with, PolicySet policies) {
        if (closed) {
            throw new KeystoreUnusableException("the factory is closed");
        }
        Sealer made = sealer;
        if (made == null) {
            made = Sealer.create(
                    replies.directory(with.recipients()), with.trust(), with.clock(), PregenerationSettings.AUTO);
            sealer = made;
        } else {
            made.retain(policies);
        }
        retained = policies;
        return made;
    }

    /** Wipes the data keys. No message is sealed afterwards. */
    @Override
    public synchronized void close() {
        closed = true;
        Sealer made = sealer;
        if (made != null) {
            made.close();
        }
    }

    /** The sealing of one message. */
    private final class Sealing {
        private final String address;
        private final EffectivePolicy policy;
        private final ClientLibrary library;
        private final Session session;

        Sealing(String address, EffectivePolicy policy, ClientLibrary library, Session session) {
            this.address = address;
            this.policy = policy;
            this.library = library;
            this.session = session;
        }

        OutgoingMessage of(OutgoingMessage outgoing, @Nullable Sealer sealer, AddressedOpener addresses)
                throws JMSException, IOException {
            Message sent = library.readable(outgoing.toSend());
            Encoded encoded = BodyEncoder.encode(sent, library);
            ByteBuffer payload = encoded.payload();
            InputStream stream = encoded.stream() == null ? null : new BufferedInputStream(encoded.stream());
            if (sent instanceof BytesMessage && looksSealed(stream, payload)) {
                return passed(outgoing, sent, stream, payload);
            }
            if (keys == null || sealer == null) {
                throw refused(
                        address,
                        "policy '" + policy.reference() + "' wants it sealed by its producer, and this connection"
                                + " factory has no identity; make it with SignetConnectionFactory.open",
                        null);
            }
            policy.problem().ifPresent(problem -> {
                throw new KeystoreUnusableException(problem);
            });
            Map<String, String> properties = new HashMap<>(encoded.properties());
            List<String> hide = hidden(sent, properties);
            List<Identity> identities = keys.identities().current();
            Identity signer = identities.stream()
                    .findFirst()
                    .orElseThrow(() -> new KeystoreUnusableException("identity: the connection factory has none"));
            String replyTo = addresses.addressOf(Replies.temporary(sent));
            if (replyTo != null && opener.policies().find(replyTo).isPresent()) {
                replyTo = null; // its policy decides
            }
            if (replyTo != null) {
                properties.put(Replies.CERTIFICATE, Replies.certificate(identities));
            }
            BytesMessage made = session.createBytesMessage();
            library.copyHead(sent, made, hide::contains);
            boolean isShort = stream == null && payload.remaining() <= SegmentSealer.SEGMENT_LENGTH;
            byte[] whole = isShort ? bytes(payload) : NO_PAYLOAD;
            ClearMessage message = new ClearMessage(address, encoded.body(), whole, null, properties);
            SealingStream large = null;
            if (isShort) {
                made.writeBytes(sealer.seal(message, policy, signer));
            } else {
                InputStream in = stream == null
                        ? new ByteArrayInputStream(
                                payload.array(), payload.arrayOffset() + payload.position(), payload.remaining())
                        : stream;
                large = new SealingStream(in, sealer, message, policy, signer);
                if (!library.putStream(large, made)) {
                    made.writeBytes(large.readAllBytes());
                }
            }
            if (replyTo != null) {
                replies.expect(replyTo, policy);
            }
            replies.answered(address);
            return outgoing.sealed(made, large);
        }

        private boolean looksSealed(@Nullable InputStream stream, ByteBuffer payload) throws IOException {
            if (stream == null) {
                return EnvelopeCheck.looksSealed(payload);
            }
            stream.mark(EnvelopeCheck.HEAD_LENGTH);
            byte[] head = stream.readNBytes(EnvelopeCheck.HEAD_LENGTH);
            stream.reset();
            return EnvelopeCheck.looksSealed(ByteBuffer.wrap(head));
        }

        /** Passes an envelope. The broker checks a stream. */
        private OutgoingMessage passed(
                OutgoingMessage outgoing, Message sent, @Nullable InputStream stream, ByteBuffer payload)
                throws JMSException {
            if (stream != null) {
                BytesMessage made = session.createBytesMessage();
                library.copyHead(sent, made, name -> false);
                library.putStream(stream, made);
                return outgoing.sealed(made, null);
            }
            if (check != null) {
                try {
                    check.require(bytes(payload), address, policy, SenderRule.ANY);
                } catch (RuntimeException e) {
                    throw refused(
                            address,
                            "it is an envelope that does not satisfy policy '" + policy.reference() + "': " + reason(e),
                            e);
                }
            }
            return outgoing;
        }

        /** Returns the names of the properties to hide, and puts their text into the properties of the entity. */
        private List<String> hidden(Message sent, Map<String, String> properties) throws JMSException {
            List<String> hide = policy.policy().enforcement().hide();
            if (hide.isEmpty()) {
                return hide;
            }
            Map<String, @Nullable Object> values = new LinkedHashMap<>();
            for (String name : hide) {
                if (sent.propertyExists(name)) {
                    values.put(name, sent.getObjectProperty(name));
                }
            }
            if (!values.isEmpty()) {
                properties.put(HiddenProperties.KEY, HiddenProperties.encode(values));
            }
            return hide;
        }

        private static byte[] bytes(ByteBuffer payload) {
            int from = payload.arrayOffset() + payload.position();
            return from == 0 && payload.remaining() == payload.array().length
                    ? payload.array()
                    : Arrays.copyOfRange(payload.array(), from, from + payload.remaining());
        }
    }

    /** A payload that is sealed while the library reads it, in the memory of a few segments. For one thread. */
    private static final class SealingStream extends BulkInputStream {
        private static final int NOTHING = -1;

        private final InputStream payload;
        private final SegmentSealer segments;
        private final byte[] segment = new byte[SegmentSealer.SEGMENT_LENGTH];
        private byte[] envelope = {};
        private int position;
        private int limit;
        private int ahead;
        private boolean last;

        /** Seals the first segment, so that a policy that cannot be applied shows before anything is sent. */
        SealingStream(InputStream payload, Sealer sealer, ClearMessage head, EffectivePolicy policy, Identity signer)
                throws IOException {
            this.payload = payload;
            this.segments = sealer.segments(head, policy, signer, this::take);
            this.ahead = payload.read();
            next();
        }

        private void take(byte[] bytes, int offset, int length) {
            envelope = envelope.length < length ? new byte[length] : envelope;
            System.arraycopy(bytes, offset, envelope, 0, length);
            position = 0;
            limit = length;
        }

        private void next() throws IOException {
            int length = 0;
            if (ahead != NOTHING) {
                segment[length++] = (byte) ahead;
                length += payload.readNBytes(segment, length, segment.length - length);
                ahead = length < segment.length ? NOTHING : payload.read();
            }
            last = ahead == NOTHING;
            segments.seal(segment, length, last);
        }

        @Override
        protected int readSome(byte[] into, int offset, int length) throws IOException {
            if (position == limit) {
                if (last) {
                    return -1;
                }
                try {
                    next();
                } catch (RuntimeException e) {
                    throw new IOException("body: a later part cannot be sealed, " + reason(e), e);
                }
            }
            int count = Math.min(length, limit - position);
            System.arraycopy(envelope, position, into, offset, count);
            position += count;
            return count;
        }

        @Override
        public void close() throws IOException {
            Arrays.fill(segment, (byte) 0);
            segments.close();
            payload.close();
        }
    }
}
