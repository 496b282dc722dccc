/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.reject;

import java.time.Clock;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQInternalErrorException;
import org.apache.activemq.artemis.api.core.ActiveMQSecurityException;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.server.LargeServerMessage;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.apache.activemq.artemis.core.transaction.Transaction;
import org.apache.activemq.artemis.spi.core.protocol.RemotingConnection;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.EnvelopeException;
import org.signetmq.interceptor.internal.audit.AuditLog;
import org.signetmq.interceptor.internal.audit.RejectionReason;
import org.signetmq.interceptor.internal.home.NotReadyException;
import org.signetmq.interceptor.internal.log.PluginLog;
import org.signetmq.interceptor.internal.log.RejectionLog;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.interceptor.internal.status.MessageRecords;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrintableText;

/** Converts failures to exceptions of the broker, and deletes the files of rejected messages. */
public final class Rejections {
    private static final String UNWRITABLE =
            "a large message to a protected address, which this version of Artemis would write in clear";

    private final MessageRecords records;
    private final RejectionLog log;
    private final RejectionLog unjudgedLog;

    public Rejections(MessageRecords records, Clock clock) {
        this.records = records;
        var unused = ReasonOf.failure(PreparedRejections.FOR_CLIENT); // loads its class while there is memory
        this.log = new RejectionLog(clock, "message rejected");
        this.unjudgedLog = new RejectionLog(clock, "message not judged");
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
        ActiveMQException rejection = PreparedRejections.FOR_CLIENT;
        try {
            rejection = BridgedMessage.rejection(message, PreparedRejections.FOR_CLIENT);
            rejection = BridgedMessage.rejection(message, translate(problem, message));
        } catch (Throwable prepared) {
            // the prepared rejection stands
        }
        endTransaction(transaction, rejection);
        deleteFile(message);
        try {
            RejectionReason kind = ReasonOf.failure(problem);
            records.counters().countRejected(kind);
            String user = session == null ? null : session.getValidatedUser();
            if (!(problem instanceof NotReadyException)) {
                String reason = isOurs(problem) ? where(message) + problem.getMessage() : rejection.getMessage();
                log.say(cause(problem), new RejectionLog.Subject(address(message), user), String.valueOf(reason));
            }
            records.audit()
                    .messageRejected(
                            kind,
                            cause(problem),
                            new AuditLog.Rejected(address(message), user, from(session)),
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
                            ReasonOf.failure(problem),
                            cause(problem),
                            new AuditLog.Rejected(null, null, connection.getRemoteAddress()),
                            String.valueOf(rejection.getMessage()));
        } catch (Throwable unsaid) {
            // the rejection itself still takes effect
        }
        return rejection;
    }

    private ActiveMQException sessionRejection(Throwable problem) {
        try {
            if (problem instanceof MessageRejectedException) {
                return new ActiveMQSecurityException(ClientText.of(String.valueOf(problem.getMessage())));
            }
            log.sayUnexpected(problem, "while a session began");
            return new ActiveMQSecurityException(
                    "session rejected: internal error " + problem.getClass().getName());
        } catch (Throwable prepared) {
            return PreparedRejections.FOR_CLIENT;
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
                    new RejectionLog.Subject(address(message), null),
                    outcome + " at the storage: it was in clear, and the broker had not asked Signet about it");
        } catch (Throwable pending) {
            // the message is protected nevertheless
        }
    }

    /**
     * Counts and audits a large message that ends its connection, because the broker would write it in clear. It throws
     * no exception.
     */
    public void reportUnwritable(RemotingConnection connection) {
        try {
            records.counters().countRejected(RejectionReason.UNPROTECTABLE);
            records.audit()
                    .messageRejected(
                            RejectionReason.UNPROTECTABLE,
                            UNWRITABLE,
                            new AuditLog.Rejected(null, null, connection.getRemoteAddress()),
                            UNWRITABLE);
        } catch (Throwable unsaid) {
            // the connection ends nevertheless
        }
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
            String told = ClientText.of(String.valueOf(problem.getMessage()));
            ActiveMQException rejection = new ActiveMQSecurityException(where + told);
            rejection.initCause(new MessageRejectedException(ReasonOf.failure(problem), told));
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

    /** Returns whether the exception is one of Signet, whose text contains no secrets. */
    private static boolean isOurs(Throwable problem) {
        return problem instanceof MessageRejectedException
                || problem instanceof KeystoreUnusableException
                || problem instanceof CertificateRejectedException
                || problem instanceof EnvelopeException;
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
}
