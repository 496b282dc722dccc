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
import org.signetmq.interceptor.internal.body.NotReadyException;
import org.signetmq.interceptor.internal.log.PluginLog;
import org.signetmq.interceptor.internal.log.RejectionLog;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.interceptor.internal.status.Counters;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.KeystoreUnusableException;

/** Turns any failure of a message into the broker's own exception, and deletes the rest of the message. */
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
     * Rejects a message: its transaction cannot commit any more, and the file of a large message is gone. Throws no
     * exception itself, even if the heap is full.
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
            // the rejection counts, not its echo
        }
        return rejection;
    }

    /** Rejects a client's session. Throws nothing. The text of an unexpected problem stays with the broker. */
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
     * Tells that a message in clear came to the storage by a road on which the plugin is not asked. Throws nothing.
     *
     * @param outcome the outcome
     */
    public void tellUnjudged(Message message, String outcome) {
        try {
            counters.countUnjudged();
            unjudgedLog.say(
                    outcome,
                    new RejectionLog.Subject(address(message), null),
                    outcome + " at the storage: it came in clear by a road on which Signet was not asked");
        } catch (Throwable pending) {
            // the message is protected nevertheless
        }
    }

    /**
     * Whether a send failed for a rejection while the message was routed, where its copy was rejected and not itself.
     */
    public static boolean isRejection(Exception problem) {
        return problem.getCause() instanceof MessageRejectedException;
    }

    /** Deletes the file of a rejected large message: the broker leaves it. Throws nothing. */
    public static void deleteFile(Message message) {
        try {
            if (message.isLargeMessage() && message instanceof LargeServerMessage large) {
                large.deleteFile();
            }
        } catch (Throwable e) {
            sayThatTheFileStays(message, e);
        }
    }

    private static void sayThatTheFileStays(Message message, Throwable problem) {
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
        // its text may hold anything, so the text stays here
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

    /** Whether the text of the problem was made for people. */
    private static boolean isOurs(Throwable problem) {
        return problem instanceof MessageRejectedException
                || problem instanceof KeystoreUnusableException
                || problem instanceof CertificateRejectedException
                || problem instanceof EnvelopeException;
    }

    /** The key of the log's limit. Texts of the broker name addresses and users, so only their kind counts. */
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
