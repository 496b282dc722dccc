/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.opening;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Session;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.body.BodyDecoder;
import org.signetmq.client.internal.message.KeptBody;
import org.signetmq.client.internal.opening.MessageOpening.Request;
import org.signetmq.client.internal.provider.ClientLibrary;
import org.signetmq.client.internal.provider.ProviderSession;
import org.signetmq.client.internal.provider.Wrapper;
import org.signetmq.envelope.EnvelopeParties;
import org.signetmq.envelope.QuarantineNote;
import org.signetmq.keystore.PrintableText;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.Policy.OnFailure;
import org.signetmq.policy.Policy.OpenFailures;
import org.signetmq.policy.PolicySet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends messages that cannot be opened to the quarantine address of their policy, unchanged and with a
 * {@link QuarantineNote}. One for each connection. Thread-safe.
 */
public final class Quarantine {
    private static final Logger LOG = LoggerFactory.getLogger(Quarantine.class);

    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);
    private static final int MOST_KEYS = 4;
    private static final int LOWEST_PRIORITY = 0;
    private static final int HIGHEST_PRIORITY = 9;

    private final AddressedOpener opener;
    private final Object connection;
    private final AtomicLong warned = new AtomicLong(System.nanoTime() - MINUTE);

    /** A session of Signet alone, in which each send is final. */
    private @Nullable Session own; // guarded by this

    private @Nullable JMSContext ownContext; // guarded by this
    private boolean closed; // guarded by this

    /**
     * Makes the way to the quarantine.
     *
     * @param connection the provider's connection or context
     */
    Quarantine(AddressedOpener opener, Object connection) {
        this.opener = opener;
        this.connection = connection;
    }

    /** The address at which a message lay, and its policy. */
    private record Origin(String address, Optional<EffectivePolicy> policy) {
        OpenFailures failures() {
            return policy.map(found -> found.policy().openFailures()).orElse(OpenFailures.DEFAULT);
        }
    }

    /**
     * Returns what the policy of a message wants of its consumer. That is always a rejection if the message is not the
     * reason of the failure, if its address is unknown, or if it already lies at a quarantine address.
     */
    public OnFailure action(Request request, JMSException failure) {
        return opener.outcomes().isOpenFailure(failure) && opener.outcomes().isOfMessage(failure)
                ? action(request)
                : OnFailure.REJECT;
    }

    /** Returns what the policy of a message wants of its consumer, if the message is the reason of a failure. */
    OnFailure action(Request request) {
        try {
            Origin origin = origin(request);
            if (isQuarantine(origin.address())) {
                return OnFailure.REJECT;
            }
            OnFailure action = origin.failures().action();
            return action != null ? action : request.listens() ? OnFailure.QUARANTINE : OnFailure.REJECT;
        } catch (JMSException | RuntimeException unknown) { // the address, or the policies
            return OnFailure.REJECT;
        }
    }

    private Origin origin(Request request) throws JMSException {
        String address = request.source().addressOf(request.message());
        return new Origin(address, opener.opener().policies().find(address));
    }

    private boolean isQuarantine(String address) {
        PolicySet policies = opener.opener().policies();
        return address.equals(OpenFailures.QUARANTINE)
                || policies.policies().stream()
                        .anyMatch(policy -> address.equals(policy.openFailures().quarantine()));
    }

    /**
     * Sends a message to its quarantine address.
     *
     * @param transaction the session in whose transaction the message is acknowledged; null if this method returns
     *     after the broker has the message, and the caller acknowledges it then
     * @return the quarantine address
     * @throws JMSException if the broker does not take the message
     */
    public String send(Request request, JMSException failure, @Nullable Session transaction) throws JMSException {
        if (transaction != null) {
            return send(request, failure, transaction, true);
        }
        synchronized (this) {
            try {
                return send(request, failure, ownSession(request.arrived().library()), false);
            } catch (Throwable e) {
                closeOwn(); // it may be of no more use
                throw e;
            }
        }
    }

    private String send(Request request, JMSException failure, Session session, boolean transacted)
            throws JMSException {
        Origin origin = origin(request);
        String to = origin.failures().quarantineAddress();
        KeptBody large = request.unopened();
        byte[] digest = large == null ? null : digestOf(large);
        Message arrived = request.message();
        Map<String, Object> notes = new HashMap<>();
        noteVisible(large == null ? startOf(request) : large.fromStart(), notes);
        note(request, failure, origin, notes);
        ClientLibrary library = request.arrived().library();
        Message copy = library.copy(arrived, large == null ? null : large.fromStart(), session);
        for (Map.Entry<String, Object> note : notes.entrySet()) {
            copy.setObjectProperty(note.getKey(), note.getValue());
        }
        if (digest == null && arrived instanceof BytesMessage bytes) {
            digest = CryptoProviders.digest("SHA-256").digest(BodyDecoder.bytesOf(bytes));
        }
        if (digest != null && !transacted) {
            String id = QuarantineNote.duplicateId(name -> (String) notes.get(name), digest);
            copy.setStringProperty(QuarantineNote.DUPLICATE_ID, id);
        }
        int priority = Math.max(LOWEST_PRIORITY, Math.min(HIGHEST_PRIORITY, arrived.getJMSPriority()));
        ProviderSession.send(session, to, copy, priority);
        library.requireQueue(to, session);
        return to;
    }

    private void note(Request request, JMSException failure, Origin origin, Map<String, Object> notes)
            throws JMSException {
        Message arrived = request.message();
        put(notes, QuarantineNote.REASON, opener.outcomes().reason(failure));
        put(notes, QuarantineNote.ADDRESS, origin.address());
        put(notes, QuarantineNote.QUEUE, request.source().queue());
        put(notes, QuarantineNote.MESSAGE, arrived.getJMSMessageID());
        notes.put(QuarantineNote.SENT, arrived.getJMSTimestamp());
        if (origin.policy().isPresent()) {
            EffectivePolicy policy = origin.policy().get();
            put(notes, QuarantineNote.POLICY, policy.reference());
            put(notes, QuarantineNote.EXPECTED, policy.policy().quality().label());
        }
        notes.put(QuarantineNote.TIME, System.currentTimeMillis());
        put(notes, QuarantineNote.CONSUMER, clientId());
    }

    private @Nullable String clientId() throws JMSException {
        return connection instanceof JMSContext context
                ? context.getClientID()
                : ((Connection) connection).getClientID();
    }

    private static void put(Map<String, Object> notes, String name, @Nullable String value) {
        if (value != null && !value.isEmpty()) {
            notes.put(name, value);
        }
    }

    /** Notes what an envelope shows to all, unproved: its quality, and the keys of its readers or of its signer. */
    private static void noteVisible(InputStream body, Map<String, Object> notes) {
        try {
            EnvelopeParties parties = EnvelopeParties.read(body).orElse(null);
            if (parties == null) {
                notes.put(QuarantineNote.FOUND, "none");
            } else if (!parties.signers().isEmpty()) {
                notes.put(QuarantineNote.FOUND, "integrity");
                notes.put(QuarantineNote.KEY, String.join(" ", parties.signers()));
            } else {
                notes.put(
                        QuarantineNote.FOUND,
                        parties.senderIfClaimed().isPresent() ? "authenticity" : "privacy or confidentiality");
                Stream<String> keys = parties.recipients().stream().sorted().limit(MOST_KEYS);
                put(notes, QuarantineNote.KEY, keys.collect(Collectors.joining(" ")));
            }
        } catch (IOException | RuntimeException malformed) {
            notes.put(QuarantineNote.FOUND, "unknown");
        }
    }

    private static InputStream startOf(Request request) throws JMSException {
        ByteBuffer body = MessageOpening.bodyOf(request.arrived());
        byte[] bytes = new byte[body.remaining()];
        body.duplicate().get(bytes);
        return new ByteArrayInputStream(bytes);
    }

    private static byte[] digestOf(KeptBody large) throws JMSException {
        MessageDigest digest = CryptoProviders.digest("SHA-256");
        try (InputStream body = large.fromStart()) {
            body.transferTo(new DigestOutputStream(OutputStream.nullOutputStream(), digest));
        } catch (IOException e) {
            throw Wrapper.caused(new JMSException("body: the large message cannot be read"), e);
        }
        if (!large.isKept()) {
            throw new JMSException("body: the large message can be read only once, so it cannot be sent");
        }
        return digest.digest();
    }

    private synchronized Session ownSession(ClientLibrary library) throws JMSException {
        if (closed) {
            throw new JMSException("connection: closed");
        }
        if (own == null && connection instanceof JMSContext context) {
            ownContext = context.createContext(Session.AUTO_ACKNOWLEDGE);
            own = ProviderSession.of(ownContext);
        } else if (own == null) {
            own = ((Connection) connection).createSession(false, Session.AUTO_ACKNOWLEDGE);
        }
        if (!library.confirmsSends(own)) {
            throw new JMSException("connection: its sends of persistent messages do not wait for the broker's answer;"
                    + " remove blockOnDurableSend=false or jms.forceAsyncSend=true");
        }
        return own;
    }

    /** Logs, at most once a minute, that a message could not be sent to its quarantine address. */
    public void warn(ConsumerAddress source, Throwable cause) {
        long last = warned.get();
        long now = System.nanoTime();
        if (now - last >= MINUTE && warned.compareAndSet(last, now)) {
            LOG.warn(
                    "address {}: a message that cannot be opened goes back to the broker and not to the quarantine; the"
                            + " user of this connection needs the permission 'send' for the quarantine address,"
                            + " which must exist (default {}): {}",
                    PrintableText.quoted(source.toString()),
                    OpenFailures.QUARANTINE,
                    PrintableText.of(cause.getMessage(), PrintableText.LONGEST_REASON));
        }
    }

    /** Closes what a context needs; a connection closes its sessions itself. */
    public synchronized void close() {
        if (connection instanceof JMSContext) {
            closed = true;
            closeOwn();
        }
    }

    private synchronized void closeOwn() {
        try {
            if (ownContext != null) {
                ownContext.close();
            } else if (own != null) {
                own.close();
            }
        } catch (JMSException | RuntimeException e) { // a listener must not close sessions of its connection
            LOG.debug("quarantine: its session was not closed: {}", e.getClass());
        }
        own = null;
        ownContext = null;
    }
}
