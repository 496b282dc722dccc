/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.backlog;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.LargeServerMessage;
import org.apache.activemq.artemis.core.server.MessageReference;
import org.apache.activemq.artemis.core.server.Queue;
import org.apache.activemq.artemis.core.server.impl.AddressInfo;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.EnvelopeChain;
import org.signetmq.envelope.EnvelopeCheck;
import org.signetmq.envelope.SenderRule;
import org.signetmq.interceptor.internal.body.MessageBodies;
import org.signetmq.interceptor.internal.control.Authority;
import org.signetmq.interceptor.internal.control.ControlAnswers;
import org.signetmq.interceptor.internal.home.LoadedHome;
import org.signetmq.interceptor.internal.home.Readiness;
import org.signetmq.interceptor.internal.large.StoredBody;
import org.signetmq.interceptor.internal.log.PluginLog;
import org.signetmq.interceptor.internal.parse.BodyContent;
import org.signetmq.interceptor.internal.protect.AddressRules;
import org.signetmq.keystore.PrintableText;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;

/**
 * Tells the consequences of a change that was judged, by JSON: the addresses and queues that it touches, and the
 * messages that lie there. It names no temporary addresses, because they go with their connections. The text can be
 * long, so the caller reads it in parts. Thread-safe.
 */
public final class PolicyImpact {
    /** The greatest number of texts that are kept for their readers. */
    private static final int MOST_KEPT = 4;

    /** The greatest number of addresses that an answer names. */
    private static final int MOST_ADDRESSES = 1000;

    /** The greatest number of queues that an answer names. */
    private static final int MOST_QUEUES = 1000;

    /** The greatest number of warnings. */
    private static final int MOST_WARNINGS = 20;

    /** The greatest length of all names in an answer, in characters. A client may choose long names. */
    private static final int LONGEST_NAMES = 1_000_000;

    /** The most recipients of a pattern with variables, with those for recovery. */
    private static final int MOST_RECIPIENTS = 40;

    /** The greatest number of messages that one request looks at. */
    private static final int MOST_MESSAGES = 100_000;

    /** The greatest number of messages of one queue, so that a long queue leaves some for the others. */
    private static final int MOST_OF_QUEUE = 10_000;

    /** The time after which a request looks at no further message. */
    private static final long LONGEST = TimeUnit.SECONDS.toNanos(10);

    private final ActiveMQServer server;
    private final AddressRules addresses;
    private final Supplier<Readiness> readiness;
    private final Authority authority;
    private final ReentrantLock counting = new ReentrantLock();
    private final Map<String, String> texts = new LinkedHashMap<>(); // guarded by itself

    /** Makes the operations of a broker. */
    public PolicyImpact(ActiveMQServer server, Supplier<Readiness> readiness, Authority authority) {
        this.server = server;
        this.addresses = new AddressRules(server);
        this.readiness = readiness;
        this.authority = authority;
    }

    /** Returns a part of the consequences. */
    public String readImpact(String id, int offset) {
        authority.requireEdit("readImpact");
        String text;
        synchronized (texts) {
            text = texts.get(id);
        }
        if (text == null) {
            throw new IllegalArgumentException("no such judgement; later ones may have ended it; begin again");
        }
        return ControlAnswers.addPart(ControlAnswers.empty(), text, offset).toString();
    }

    /** Adds the consequences of a change to an answer. */
    public void addTo(ObjectNode answer, PolicySet before, PolicySet after) {
        if (!(readiness.get() instanceof Readiness.Ready ready)) {
            answer.put("impact-problem", "the plugin is not ready, so it does not look at messages");
            return;
        }
        if (!counting.tryLock()) {
            answer.put("impact-problem", "another judgement looks at messages now; try again in some seconds");
            return;
        }
        try {
            StoredState states = new StoredState(before, after, addresses, ready.home());
            String text = new Count(states, answer.withArray("warnings")).write();
            ControlAnswers.addPart(answer.put("impact", keep(text)), text, 0);
        } catch (Exception e) {
            PluginLog.LOG.warn("the consequences of a change of policies could not be found out", e);
            answer.put("impact-problem", "internal error " + e.getClass().getName());
        } finally {
            counting.unlock();
        }
    }

