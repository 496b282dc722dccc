/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.reject;

import java.time.Clock;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQInternalErrorException;
import org.apache.activemq.artemis.api.core.ActiveMQSecurityException;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.server.LargeServerMessage;
import org.apache.activemq.artemis.core.transaction.Transaction;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.EnvelopeException;
import org.signetmq.interceptor.internal.home.NotReadyException;
import org.signetmq.interceptor.internal.log.PluginLog;
import org.signetmq.interceptor.internal.log.RejectionLog;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.interceptor.internal.status.Counters;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.KeystoreUnusableException;

/** Converts failures to exceptions of the broker, and deletes the files of rejected messages. */
public final class Rejections {

    private final Counters counters;
    private final RejectionLog log;
    private final RejectionLog unjudgedLog;

    public Rejections(Counters counters, Clock clock) {
        this.counters = counters;
        this.log = new RejectionLog(clock, "message rejected");
        this.unjudgedLog = new RejectionLog(clock, "message not judged");
    }

    /**
     * Rejects a message. It marks the transaction for rollback, deletes the file of a large message, counts the
     * rejection and logs it. It throws no exception, even if the heap is full.
     *
     * @param user the name of the sender, or null
     * @param transaction the transaction of the message, or null
     * @return the exception to throw
     */
    public ActiveMQException reject(
            Throwable problem, Message message, @Nullable String user, @Nullable Transaction transaction) {
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
            counters.countRejected();
            if (!(problem instanceof NotReadyException)) {
                String reason = isOurs(problem) ? where(message) + problem.getMessage() : rejection.getMessage();
                log.say(cause(problem), new RejectionLog.Subject(address(message), user), String.valueOf(reason));
            }
        } catch (Throwable unsaid) {
            // the rejection itself still takes effect
        }
        return rejection;
    }

    /** Returns the exception that rejects a client's session. It contains no text of an unexpected exception. */
    public ActiveMQException rejectSession(Throwable problem) {
        try {
            if (problem instanceof MessageRejectedException) {
                return new ActiveMQSecurityException(ClientText.of(String.valueOf(problem.getMessage())));
            }
            PluginLog.LOG.error(
                    "unexpected {} while a session began, thrown at {}",
                    problem.getClass().getName(),
                    origin(problem));
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
            counters.countUnjudged();
            unjudgedLog.say(
                    outcome,
                    new RejectionLog.Subject(address(message), null),
                    outcome + " at the storage: it was in clear, and the broker had not asked Signet about it");
        } catch (Throwable pending) {
            // the message is protected nevertheless
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

    private static ActiveMQException translate(Throwable problem, Message message) {
        String where = where(message);
        if (isOurs(problem)) {
            String told = ClientText.of(String.valueOf(problem.getMessage()));
            ActiveMQException rejection = new ActiveMQSecurityException(where + told);
            rejection.initCause(new MessageRejectedException(told));
            return rejection;
        }
        if (problem instanceof ActiveMQException fromBroker) {
            return fromBroker;
        }
        // its text may contain secrets, so the client does not receive it
        PluginLog.LOG.error(
                "unexpected {} while protecting a message, thrown at {}",
                problem.getClass().getName(),
                origin(problem));
        return new ActiveMQInternalErrorException(
                where + "internal error " + problem.getClass().getName());
    }

    private static String where(Message message) {
        return "message to " + RejectionLog.oneLine(address(message)) + " rejected: ";
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

    private static String origin(Throwable problem) {
        StackTraceElement[] trace = problem.getStackTrace();
        return trace.length == 0 ? "an unknown place" : trace[0].toString();
    }
}
