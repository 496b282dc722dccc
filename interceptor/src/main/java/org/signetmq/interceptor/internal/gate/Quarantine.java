/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.gate;

import java.io.InputStream;
import java.io.OutputStream;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.postoffice.Bindings;
import org.apache.activemq.artemis.core.postoffice.QueueBinding;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.Queue;
import org.apache.activemq.artemis.core.server.RoutingContext;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.QuarantineNote;
import org.signetmq.interceptor.internal.audit.RejectionReason;
import org.signetmq.interceptor.internal.body.AmqpLargeBody;
import org.signetmq.interceptor.internal.large.StoredBody;
import org.signetmq.interceptor.internal.log.PluginLog;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.interceptor.internal.protect.MessageSealer;
import org.signetmq.interceptor.internal.protect.PolicyResolver;
import org.signetmq.interceptor.internal.reject.Rejections;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.Policy.OpenFailures;
import org.signetmq.policy.PolicySet;

/**
 * The addresses for messages that cannot be opened. The broker makes them, checks what consumers send there, and puts
 * sealed messages there that it moves to an address whose policy they do not satisfy. Thread-safe.
 */
public final class Quarantine {
    private static final byte[] ID_PREFIX =
            SimpleString.of(QuarantineNote.ID_PREFIX).getData();

    private final ActiveMQServer server;
    private final PolicyResolver resolver;
    private final Rejections rejections;

    /** The addresses that were made. */
    private volatile Set<String> made = Set.of();

    Quarantine(ActiveMQServer server, PolicyResolver resolver, Rejections rejections) {
        this.server = server;
        this.resolver = resolver;
        this.rejections = rejections;
    }

    /** Returns the addresses, in their order; empty if no policy protects messages. */
    public Set<String> addresses() {
        return resolver.policies().map(PolicySet::quarantines).orElse(Set.of());
    }

    /** Returns the queues of all addresses, each once. */
    public List<Queue> queues() {
        return addresses().stream()
                .flatMap(address -> queues(address).stream())
                .distinct()
                .toList();
    }

    /** Returns the number of messages in all of them. */
    public long messages() {
        return queues().stream().mapToLong(Queue::getMessageCount).sum();
    }

    private List<Queue> queues(String address) {
        try {
            return server.getPostOffice().listQueuesForAddress(SimpleString.of(address));
        } catch (Exception gone) {
            return List.of();
        }
    }

    /** Makes each address that has no durable queue, so that the broker drops no message there. It throws nothing. */
    public synchronized void make() {
        Set<String> wanted = addresses();
        if (wanted.equals(made)) {
            return;
        }
        Set<String> ready = new TreeSet<>();
        for (String address : wanted) {
            try {
                if (queues(address).stream().noneMatch(Queue::isDurable)) {
                    server.createQueue(
                            QueueConfiguration.of(address)
                                    .setAddress(address)
                                    .setRoutingType(RoutingType.ANYCAST)
                                    .setDurable(true)
                                    .setAutoCreated(false)
                                    .setAutoDelete(false),
                            true);
                }
                ready.add(address);
            } catch (Exception | LinkageError e) {
                PluginLog.LOG.error(
                        "the quarantine {} could not be made; consumers cannot put messages there", address, e);
            }
        }
        made = ready;
    }

    /**
     * Checks a message at a quarantine. Its duplicate identifier must be that of a note for this very message:
     * otherwise a stranger could use up the identifier of another, and the broker would drop that.
     *
     * @throws MessageRejectedException if it must not lie there
     */
    void require(Message message, SimpleString address) throws Exception {
        if (resolver.rejectsClear(address) && !StoredBody.looksSealed(message)) {
            throw new MessageRejectedException(RejectionReason.NO_POLICY, "in clear, and no policy covers the address");
        }
        if (hasIdentifier(message)
                && !Arrays.equals(
                        message.getDuplicateIDBytes(),
                        SimpleString.of(duplicateId(message)).getData())) {
            throw new MessageRejectedException(
                    RejectionReason.POLICY_VIOLATION,
                    "quarantine: " + QuarantineNote.DUPLICATE_ID + " is not that of this message and its origin");
        }
    }

