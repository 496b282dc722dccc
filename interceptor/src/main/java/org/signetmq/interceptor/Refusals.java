/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import java.time.Clock;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQInternalErrorException;
import org.apache.activemq.artemis.api.core.ActiveMQSecurityException;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.server.LargeServerMessage;
import org.apache.activemq.artemis.core.transaction.Transaction;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.EnvelopeException;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.KeystoreUnusableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns whatever went wrong with a message into the broker's own exception, and leaves nothing of the message behind.
 */
final class Refusals {
    private static final Logger LOG = LoggerFactory.getLogger(SignetPlugin.class);

    private final Counters counters;
    private final RejectionLog log;

    Refusals(Counters counters, Clock clock) {
        this.counters = counters;
        this.log = new RejectionLog(clock);
    }

    /**
     * What is refused.
     *
     * @param message the message
     * @param user who sent it, if known
     * @param transaction as part of which, or null
     */
    record Subject(
            Message message,
            @Nullable String user,
            @Nullable Transaction transaction) {}

    /**
     * The exception to throw. The transaction cannot commit any more, and the file of a large message is gone. Throws
     * nothing itself: the broker would take the message.
     */
    ActiveMQException refuse(Throwable problem, Subject subject) {
        counters.countRejected();
        ActiveMQException refusal = BridgedMessage.refusal(subject.message(), translate(problem, subject));
        try {
            if (subject.transaction() != null) {
                subject.transaction().markAsRollbackOnly(refusal);
            }
            if (!(problem instanceof NotReadyException)) {
                log.say(address(subject.message()), subject.user(), String.valueOf(refusal.getMessage()));
            }
        } catch (Throwable e) {
            LOG.error("after a refusal: {}", e.getClass().getName());
        }
        deleteFile(subject.message());
        return refusal;
    }

    /** Whether a send failed for a refusal while the message was routed, where its copy was refused and not itself. */
    static boolean isRefusal(Exception problem) {
        return problem.getCause() instanceof RefusedException;
    }

    /** Nobody else deletes the file of a large message that a plugin refused. */
    static void deleteFile(Message message) {
        if (message.isLargeMessage() && message instanceof LargeServerMessage large) {
            try {
                large.deleteFile();
            } catch (Throwable e) {
                LOG.error(
                        "the file of a refused large message could not be deleted: message {}",
                        message.getMessageID(),
                        e);
            }
        }
    }

    private static ActiveMQException translate(Throwable problem, Subject subject) {
        String where = "message to " + RejectionLog.oneLine(address(subject.message())) + " refused: ";
        if (problem instanceof RefusedException
                || problem instanceof KeystoreUnusableException
                || problem instanceof CertificateRejectedException
                || problem instanceof EnvelopeException) {
            ActiveMQException refusal = new ActiveMQSecurityException(where + problem.getMessage());
            refusal.initCause(
                    problem instanceof RefusedException
                            ? problem
                            : new RefusedException(String.valueOf(problem.getMessage())));
            return refusal;
        }
        if (problem instanceof ActiveMQException fromBroker) {
            return fromBroker;
        }
        // its text may hold anything, so the text stays here
        LOG.error(
                "unexpected {} while protecting a message, thrown at {}",
                problem.getClass().getName(),
                origin(problem));
        return new ActiveMQInternalErrorException(
                where + "internal error " + problem.getClass().getName());
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