    private String keep(String text) {
        String id = UUID.randomUUID().toString();
        synchronized (texts) {
            if (texts.size() >= MOST_KEPT) {
                texts.remove(texts.keySet().iterator().next());
            }
            texts.put(id, text);
        }
        return id;
    }

    /**
     * An address whose messages the change treats in another way.
     *
     * @param before the policy before; empty if the rule for other addresses applied
     * @param after the policy after; empty if the rule for other addresses applies
     * @param messages the number of messages in all queues
     */
    private record Touched(
            SimpleString address, Optional<Policy> before, Optional<Policy> after, List<Queue> queues, long messages) {
        /** Returns the length of its names, in characters. */
        private long letters() {
            return address.length()
                    + before.map(Touched::letters).orElse(0L)
                    + after.map(Touched::letters).orElse(0L)
                    + queues.stream()
                            .mapToLong(queue -> queue.getName().length())
                            .limit(MOST_QUEUES)
                            .sum();
        }

        private static long letters(Policy policy) {
            return policy.pattern().length()
                    + policy.encryption().recipients().stream()
                            .mapToLong(String::length)
                            .limit(MOST_RECIPIENTS)
                            .sum();
        }
    }

    private static String quality(Optional<Policy> policy) {
        return policy.map(found -> found.quality().label()).orElse("no policy");
    }

    /** Finds the consequences of one change, within limits of messages and time. For one thread. */
    private final class Count {
        private final StoredState states;
        private final PolicySet before;
        private final PolicySet after;
        private final ArrayNode warnings;
        private final long begun = System.nanoTime();
        private int looked;
        private int queues;
        private int warned;

        /**
         * Prepares the search.
         *
         * @param warnings receives a line for each address whose sealed messages may become unreadable, at most twenty
         */
        private Count(StoredState states, ArrayNode warnings) {
            this.states = states;
            this.before = states.before();
            this.after = states.policies();
            this.warnings = warnings;
        }

        /** Returns the consequences as JSON, the addresses with the most messages first. */
        private String write() throws Exception {
            List<Touched> touched = new ArrayList<>();
            int temporary = 0;
            for (SimpleString name : server.getPostOffice().getAddresses()) {
                SimpleString bare = addresses.ofRoute(name).orElse(null);
                if (bare == null || isOwn(name) || !isTouched(bare)) {
                    continue;
                }
                if (addresses.isTemporary(name)) {
                    temporary++;
                    continue;
                }
                List<Queue> found = server.getPostOffice().listQueuesForAddress(name);
                touched.add(new Touched(
                        name,
                        policy(before, bare),
                        policy(after, bare),
                        found,
                        found.stream().mapToLong(Queue::getMessageCount).sum()));
            }
            touched.sort(Comparator.comparingLong(Touched::messages)
                    .reversed()
                    .thenComparing(address -> address.address().toString()));
            ObjectNode answer = ControlAnswers.empty();
            ArrayNode named = answer.putArray("addresses");
            long letters = 0;
            for (Touched address : touched) {
                letters += address.letters();
                if (named.size() == MOST_ADDRESSES || letters > LONGEST_NAMES) {
                    break;
                }
                write(address, named.addObject());
            }
            return answer.put("addresses-left-out", touched.size() - named.size())
                    .put("temporary-addresses", temporary)
                    .put("queues-left-out", Math.max(0, queues - MOST_QUEUES))
                    .toString();
        }

        /** Returns whether the broker keeps an address for itself. */
        private boolean isOwn(SimpleString name) {
            AddressInfo info = server.getAddressInfo(name);
            return addresses.isKept(name) || (info != null && info.isInternal());
        }

        private boolean isTouched(SimpleString address) {
            Optional<Policy> now = policy(after, address);
            return !policy(before, address).equals(now) || (now.isEmpty() && before.unmatched() != after.unmatched());
        }