    /** Returns whether the duplicate identifier of a message has the form of those of notes. */
    static boolean hasIdentifier(Message message) {
        byte[] id = message.getDuplicateIDBytes();
        return id != null
                && id.length >= ID_PREFIX.length
                && Arrays.equals(id, 0, ID_PREFIX.length, ID_PREFIX, 0, ID_PREFIX.length);
    }

    private static String duplicateId(Message message) throws Exception {
        return QuarantineNote.duplicateId(name -> text(message, name), digest(message));
    }

    /** Returns the SHA-256 digest of the bytes of a message. */
    public static byte[] digest(Message message) throws Exception {
        MessageDigest digest = CryptoProviders.digest("SHA-256");
        try (InputStream body = new DigestInputStream(body(message), digest)) {
            body.transferTo(OutputStream.nullOutputStream());
        }
        return digest.digest();
    }

    /** Opens the bytes of a message that may be an envelope; none for another kind of body. */
    public static InputStream body(Message message) throws Exception {
        return StoredBody.of(message).orElseGet(InputStream::nullInputStream);
    }

    private static @Nullable String text(Message message, String property) {
        Object value = message.getObjectProperty(property);
        return value == null ? null : value.toString();
    }

    /**
     * Puts a sealed message that the broker moves into quarantine, in place of the address whose policy it does not
     * satisfy. The broker then stores it there in the transaction that removes it from its queue.
     *
     * @return whether it goes there; false for a message of a client, a clear one, and one without a queue to go to
     */
    boolean takes(Message message, RoutingContext context, Exception unfit) {
        try {
            Object from = message.getBrokerProperty(Message.HDR_ORIGINAL_ADDRESS);
            SimpleString target = context.getAddress(message);
            String reason = Rejections.reasonToQuarantine(unfit).orElse(null);
            if (from == null
                    || reason == null
                    || target == null
                    || context.getQueueCount() == 0
                    || context.getMirrorSource() != null
                    || resolver.isQuarantine(target)
                    || AmqpLargeBody.isOf(message) // its properties lie in its file
                    || !StoredBody.looksSealed(message)) {
                return false;
            }
            Optional<EffectivePolicy> policy = resolver.policy(target);
            String address = policy.map(found -> found.policy().openFailures())
                    .orElse(OpenFailures.DEFAULT)
                    .quarantineAddress();
            Bindings bindings = server.getPostOffice().lookupBindingsForAddress(SimpleString.of(address));
            if (bindings == null) {
                return false;
            }
            note(message, from.toString(), target.toString(), policy);
            message.putStringProperty(QuarantineNote.REASON, reason);
            message.putStringProperty(QuarantineNote.DUPLICATE_ID, duplicateId(message));
            message.setAddress(SimpleString.of(address));
            message.setRoutingType(null);
            message.removeExtraBytesProperty(Message.HDR_ROUTE_TO_IDS); // a queue of the other address
            message.reencode();
            context.clear();
            context.setReusable(false);
            bindings.route(message, context);
            if (context.getQueueCount() == 0) {
                return false;
            }
            MessageSealer.markApproved(message, address);
            rejections.quarantined(unfit, message, target.toString());
            return true;
        } catch (Exception e) {
            PluginLog.LOG.error("a moved message could not be put into quarantine", e);
            return false;
        }
    }

    /** Adds the note. A divert names itself in place of a queue; its copy was on the way to the target. */
    private void note(Message message, String from, String target, Optional<EffectivePolicy> policy) {
        Object queue = message.getBrokerProperty(Message.HDR_ORIGINAL_QUEUE);
        boolean moved = queue != null
                && server.getPostOffice().getBinding(SimpleString.of(queue.toString())) instanceof QueueBinding;
        message.putStringProperty(QuarantineNote.ADDRESS, moved ? from : target);
        message.putStringProperty(QuarantineNote.QUEUE, moved ? String.valueOf(queue) : "");
        message.putStringProperty(QuarantineNote.MESSAGE, "broker:" + message.getMessageID());
        policy.ifPresent(found -> {
            message.putStringProperty(QuarantineNote.POLICY, found.reference());
            message.putStringProperty(
                    QuarantineNote.EXPECTED, found.policy().quality().label());
        });
        message.putLongProperty(QuarantineNote.TIME, System.currentTimeMillis());
        message.putStringProperty(
                QuarantineNote.CONSUMER, server.getConfiguration().getName());
    }
}
