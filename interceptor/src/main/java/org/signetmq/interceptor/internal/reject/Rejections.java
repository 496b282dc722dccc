/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.reject;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.WeakHashMap;
import java.util.regex.Pattern;
import org.apache.activemq.artemis.api.core.ActiveMQAddressFullException;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQInternalErrorException;
import org.apache.activemq.artemis.api.core.ActiveMQSecurityException;
import org.apache.activemq.artemis.api.core.ICoreMessage;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.protocol.stomp.StompFrame;
import org.apache.activemq.artemis.core.protocol.stomp.StompFrameInterceptor;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.LargeServerMessage;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.apache.activemq.artemis.core.transaction.Transaction;
import org.apache.activemq.artemis.spi.core.protocol.RemotingConnection;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.AddressMismatchException;
import org.signetmq.envelope.exception.EnvelopeException;
import org.signetmq.envelope.exception.NotARecipientException;
import org.signetmq.envelope.exception.PolicyViolationException;
import org.signetmq.envelope.exception.SenderMismatchException;
import org.signetmq.envelope.exception.SignerNotAuthorizedException;
import org.signetmq.envelope.exception.SignerRejectedException;
import org.signetmq.envelope.exception.UnprotectedMessageException;
import org.signetmq.interceptor.internal.audit.RejectionReason;
import org.signetmq.interceptor.internal.home.Readiness.NotReadyException;
import org.signetmq.interceptor.internal.log.PluginLog;
import org.signetmq.interceptor.internal.log.RejectionLog;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.interceptor.internal.status.Counters.MessageRecords;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrintableText;

/** Converts failures to exceptions of the broker, and deletes the files of rejected messages. Thread-safe. */
@SuppressWarnings("StaticAssignmentOfThrowable") // the prepared ones must exist before the heap is full
public final class Rejections {
    private static final String SHORT_OF_MEMORY =
            "message rejected: Signet could not protect it, and could not say why; the broker is short of memory";

    /**
     * The rejection for a full heap, which cannot hold a new exception. The broker stores a message if its plugin
     * throws an exception that is no {@link ActiveMQException}. All threads share it, so it has no stack trace.
     */
    public static final ActiveMQException PREPARED = bare(new ActiveMQSecurityException(SHORT_OF_MEMORY));

    /** The same for a bridge. */
    private static final ActiveMQException PREPARED_FOR_BRIDGE =
            bare(new ActiveMQAddressFullException(SHORT_OF_MEMORY));

    /** The text for a client in place of a reason with a path. */
    public static final String WITHOUT_PATH =
            "Signet cannot use its keys or policies at the moment; the broker's log and signet"
                    + " broker status say why";

    /** The beginning of an absolute path: a slash outside of a word, a drive, or two backslashes. */
    private static final Pattern PATH = Pattern.compile("(?<![\\p{L}\\p{N}._-])(/[^\\s\"']|[A-Za-z]:[\\\\/]|\\\\\\\\)");

    /** An address of a revocation list or OCSP responder, which a certificate names and so is no secret. */
    private static final Pattern WEB = Pattern.compile("\\bhttp://[\\p{L}\\p{N}.\\[][^\\s\"']*");

    /** The kinds of reasons of Signet's own exceptions, the special ones first. Their texts contain no secrets. */
    private static final List<Map.Entry<Class<? extends Throwable>, RejectionReason>> REASONS = List.of(
            Map.entry(CertificateRejectedException.class, RejectionReason.CERTIFICATE),
            Map.entry(KeystoreUnusableException.class, RejectionReason.KEY),
            Map.entry(AddressMismatchException.class, RejectionReason.ADDRESS_MISMATCH),
            Map.entry(NotARecipientException.class, RejectionReason.RECIPIENT),
            Map.entry(PolicyViolationException.class, RejectionReason.POLICY_VIOLATION),
            Map.entry(SenderMismatchException.class, RejectionReason.SENDER),
            Map.entry(SignerRejectedException.class, RejectionReason.CERTIFICATE),
            Map.entry(SignerNotAuthorizedException.class, RejectionReason.SIGNER),
            Map.entry(UnprotectedMessageException.class, RejectionReason.NOT_SEALED),
            Map.entry(EnvelopeException.class, RejectionReason.ENVELOPE));

    private final MessageRecords records;
    private final RejectionLog log;
    private final RejectionLog unjudgedLog;
    private final RejectionLog quarantineLog;