        private static Optional<Policy> policy(PolicySet policies, SimpleString address) {
            return policies.find(address.toString()).map(EffectivePolicy::policy);
        }

        private void write(Touched address, ObjectNode entry) throws InterruptedException {
            entry.put("address", address.address().toString());
            write(entry.putObject("before"), address.before(), before);
            write(entry.putObject("after"), address.after(), after);
            ArrayNode counted = entry.putArray("queues");
            long sealed = 0;
            for (Queue queue : address.queues()) {
                if (queues++ < MOST_QUEUES) {
                    sealed += count(queue, counted.addObject());
                }
            }
            String was = quality(address.before());
            String becomes = quality(address.after());
            if (sealed > 0 && !was.equals(becomes) && warned++ < MOST_WARNINGS) {
                warnings.add(PrintableText.of(address.address().toString(), PrintableText.LONGEST_NAME)
                        + ": the quality changes from " + was + " to " + becomes
                        + ", and consumers may reject the sealed messages that lie there (" + sealed
                        + " seen); let them be consumed before");
            }
        }

        /**
         * Writes a policy. Where its pattern has variables, it writes the recipients too, because these differ by
         * address.
         */
        private static void write(ObjectNode target, Optional<Policy> policy, PolicySet policies) {
            if (policy.isEmpty()) {
                target.put("unmatched", policies.unmatched().label());
                return;
            }
            String pattern = policy.get().pattern();
            target.put("pattern", pattern).put("quality", quality(policy));
            if (policy.get().quality().encrypts()
                    && !policies.wildcards().variablesOf(pattern).isEmpty()) {
                ArrayNode recipients = target.putArray("recipients");
                policy.get().encryption().recipients().stream()
                        .limit(MOST_RECIPIENTS)
                        .forEach(recipients::add);
            }
        }

        /**
         * Writes the numbers of the messages of a queue by their protection, also scheduled ones, and returns the
         * number of sealed ones. Messages with a consumer are not looked at. A queue that changes meanwhile may have
         * other numbers a moment later.
         */
        private long count(Queue queue, ObjectNode target) throws InterruptedException {
            Map<StoredState.State, Integer> counts = new EnumMap<>(StoredState.State.class);
            long all = queue.getMessageCount();
            long ofQueue = 0;
            if (all > 0 && hasTime()) {
                QueueWalk.awaitRouted(queue);
                try (QueueWalk walk = QueueWalk.of(queue)) {
                    for (MessageReference next = walk.next();
                            next != null && ofQueue < MOST_OF_QUEUE && hasTime();
                            next = walk.next()) {
                        counts.merge(states.of(next.getMessage(), queue.getAddress()), 1, Integer::sum);
                        ofQueue++;
                        looked++;
                    }
                } catch (RuntimeException e) {
                    // the queue may be deleted meanwhile
                    PluginLog.LOG.debug("queue {}: could not be browsed", queue.getName(), e);
                }
            }
            long known = ofQueue - counts.getOrDefault(StoredState.State.UNREADABLE, 0);
            int clear = counts.getOrDefault(StoredState.State.CLEAR, 0);
            target.put("queue", queue.getName().toString())
                    .put("messages", Math.max(all, known))
                    .put("clear", clear)
                    .put("as-required", counts.getOrDefault(StoredState.State.AS_REQUIRED, 0))
                    .put("cannot-tell", counts.getOrDefault(StoredState.State.UNCERTAIN, 0))
                    .put("otherwise", counts.getOrDefault(StoredState.State.OTHERWISE, 0))
                    .put("not-looked-at", Math.max(0L, all - known));
            return known - clear;
        }

        private boolean hasTime() {
            return looked < MOST_MESSAGES && System.nanoTime() - begun < LONGEST;
        }
    }

