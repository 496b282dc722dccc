/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.gate;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.filter.Filter;
import org.apache.activemq.artemis.core.paging.PagingStore;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.LargeServerMessage;
import org.apache.activemq.artemis.core.server.Queue;
import org.apache.activemq.artemis.core.server.RouteContextList;
import org.apache.activemq.artemis.core.server.RoutingContext;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.apache.activemq.artemis.core.server.federation.FederatedConsumerKey;
import org.apache.activemq.artemis.core.server.federation.address.FederatedAddressConsumerKey;
import org.apache.activemq.artemis.core.transaction.Transaction;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.audit.RejectionReason;
import org.signetmq.interceptor.internal.home.Readiness;
import org.signetmq.interceptor.internal.large.LargeBody;
import org.signetmq.interceptor.internal.large.LargeMessages;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.interceptor.internal.parse.RareThreadLocal;
import org.signetmq.interceptor.internal.protect.AddressRules;
import org.signetmq.interceptor.internal.protect.MessageSealer;
import org.signetmq.interceptor.internal.protect.MessageSealer.ProtectionRequest;
import org.signetmq.interceptor.internal.protect.PolicyResolver;
import org.signetmq.interceptor.internal.protect.SeenMessages;
import org.signetmq.interceptor.internal.protect.SendDecisions.SendDecision;
import org.signetmq.interceptor.internal.protect.SizeLimit;
import org.signetmq.interceptor.internal.reject.Rejections;
import org.signetmq.interceptor.internal.status.Counters;
import org.signetmq.interceptor.internal.status.Counters.MessageRecords;
import org.signetmq.interceptor.internal.storage.InMemoryLargeMessage;
import org.signetmq.interceptor.internal.storage.StorageGate;
import org.signetmq.policy.BrokerAddresses;

/** Judges each message before the broker stores it. The plugin turns any exception of it into a rejection. */
public final class MessageGate {
    private final Counters counters;
    private final Rejections rejections;
    private final LastGate lastGate = new LastGate();
    private final AddressRules addresses;
    private final PolicyResolver resolver;
    private final MessageSealer protection;
    private final LargeMessages large;
    private final Quarantine quarantine;
    private final SeenMessages seen;
    private final ManagementReplies replies = new ManagementReplies();

    public MessageGate(
            ActiveMQServer server, Supplier<Readiness> readiness, MessageRecords records, Rejections rejections) {
        this.counters = records.counters();
        this.rejections = rejections;
        this.addresses = new AddressRules(server);
        this.resolver = new PolicyResolver(server, readiness, addresses);
        this.protection = new MessageSealer(records);
        this.large = new LargeMessages(server, lastGate, resolver, protection);
        this.quarantine = new Quarantine(server, resolver, rejections);
        this.seen = new SeenMessages(server, resolver::longestReplayWindow);
    }

    /** Returns the gate before the storage. */
    public StorageGate.Gate lastGate() {
        return lastGate;
    }

    /** Returns the protection of large messages, which the broker writes before it asks a plugin. */
    public LargeMessages large() {
        return large;
    }

    /** Returns a judge of messages that already lie in queues. */
    public BacklogJudge backlog() {
        return new BacklogJudge(resolver, addresses, protection, large);
    }

    /**
     * Judges a message that a client sends. The broker has it in memory, or has written it if it is large.
     *
     * @param transaction the transaction of the session, which the broker may not use; or null
     */
    public void send(ServerSession session, Message message, @Nullable Transaction transaction) throws Exception {
        InMemoryLargeMessage.restore(message);
        SimpleString quarantined = judge(session, message);
        large.writeIfWaiting(message);
        if (quarantined != null) {
            quarantine.require(message, quarantined);
        }
        SeenMessages.sentIn(message, transaction);
    }

    /** Judges a message, and returns its bare address if it is large and that is a quarantine; null otherwise. */
    private @Nullable SimpleString judge(ServerSession session, Message message) throws Exception {
        replies.end();
        SimpleString given = message.getAddressSimpleString();
        boolean isLarge = message.isLargeMessage();
        SendDecision known = isLarge ? null : resolver.remembered(session, given);
        if (known != null) {
            LargeBody.requireNotRejected(message);
            applyOrPass(message, known.request());
            return null;
        }
        if (!isLarge && resolver.isOpen(session, given)) {
            LargeBody.requireNotRejected(message);
            counters.countPassed();
            return null;
        }
        SimpleString address = addresses.ofSend(session, given);
        boolean isQuarantine = resolver.isQuarantine(address);
        if (isQuarantine && !isLarge) { // before it may be sealed
            quarantine.require(message, address);
        }
        judge(session, message, given, address);
        return isQuarantine && isLarge ? address : null;
    }

