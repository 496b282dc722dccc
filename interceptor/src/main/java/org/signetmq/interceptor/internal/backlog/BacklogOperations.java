/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.backlog;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.api.core.ActiveMQIllegalStateException;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.persistence.OperationContext;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.postoffice.Binding;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.Queue;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.audit.AuditLog;
import org.signetmq.interceptor.internal.audit.AuditLog.Author;
import org.signetmq.interceptor.internal.control.Authority;
import org.signetmq.interceptor.internal.control.ControlAnswers;
import org.signetmq.interceptor.internal.gate.MessageGate;
import org.signetmq.keystore.PrintableText;

/**
 * Answers the operations of the control that seal the messages of a queue, by JSON. One job runs at a time: a new job
 * ends the former one. Thread-safe.
 *
 * <p>The plugin takes messages from the queue as a consumer does, and puts sealed copies at its end. Copies and
 * acknowledgements are one transaction. So a broker that is killed has each message once, in clear or sealed, and a new
 * job goes on.
 */
public final class BacklogOperations {
    /** The greatest number of messages in a step. */
    static final int MOST_IN_STEP = 1000;

    /** The time after which a step begins nothing new. The client waits for its answer. */
    private static final long LONG_STEP = TimeUnit.SECONDS.toNanos(10);

    private static final long PATIENCE_MILLIS = TimeUnit.SECONDS.toMillis(30);

    private final ActiveMQServer server;
    private final MessageGate gate;
    private final Authority authority;
    private final AuditLog audit;
    private @Nullable BacklogJob job; // guarded by this
    private String id = "";

    /** Makes the operations of a broker. */
    public BacklogOperations(ActiveMQServer server, MessageGate gate, Authority authority, AuditLog audit) {
        this.server = server;
        this.gate = gate;
        this.authority = authority;
        this.audit = audit;
    }

    /** Returns the queues of an address with the numbers of their messages. */
    public String listQueues(String address) throws Exception {
        authority.requireView("listQueues");
        ObjectNode answer = ControlAnswers.empty().put("address", address);
        ArrayNode queues = answer.putArray("queues");
        for (Queue queue : server.getPostOffice().listQueuesForAddress(SimpleString.of(address))) {
            queues.addObject()
                    .put("queue", queue.getName().toString())
                    .put("messages", queue.getMessageCount())
                    .put("scheduled", queue.getScheduledCount())
                    .put("delivering", queue.getDeliveringCount());
        }
        return answer.toString();
    }

    /** Begins a job for the messages that lie in a queue now, or says why the queue is refused. */
    public synchronized String beginBacklog(String queue) throws Exception {
        authority.requireEdit("beginBacklog");
        Queue found = server.locateQueue(SimpleString.of(queue));
        if (found == null) {
            throw new IllegalArgumentException(
                    "queue " + PrintableText.of(queue, PrintableText.LONGEST_NAME) + ": the broker has no such queue");
        }
        BacklogJob begun;
        try {
            begun = BacklogJob.of(new QueueMessages(server, found, gate.backlog()));
        } catch (ActiveMQIllegalStateException e) {
            return ControlAnswers.empty().put("refused", e.getMessage()).toString();
        }
        if (job != null) {
            job.close();
        }
        job = begun;
        id = UUID.randomUUID().toString();
        return ControlAnswers.empty()
                .put("job", id)
                .put("address", found.getAddress().toString())
                .put("messages", begun.count())
                .toString();
    }

    /** Seals the next messages of a job, and waits until the disk and the backup have them. */
    public synchronized String sealBacklog(String name, int most) throws Exception {
        Author author = authority.requireEdit("sealBacklog");
        BacklogJob current = required(name);
        Queue queue = current.queue();
        Binding binding = server.getPostOffice().getBinding(queue.getName());
        if (binding == null || binding.getBindable() != queue) {
            throw new IllegalArgumentException("the queue was deleted; begin again");
        }
        BacklogJob.requireSuited(queue);
        BacklogJob.Step step = step(current, most);
        durably(server, () -> {
            if (current.begin()) {
                audit.sealingBegun(audited(current), author);
            }
            step.seal();
        });
        if (current.remaining() == 0) {
            audit.sealingEnded(audited(current), author, current.sealed());
        }
        return told(step);
    }

    /** Work on the storage. */
    @FunctionalInterface
    interface Work {
        void run() throws Exception;
    }

    /** Runs work on the storage, and waits until the disk and the backup have it. */
    static void durably(ActiveMQServer server, Work work) throws Exception {
        StorageManager storage = server.getStorageManager();
        OperationContext before = storage.getContext();
        // not on the thread of the journal, which must never wait for the lock of a queue
        storage.setContext(storage.newContext(server.getExecutorFactory().getExecutor()));
        try {
            work.run();
            if (!storage.waitOnOperations(PATIENCE_MILLIS)) {
                throw new IllegalStateException("disk or backup did not answer within "
                        + TimeUnit.MILLISECONDS.toSeconds(PATIENCE_MILLIS) + " seconds; run the command again");
            }
        } finally {
            storage.setContext(before);
        }
    }

    private static AuditLog.SealedQueue audited(BacklogJob job) {
        Queue queue = job.queue();
        return new AuditLog.SealedQueue(
                queue.getAddress().toString(), queue.getName().toString(), job.count());
    }

    private static BacklogJob.Step step(BacklogJob current, int most) {
        return current.step(Math.max(1, Math.min(most, MOST_IN_STEP)), System.nanoTime() + LONG_STEP);
    }

    /** Judges the next messages of a job, and changes nothing. */
    public synchronized String judgeBacklog(String name, int most) throws Exception {
        authority.requireEdit("judgeBacklog");
        BacklogJob current = required(name);
        QueueWalk.awaitRouted(current.queue());
        BacklogJob.Step step = step(current, most);
        step.judge();
        return told(step);
    }

    private BacklogJob required(String name) {
        BacklogJob current = job;
        if (current == null || !id.equals(name)) {
            throw new IllegalArgumentException("no such job; a later one has ended it, or the broker has restarted");
        }
        return current;
    }

    private String told(BacklogJob.Step step) {
        return step.writeTo(ControlAnswers.empty().put("job", id)).toString();
    }
}