    /**
     * Finds out how a stored message is protected. It changes no message, uses no private key, and reads of a large
     * message the first envelope alone. Thread-safe.
     *
     * @param before the policies before a change
     * @param policies the policies after it
     * @param addresses finds the addresses that policies mean
     * @param home the certificates of the broker
     */
    record StoredState(PolicySet before, PolicySet policies, AddressRules addresses, LoadedHome home) {
        /** The protection of a message that lies in a queue, seen from the policies after a change. */
        enum State {
            /** The message is no envelope. */
            CLEAR,
            /** The message is sealed as the policy requires. */
            AS_REQUIRED,
            /**
             * The message is encrypted for the right recipients. Only they can tell whether it is signed inside as the
             * policy requires, because the policy before required something else.
             */
            UNCERTAIN,
            /** The message is sealed, but not as the policy requires, or there is no policy. */
            OTHERWISE,
            /** The message cannot be read. */
            UNREADABLE
        }

        /** Returns the state of a message in a queue of this address. It never throws. */
        State of(Message message, SimpleString address) {
            try {
                byte[] envelope = envelope(message);
                if (envelope == null) {
                    return State.CLEAR;
                }
                for (SimpleString place : Arrays.asList(address, origin(message))) {
                    SimpleString bare = addresses.ofRoute(place).orElse(null);
                    EffectivePolicy policy = bare == null ? null : protecting(policies, bare);
                    if (bare != null && policy != null && satisfies(envelope, message, bare, policy)) {
                        return isToldFromOutside(policy.policy(), protecting(before, bare))
                                ? State.AS_REQUIRED
                                : State.UNCERTAIN;
                    }
                }
                return State.OTHERWISE;
            } catch (Throwable e) {
                return State.UNREADABLE; // the broker may delete the file of a large message meanwhile
            }
        }

        private byte @Nullable [] envelope(Message message) throws Exception {
            Optional<byte[]> bytes;
            if (message instanceof LargeServerMessage large && message.isLargeMessage()) {
                bytes = StoredBody.firstEnvelope(large);
            } else {
                Message copy = message.copy(message.getMessageID(), true); // a consumer may read the message meanwhile
                bytes = MessageBodies.of(copy, "", home.maxMessageSize())
                        .possibleEnvelope()
                        .filter(EnvelopeCheck::looksSealed)
                        .map(BodyContent::copyOf);
            }
            return bytes.filter(StoredState::isEnvelope).orElse(null);
        }

        /** Returns whether the bytes begin with an envelope, and not only as one does. */
        private static boolean isEnvelope(byte[] bytes) {
            int first = EnvelopeChain.lengthOf(bytes, bytes.length);
            return EnvelopeChain.isEnvelope(bytes, 0, first < 0 ? bytes.length : Math.min(first, bytes.length));
        }

        private static @Nullable EffectivePolicy protecting(PolicySet policies, SimpleString address) {
            return policies.find(address.toString())
                    .filter(found -> found.policy().quality() != QualityOfProtection.NONE)
                    .orElse(null);
        }

        /**
         * Returns whether an envelope that fits from outside fits inside, too. A signature inside of encryption is
         * invisible, so there must have been the same requirements before.
         */
        private static boolean isToldFromOutside(Policy after, @Nullable EffectivePolicy before) {
            return !after.quality().encrypts()
                    || (before != null
                            && before.policy().quality() == after.quality()
                            && (!after.quality().provesSender()
                                    || (before.policy()
                                                    .signing()
                                                    .signers()
                                                    .equals(after.signing().signers())
                                            && before.policy().signing().algorithm()
                                                    == after.signing().algorithm())));
        }

        private boolean satisfies(byte[] envelope, Message message, SimpleString address, EffectivePolicy policy) {
            return message.isLargeMessage()
                    ? home.crypto()
                            .chain(address.toString(), policy, SenderRule.ANY)
                            .accepts(envelope, 0, envelope.length)
                    : home.crypto().satisfies(envelope, address.toString(), policy, SenderRule.ANY);
        }

        /** Returns the address from which the broker moved a message; null if it did not move it. */
        private static @Nullable SimpleString origin(Message message) {
            return Optional.ofNullable(message.getBrokerProperty(Message.HDR_ORIGINAL_ADDRESS))
                    .map(noted -> SimpleString.of(noted.toString()))
                    .orElse(null);
        }
    }
}