    private void judge(ServerSession session, Message message, @Nullable SimpleString given, SimpleString address)
            throws Exception {
        LargeBody.requireNotRejected(message);
        if (addresses.isRequest(session, given)) {
            if (message.isLargeMessage()) {
                resolver.rejectLargeRequest(session, given);
            }
            replies.begin(session, message);
            return;
        }
        if (message.isLargeMessage() && MessageSealer.isApproved(message, address.toString())) {
            LargeMessages.correctSize(message);
            return;
        }
        applyOrPass(message, resolver.ofSend(session, address, given));
    }

    private void applyOrPass(Message message, Optional<ProtectionRequest> request) throws Exception {
        if (request.isPresent()) {
            apply(message, request.get());
        } else {
            counters.countPassed();
        }
    }

    /** Applies the policy to a message, and returns whether the message was in clear. */
    private boolean apply(Message message, ProtectionRequest request) throws Exception {
        return message.isLargeMessage()
                ? large.apply((LargeServerMessage) message, request)
                : protection.apply(message, request, SizeLimit.inJournal(large.largestRecord()));
    }

    /** Ends the protection. Messages are rejected already. */
    public void close() {
        resolver.close();
        large.close();
        seen.close();
    }

    /** Returns the session of the management request that the broker answers on this thread; null if there is none. */
    public @Nullable ServerSession requester() {
        return replies.requester();
    }

    /** Notes that the broker took a message that a client sent. */
    public void sent(Message message) throws Exception {
        replies.end();
        seen.sent(message);
    }

    /** Notes that the broker did not take a message that a client sent. */
    public void failed(Message message) throws Exception {
        replies.end();
        seen.failed(message);
    }

    /**
     * Judges a message that the broker routes. Most messages were judged when a client sent them. Messages of diverts,
     * moves, federations and dead-letter rules were not, or were judged for another address.
     */
    public void route(Message message, RoutingContext context) throws Exception {
        try {
            SimpleString quarantined = Quarantine.hasIdentifier(message) ? quarantine(message, context) : null;
            judge(message, context);
            large.writeIfWaiting(message);
            if (quarantined != null) {
                quarantine.require(message, quarantined);
            }
        } catch (Exception unfit) {
            if (!quarantine.takes(message, context, unfit)) {
                throw unfit;
            }
        }
        seen.admit(message, context);
    }

    /** Returns the address of an unjudged message if that is a quarantine; null otherwise. */
    private @Nullable SimpleString quarantine(Message message, RoutingContext context) {
        return addresses
                .ofRoute(context.getAddress(message))
                .filter(address ->
                        resolver.isQuarantine(address) && !MessageSealer.isApproved(message, address.toString()))
                .orElse(null);
    }

    /** Returns the quarantine of the broker. */
    public Quarantine quarantine() {
        return quarantine;
    }

    private void judge(Message message, RoutingContext context) throws Exception {
        LargeBody.requireNotRejected(message);
        SimpleString given = context.getAddress(message);
        if (context.getServerSession() != null && isOpen(message, given) && !replies.isAwaited()) {
            return;
        }
        SimpleString address = addresses.required(given);
        if (MessageSealer.isApproved(message, address.toString())) {
            return;
        }
        if (AddressRules.isPolicies(address)) {
            requireOwnPolicies(message);
            return;
        }
        if ((replies.isReply(context, address) && addresses.isTemporary(address))
                || addresses.isOwn(message, context, address)) {
            MessageSealer.markExempt(message, address.toString());
            return;
        }
        if (context.getMirrorSource() != null && passesMirrored(message, address)) {
            return;
        }
        Optional<ProtectionRequest> request = resolver.ofRoute(message, context);
        if (request.isPresent() && !large.sealMoved(message, request.get())) {
            apply(message, request.get());
        }
        if (context.getServerSession() == null) {
            resolver.showProtectedOrigin(message);
        }
    }

    private static void requireOwnPolicies(Message message) throws MessageRejectedException {
        if (!MessageSealer.isExempt(message, BrokerAddresses.POLICIES)) {
            PolicyResolver.requireNotPolicies(SimpleString.of(BrokerAddresses.POLICIES));
        }
    }