    public Rejections(MessageRecords records, Clock clock) {
        this.records = records;
        this.log = new RejectionLog(clock, "message rejected");
        this.unjudgedLog = new RejectionLog(clock, "message not judged");
        this.quarantineLog = new RejectionLog(clock, "message quarantined");
    }

    /**
     * Rejects a message. It marks the transaction for rollback, deletes the file of a large message, counts the
     * rejection, logs and audits it. It throws no exception, even if the heap is full.
     *
     * @param session the session of the sender, or null
     * @param transaction the transaction of the message, or null
     * @return the exception to throw
     */
    public ActiveMQException reject(
            Throwable problem, Message message, @Nullable ServerSession session, @Nullable Transaction transaction) {
        ActiveMQException rejection = PREPARED;
        try {
            rejection = forSender(message, PREPARED);
            rejection = forSender(message, translate(problem, message));
        } catch (Throwable prepared) {
            // the prepared rejection stands
        }
        endTransaction(transaction, rejection);
        deleteFile(message);
        try {
            RejectionReason kind = reasonOf(problem);
            records.counters().countRejected(kind);
            String user = session == null ? null : session.getValidatedUser();
            RejectionLog.Subject subject = new RejectionLog.Subject(address(message), user, from(session));
            if (!(problem instanceof NotReadyException)) {
                String reason = isOurs(problem) ? where(message) + problem.getMessage() : rejection.getMessage();
                log.say(cause(problem), subject, String.valueOf(reason));
            }
            records.audit()
                    .messageRejected(
                            kind,
                            cause(problem),
                            subject,
                            String.valueOf(isOurs(problem) ? problem.getMessage() : rejection.getMessage()));
        } catch (Throwable unsaid) {
            // the rejection itself still takes effect
        }
        return rejection;
    }

    /**
     * Rejects a session of a client, and audits that: none of its messages arrives. It throws no exception.
     *
     * @param connection the connection of the client
     * @return the exception to throw, without the text of an unexpected exception
     */
    public ActiveMQException rejectSession(Throwable problem, RemotingConnection connection) {
        ActiveMQException rejection = sessionRejection(problem);
        try {
            records.audit()
                    .messageRejected(
                            reasonOf(problem),
                            cause(problem),
                            new RejectionLog.Subject(null, null, connection.getRemoteAddress()),
                            String.valueOf(rejection.getMessage()));
        } catch (Throwable unsaid) {
            // the rejection itself still takes effect
        }
        return rejection;
    }

    private ActiveMQException sessionRejection(Throwable problem) {
        try {
            if (problem instanceof MessageRejectedException) {
                return new ActiveMQSecurityException(withoutPath(String.valueOf(problem.getMessage())));
            }
            log.sayUnexpected(problem, "while a session began");
            return new ActiveMQSecurityException(
                    "session rejected: internal error " + problem.getClass().getName());
        } catch (Throwable prepared) {
            return PREPARED;
        }
    }

    private static void endTransaction(@Nullable Transaction transaction, ActiveMQException rejection) {
        try {
            if (transaction != null) {
                transaction.markAsRollbackOnly(rejection);
            }
        } catch (Throwable stillOpen) {
            // the send fails nevertheless, and the broker stores only routed messages
        }
    }

    /**
     * Counts and logs a clear message at the storage about which the broker had not asked the plugin. It throws no
     * exception.
     *
     * @param outcome {@code sealed} or {@code rejected}
     */
    public void reportUnjudged(Message message, String outcome) {
        try {
            records.counters().countUnjudged();
            unjudgedLog.say(
                    outcome,
                    new RejectionLog.Subject(address(message), null, null),
                    outcome + " at the storage: it was in clear, and the broker had not asked Signet about it");
        } catch (Throwable pending) {
            // the message is protected nevertheless
        }
    }

    /**
     * Logs and audits a message that the broker moved, and that lies in quarantine now. It throws no exception.
     *
     * @param target the address whose policy it does not satisfy
     */
    public void quarantined(Throwable problem, Message message, String target) {
        try {
            String text = "moved to " + PrintableText.word(target) + ", goes into quarantine: " + problem.getMessage();
            quarantineLog.say(cause(problem), new RejectionLog.Subject(address(message), null, null), text);
            records.audit()
                    .messageQuarantined(
                            reasonOf(problem), cause(problem), new RejectionLog.Subject(target, null, null), text);
        } catch (Throwable unsaid) {
            // the message lies there nevertheless
        }
    }