    /** Marks a message that another broker mirrors here as exempt, if that broker sealed it. */
    void admitMirrored(Message message) throws Exception {
        Optional<SimpleString> address = addresses.ofRoute(message.getAddressSimpleString());
        if (address.isPresent() && !isJudgedFor(message, String.valueOf(message.getAddress()))) {
            boolean unused = passesMirrored(message, address.get());
        }
    }

    private boolean passesMirrored(Message message, SimpleString address) throws Exception {
        boolean passes = !AddressRules.isPolicies(address)
                && resolver.mayProtect(address)
                && !resolver.isQuarantine(address) // it passes unchanged there
                && large.passesMirrored(message);
        if (passes) {
            MessageSealer.markExempt(message, address.toString());
        }
        return passes;
    }

    /**
     * Judges a large message that a federation fetched, before the federation copies it. The copy is judged again when
     * the broker routes it.
     *
     * @param key names the address or the queue that the federation fills
     */
    public void fetch(LargeServerMessage made, FederatedConsumerKey key) throws Exception {
        Message message = made.toMessage();
        LargeBody.requireNotRejected(message);
        SimpleString address =
                key instanceof FederatedAddressConsumerKey ? message.getAddressSimpleString() : key.getAddress();
        Optional<ProtectionRequest> request = resolver.ofArrival(address);
        if (request.isPresent()) {
            apply(message, request.get());
        }
        large.writeIfWaiting(message);
    }

    /**
     * Judges a message that the broker is about to store, if no callback judged it before. The message can still be
     * sealed.
     *
     * @param store the address of the paging store, the message's own or that of a queue to another broker; or null
     * @return whether the message was in clear, and the broker had not asked the plugin about it
     */
    boolean admit(Message message, @Nullable SimpleString store) throws Exception {
        if (!(message instanceof LargeServerMessage) && isOpen(message, message.getAddressSimpleString())) {
            LargeBody.requireNotRejected(message);
            return false;
        }
        if (isJudgedFor(message, store)) {
            LargeMessages.correctSize(message);
            large.writeIfWaiting(message); // a mirrored message that passes unchanged
            return false;
        }
        LargeBody.requireNotRejected(message);
        @Nullable SimpleString address = addressAtStorage(message, store).orElse(null);
        if (address != null) {
            PolicyResolver.requireNotPolicies(address);
        }
        Optional<ProtectionRequest> request = resolver.ofUnjudged(message, address);
        boolean wasClear = request.isPresent() && apply(message, request.get());
        large.writeIfWaiting(message);
        return wasClear;
    }

    /** Returns whether a message without a mark has an address without a policy. */
    private boolean isOpen(Message message, @Nullable SimpleString address) {
        return !MessageSealer.isProtected(message) && resolver.isOpen(address);
    }

    private static boolean isJudgedFor(Message message, @Nullable SimpleString store) {
        return isJudgedFor(message, String.valueOf(message.getAddress()))
                || (store != null && isJudgedFor(message, store.toString()));
    }

    private static boolean isJudgedFor(Message message, String address) {
        return MessageSealer.isApproved(message, address) || MessageSealer.isExempt(message, address);
    }

    /**
     * Returns the address of a message at the storage. A notification about a queue of a cluster has none: the broker
     * gives it the name of a queue as its address.
     */
    private Optional<SimpleString> addressAtStorage(Message message, @Nullable SimpleString store) {
        return store != null && addresses.isNote(message, store)
                ? Optional.empty()
                : addresses.ofRoute(message.getAddressSimpleString()).or(() -> addresses.ofRoute(store));
    }

    /**
     * Checks that a message that the broker stores is sealed as its policy requires.
     *
     * @throws MessageRejectedException if it is not
     */
    void requireAdmitted(Message message) throws Exception {
        if (isOpen(message, message.getAddressSimpleString())
                || MessageSealer.isApproved(message)
                || MessageSealer.isExempt(message, String.valueOf(message.getAddress()))) {
            return;
        }
        SimpleString address =
                addresses.ofRoute(message.getAddressSimpleString()).orElse(null);
        if (address != null) {
            PolicyResolver.requireNotPolicies(address);
        }
        Optional<ProtectionRequest> request = resolver.ofUnjudged(message, address);
        if (request.isEmpty()) {
            return;
        }
        if (message instanceof LargeServerMessage largeMessage && message.isLargeMessage()) {
            large.requireSealed(largeMessage, request.get());
        } else if (!protection.isSealed(message, request.get())) {
            throw new MessageRejectedException(
                    RejectionReason.NOT_SEALED,
                    "the message is in clear, and the broker did not ask Signet before it stored the message");
        }
    }

    /**
     * Judges messages immediately before the broker stores them, also messages about which the broker asked no plugin.
     * The gate seals or rejects clear messages to protected addresses, and counts them as unjudged.
     */
    private final class LastGate implements StorageGate.Gate {
        /** The class of a mirror's transactions, compared by name: a broker may run without the AMQP protocol. */
        private static final String MIRROR_TRANSACTION =
                "org.apache.activemq.artemis.protocol.amqp.connect.mirror.MirrorTransaction";

        @Override
        public void offered(Message message, @Nullable PagingStore store, @Nullable Transaction transaction)
                throws Exception {
            try {
                if (transaction != null && transaction.getClass().getName().equals(MIRROR_TRANSACTION)) {
                    admitMirrored(message);
                }
                if (admit(message, store == null ? null : store.getAddress())) {
                    rejections.reportUnjudged(message, "sealed");
                }
            } catch (Throwable e) {
                rejections.reportUnjudged(message, "rejected");
                throw rejections.reject(e, message, null, transaction);
            }
        }

        @Override
        public void routed(Message message, RouteContextList queues) throws Exception {
            try {
                if (!MessageSealer.isExempt(message, BrokerAddresses.POLICIES)) {
                    removePolicies(queues.getDurableQueues());
                }
                if (MessageSealer.isProtected(message)) {
                    removeUnmatched(message, queues.getDurableQueues());
                    removeUnmatched(message, queues.getNonDurableQueues());
                }
            } catch (Throwable e) {
                throw rejections.reject(e, message, null, null);
            }
        }

        @Override
        public void stored(Message message) throws Exception {
            try {
                requireAdmitted(message);
            } catch (Throwable e) {
                rejections.reportUnjudged(message, "rejected");
                throw rejections.reject(e, message, null, null);
            }
        }
    }

    /**
     * Knows the management request that the broker answers on a thread, and recognises the answer. Only the answer is
     * routed to the reply address by the session of the request, during the send and on its thread. The broker calls no
     * plugin before it routes an answer.
     */
    static final class ManagementReplies {
        /** One for each plugin: brokers in one process do not share it. */
        private final RareThreadLocal<Request> current = new RareThreadLocal<>();

        private record Request(
                ServerSession session, @Nullable String replyTo) {}

        /** Notes that a session sends a request. */
        void begin(ServerSession session, Message request) {
            SimpleString replyTo = request.getReplyTo();
            current.set(new Request(session, replyTo == null ? null : withoutScheme(replyTo.toString())));
        }

        /** Notes that a session sends another message, or that its send is over. */
        void end() {
            current.remove();
        }

        /** Returns whether this thread is in the send of a request with a reply address. */
        boolean isAwaited() {
            Request request = current.get();
            return request != null && request.replyTo() != null;
        }

        /** Returns the session of the request that the broker answers on this thread; null if there is none. */
        @Nullable
        ServerSession requester() {
            Request request = current.get();
            return request == null ? null : request.session();
        }

        boolean isReply(RoutingContext context, SimpleString address) {
            Request request = current.get();
            return request != null
                    && context.getServerSession() == request.session()
                    && address.toString().equals(request.replyTo());
        }

        /** Returns the address without a scheme such as {@code queue://}, which the broker removes. */
        private static String withoutScheme(String replyTo) {
            int end = replyTo.indexOf("://");
            return end < 0 ? replyTo : replyTo.substring(end + "://".length());
        }
    }

    /** A part of all reserved names. */
    private static final String RESERVED = "signet_";

    /**
     * Removes a message from queues whose filters matched a property that Signet removed later. The broker evaluates
     * filters before it asks its plugins about a message. For a federation the other broker evaluates them.
     */
    private static void removeUnmatched(Message message, List<Queue> queues) {
        for (int i = queues.size() - 1; i >= 0; i--) {
            Filter filter = queues.get(i).getFilter();
            if (filter != null && namesReserved(filter) && !filter.match(message)) {
                queues.remove(i);
            }
        }
    }

    /** Removes the queue of the policies, which another address may name as a wildcard or by the queue. */
    private static void removePolicies(List<Queue> queues) {
        for (int i = queues.size() - 1; i >= 0; i--) {
            if (AddressRules.isPolicies(queues.get(i).getName())) {
                queues.remove(i);
            }
        }
    }

    private static boolean namesReserved(Filter filter) {
        return filter.getFilterString() != null
                && filter.getFilterString().toString().toLowerCase(Locale.ROOT).contains(RESERVED);
    }
}