    /**
     * Returns the reason why a message does not satisfy a policy, as consumers note it in quarantine; empty if the
     * problem is one of the broker, which may end.
     */
    public static Optional<String> reasonToQuarantine(Throwable problem) {
        if (!isOurs(problem)) {
            return Optional.empty();
        }
        return Optional.ofNullable(
                switch (reasonOf(problem)) {
                    case ENVELOPE -> "malformed";
                    case RECIPIENT -> "not-a-recipient";
                    case CERTIFICATE -> "signer-rejected";
                    case SIGNER -> "signer-not-authorized";
                    case ADDRESS_MISMATCH -> "address-mismatch";
                    case SENDER, POLICY_VIOLATION, NOT_SEALED -> "policy-violation";
                    default -> null;
                });
    }

    /** Returns whether a send failed because the plugin rejected a copy of the message. */
    public static boolean isRejection(Exception problem) {
        return problem.getCause() instanceof MessageRejectedException;
    }

    /** Deletes the file of a rejected large message, which the broker leaves. It throws no exception. */
    public static void deleteFile(Message message) {
        try {
            if (message.isLargeMessage() && message instanceof LargeServerMessage large) {
                large.deleteFile();
            }
        } catch (Throwable e) {
            logRemainingFile(message, e);
        }
    }

    private static void logRemainingFile(Message message, Throwable problem) {
        try {
            PluginLog.LOG.error(
                    "the file of a rejected large message could not be deleted: message {}",
                    message.getMessageID(),
                    problem);
        } catch (Throwable unsaid) {
            // the broker deletes it at its next start
        }
    }

    private ActiveMQException translate(Throwable problem, Message message) {
        String where = where(message);
        if (isOurs(problem)) {
            String told = withoutPath(String.valueOf(problem.getMessage()));
            ActiveMQException rejection = new ActiveMQSecurityException(where + told);
            rejection.initCause(new MessageRejectedException(reasonOf(problem), told));
            return rejection;
        }
        if (problem instanceof ActiveMQException fromBroker) {
            return fromBroker;
        }
        // its text may contain secrets, so the client does not receive it
        log.sayUnexpected(problem, "while protecting a message");
        return new ActiveMQInternalErrorException(
                where + "internal error " + problem.getClass().getName());
    }

    private static String where(Message message) {
        return "message to " + PrintableText.word(address(message)) + " rejected: ";
    }

    private static ActiveMQException bare(ActiveMQException rejection) {
        rejection.setStackTrace(new StackTraceElement[0]);
        return rejection;
    }

    /**
     * Returns the rejection in the form that the sender of this message needs. A core bridge or another node of a
     * cluster keeps its message and tries again only after the rejection of a full address. After any other rejection
     * it drops the message.
     */
    private static ActiveMQException forSender(Message message, ActiveMQException rejection) {
        if (!isBridged(message)) {
            return rejection;
        }
        if (rejection == PREPARED) {
            return PREPARED_FOR_BRIDGE;
        }
        ActiveMQException kept = new ActiveMQAddressFullException(rejection.getMessage());
        kept.initCause(rejection.getCause() == null ? rejection : rejection.getCause());
        return kept;
    }

    /** Returns whether the message has the marks of a bridge. A producer that sets them gets the other error only. */
    private static boolean isBridged(Message message) {
        try {
            boolean embedded = message instanceof ICoreMessage core && core.getType() == Message.EMBEDDED_TYPE;
            return embedded || message.getExtraBytesProperty(Message.HDR_BRIDGE_DUPLICATE_ID) != null;
        } catch (RuntimeException undecodable) {
            return false;
        }
    }

    /** Returns the reason for a client, to which paths of the broker are not told. The log has the whole reason. */
    static String withoutPath(String reason) {
        return PATH.matcher(WEB.matcher(reason).replaceAll("")).find() ? WITHOUT_PATH : reason;
    }

    /** Returns the kind of reason for this failure. It never throws. */
    static RejectionReason reasonOf(Throwable problem) {
        RejectionReason own = ownReason(problem);
        if (own != null) {
            return own;
        }
        if (problem.getCause() instanceof MessageRejectedException copy) { // the plugin rejected a copy of the message
            return copy.reason();
        }
        if (problem instanceof ActiveMQSecurityException) {
            return RejectionReason.NO_PERMISSION;
        }
        return problem instanceof ActiveMQException ? RejectionReason.BROKER : RejectionReason.INTERNAL;
    }

    /** Returns the kind of reason of one of Signet's exceptions; null for another one. */
    private static @Nullable RejectionReason ownReason(Throwable problem) {
        if (problem instanceof MessageRejectedException rejected) {
            return rejected.reason();
        }
        for (Map.Entry<Class<? extends Throwable>, RejectionReason> entry : REASONS) {
            if (entry.getKey().isInstance(problem)) {
                return entry.getValue();
            }
        }
        return null;
    }

    /** Returns whether the exception is one of Signet, whose text contains no secrets. */
    private static boolean isOurs(Throwable problem) {
        return ownReason(problem) != null;
    }

    /** Returns the key of the log's limit. Texts of the broker contain addresses and users, so it uses their type. */
    private static String cause(Throwable problem) {
        return isOurs(problem)
                ? String.valueOf(problem.getMessage())
                : problem instanceof ActiveMQException fromBroker
                        ? fromBroker.getType().name()
                        : problem.getClass().getName();
    }

    private static @Nullable String address(Message message) {
        try {
            return message.getAddress();
        } catch (Throwable undecodable) {
            return null;
        }
    }

    private static @Nullable String from(@Nullable ServerSession session) {
        RemotingConnection connection = session == null ? null : session.getRemotingConnection();
        return connection == null ? null : connection.getRemoteAddress();
    }

    /**
     * Keeps the reasons of rejections for STOMP clients until an ERROR frame carries them. The broker itself writes
     * there only that a message could not be sent. Each connection has its own reasons, in the order of its messages.
     * Thread-safe.
     */
    public static final class StompReasons {
        private static final String STOMP = "STOMP";

        /** The largest number of reasons of a connection, which sends one message after the other. */
        private static final int MOST_OF_CONNECTION = 16;

        private final Map<RemotingConnection, Queue<String>> reasons = new WeakHashMap<>(); // guarded by this

        /** Keeps the reason if the session belongs to a STOMP client. */
        public void keep(@Nullable ServerSession session, @Nullable String reason) {
            RemotingConnection connection = session == null ? null : session.getRemotingConnection();
            if (connection == null || reason == null || !STOMP.equals(connection.getProtocolName())) {
                return;
            }
            synchronized (this) {
                Queue<String> pending = reasons.computeIfAbsent(connection, first -> new ArrayDeque<>());
                if (pending.size() < MOST_OF_CONNECTION) {
                    pending.add(reason);
                }
            }
        }

        /** Removes and returns the oldest reason of a connection; null if it has none. */
        private synchronized @Nullable String take(RemotingConnection connection) {
            Queue<String> pending = reasons.get(connection);
            String reason = pending == null ? null : pending.poll();
            if (pending != null && pending.isEmpty()) {
                reasons.remove(connection);
            }
            return reason;
        }

        /**
         * Adds the reasons to frames from now on. The result ends that.
         *
         * @throws LinkageError if the broker has no STOMP protocol
         */
        public AutoCloseable install(ActiveMQServer server) {
            Frames installed = new Frames(this);
            server.getRemotingService().addOutgoingInterceptor(installed);
            return () -> server.getRemotingService().removeOutgoingInterceptor(installed);
        }

        /** Adds the reason to an ERROR frame. This class is loaded only where the broker has the STOMP protocol. */
        private record Frames(StompReasons reasons) implements StompFrameInterceptor {
            private static final String ERROR = "ERROR";
            private static final String MESSAGE = "message";

            /** The broker's code for a message that could not be sent. */
            private static final String NOT_SENT = "AMQ339011";

            @Override
            public boolean intercept(StompFrame frame, RemotingConnection connection) {
                try {
                    boolean notSent = ERROR.equals(frame.getCommand())
                            && String.valueOf(frame.getHeader(MESSAGE)).startsWith(NOT_SENT);
                    String reason = notSent ? reasons.take(connection) : null;
                    if (reason != null) {
                        frame.addHeader("content-type", "text/plain");
                        frame.setByteBody(reason.getBytes(StandardCharsets.UTF_8));
                    }
                } catch (Throwable e) { // the client still receives the broker's text
                    PluginLog.LOG.debug("a STOMP client does not receive the reason of its rejection", e);
                }
                return true;
            }
        }
    }
}
