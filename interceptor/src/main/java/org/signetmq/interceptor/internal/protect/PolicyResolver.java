/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.protect;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.activemq.artemis.api.core.ICoreMessage;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.management.impl.ManagementRemotingConnection;
import org.apache.activemq.artemis.core.security.CheckType;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.RoutingContext;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.apache.activemq.artemis.utils.CompositeAddress;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.SenderRule;
import org.signetmq.interceptor.internal.audit.RejectionReason;
import org.signetmq.interceptor.internal.home.Identities;
import org.signetmq.interceptor.internal.home.LoadedHome;
import org.signetmq.interceptor.internal.home.PluginSettings;
import org.signetmq.interceptor.internal.home.Readiness;
import org.signetmq.interceptor.internal.home.Readiness.NotReadyException;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.interceptor.internal.protect.MessageSealer.ProtectionRequest;
import org.signetmq.interceptor.internal.protect.SendDecisions.SendDecision;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.Policy.Enforcement;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.UnmatchedAddress;

/** Finds the policy of a message, and the request to protect it. Thread-safe. */
public final class PolicyResolver {
    /** The property that OpenWire consumers receive as the original destination. */
    private static final SimpleString ORIGINAL_DESTINATION = SimpleString.of("__HDR_ORIG_DESTINATION");

    private final ActiveMQServer server;
    private final Supplier<Readiness> readiness;
    private final AddressRules addresses;
    private final SendDecisions decisions = new SendDecisions(System::nanoTime);
    private final AddressDecisions known = new AddressDecisions();
    private volatile Quarantines quarantines = new Quarantines(PolicySet.EMPTY, Set.of());

    /** The addresses for messages that cannot be opened, by a set of policies. */
    private record Quarantines(PolicySet policies, Set<SimpleString> addresses) {}

    public PolicyResolver(ActiveMQServer server, Supplier<Readiness> readiness, AddressRules addresses) {
        this.server = server;
        this.readiness = readiness;
        this.addresses = addresses;
        server.getSecurityRepository().registerListener(decisions);
    }

    /**
     * Returns whether a client's message to this address passes unchanged in any case. If this is false, the caller
     * decides by {@link #ofSend}.
     *
     * @param given the address as the client wrote it
     */
    @SuppressWarnings("ReferenceEquality") // an address without a prefix is the same object
    public boolean isOpen(ServerSession session, @Nullable SimpleString given) {
        return readiness.get() instanceof Readiness.Ready ready
                && ready.policies().unmatched() == UnmatchedAddress.PASS
                && session.removePrefix(given) == given
                && isOpen(ready, given);
    }

    /**
     * Returns whether no policy protects messages that the broker routes or stores under this address. It is false for
     * the address of the management, and while the policies are unknown.
     */
    public boolean isOpen(@Nullable SimpleString address) {
        return readiness.get() instanceof Readiness.Ready ready && isOpen(ready, address);
    }

    private boolean isOpen(Readiness.Ready ready, @Nullable SimpleString address) {
        if (address == null) {
            return false;
        }
        AddressDecisions.Decision decision = known.find(ready.policies(), address);
        return (decision == null ? decide(ready, address) : decision).isOpen();
    }

    private AddressDecisions.Decision decide(Readiness.Ready ready, SimpleString address) {
        boolean isOpen = !addresses.isManagement(address)
                && addresses
                        .ofRoute(address)
                        .filter(bare -> !AddressRules.isPolicies(bare)
                                && protecting(ready, bare).isEmpty()
                                && !isQuarantine(ready, bare))
                        .isPresent();
        AddressDecisions.Decision decision = new AddressDecisions.Decision(address, isOpen);
        known.keep(ready.policies(), decision);
        return decision;
    }

    /** Returns the decision about an earlier message of this session to this address; null if there is none. */
    public @Nullable SendDecision remembered(ServerSession session, @Nullable SimpleString given) {
        return given != null && readiness.get() instanceof Readiness.Ready ready
                ? decisions.find(ready, subject(session, given))
                : null;
    }

    private SendDecision.Subject subject(ServerSession session, SimpleString given) {
        return new SendDecision.Subject(
                session, given, server.getSecurityStore().isSecurityEnabled());
    }

    /**
     * Returns the request to protect a client's message; empty if the message passes unchanged.
     *
     * @param given the address as the client wrote it
     */
    public Optional<ProtectionRequest> ofSend(ServerSession session, @Nullable SimpleString given) throws Exception {
        SendDecision known = remembered(session, given);
        if (known != null) {
            return known.request();
        }
        SimpleString address = addresses.ofSend(session, given);
        return addresses.isRequest(session, given) ? Optional.empty() : ofSend(session, address, given);
    }

    /**
     * Returns the request to protect a client's message; empty if the message passes unchanged. It checks the client's
     * permission first, so that a client without permission causes no further work.
     *
     * @param address the bare address
     * @param given the address as the client wrote it
     */
    public Optional<ProtectionRequest> ofSend(ServerSession session, SimpleString address, @Nullable SimpleString given)
            throws Exception {
        Readiness.Ready ready = ready();
        if (given == null) { // the session's default address may change
            return decide(ready, session, address, null);
        }
        SendDecision.Subject subject = subject(session, given);
        SendDecisions.Generation generation = decisions.generation(ready);
        Optional<ProtectionRequest> request = decide(ready, session, address, given);
        if (!isQuarantine(ready, address)) { // each message there is looked at
            decisions.keep(generation, subject, request);
        }
        return request;
    }

    private Optional<ProtectionRequest> decide(
            Readiness.Ready ready, ServerSession session, SimpleString address, @Nullable SimpleString given)
            throws Exception {
        requireNotPolicies(address);
        Optional<EffectivePolicy> policy = ready.policies().find(address.toString());
        if (policy.isEmpty()
                && ready.policies().unmatched() == UnmatchedAddress.REJECT
                && !isQuarantine(ready, address)) {
            throw new MessageRejectedException(RejectionReason.NO_POLICY, "no policy covers the address");
        }
        Optional<EffectivePolicy> protecting = policy.filter(PolicyResolver::protects);
        if (protecting.isPresent()) {
            requirePermission(session, address, given);
            requireNames(protecting.get());
        }
        return protecting.map(wanted -> {
            String user = user(session);
            SenderRule senders = senders(session, user, ready);
            return new ProtectionRequest(
                    new MessageSealer.Source(
                            protocol(session), user, senders == SenderRule.ANY, Optional.empty(), senders),
                    new MessageSealer.Target(address.toString(), wanted, isQuarantine(ready, address)),
                    ready.home());
        });
    }

    /** Ends the memory of decisions. */
    public void close() {
        server.getSecurityRepository().unRegisterListener(decisions);
    }

    /**
     * Rejects a large management request, which the broker writes to a file before it answers. The request may contain
     * the text of a message for a protected address.
     *
     * @param given the address as the client wrote it
     * @throws MessageRejectedException if this is a management request, and a policy protects an address
     */
    public void rejectLargeRequest(ServerSession session, @Nullable SimpleString given)
            throws MessageRejectedException {
        if (addresses.isRequest(session, given) && mayProtectAny()) {
            throw new MessageRejectedException(
                    RejectionReason.TOO_LARGE,
                    "too large for a management request: the broker would write it to a file"
                            + " in clear; send the message to its address instead");
        }
    }

    private boolean mayProtectAny() {
        return !(readiness.get() instanceof Readiness.Ready ready)
                || ready.policies().policies().stream()
                        .anyMatch(policy -> policy.quality() != QualityOfProtection.NONE);
    }

    /** Returns the policies in force; empty if the plugin is not ready. */
    public Optional<PolicySet> policies() {
        return readiness.get() instanceof Readiness.Ready ready ? Optional.of(ready.policies()) : Optional.empty();
    }

    /**
     * Returns the longest replay window of the policies in force; the longest that there may be if they are unknown.
     */
    public Duration longestReplayWindow() {
        return policies()
                .map(set -> set.policies().stream()
                        .map(policy -> policy.enforcement().replayWindow())
                        .filter(Objects::nonNull)
                        .max(Comparator.naturalOrder())
                        .orElse(Duration.ZERO))
                .orElse(Enforcement.LONGEST_REPLAY_WINDOW);
    }

    /** Returns whether the plugin may seal or reject messages; true while the policies are unknown. */
    public boolean mayProtectOrRejectAny() {
        return mayProtectAny()
                || (readiness.get() instanceof Readiness.Ready ready
                        && ready.policies().unmatched() == UnmatchedAddress.REJECT);
    }

    /**
     * Returns the request to protect a message that the broker itself fetched, for example by federation; empty if the
     * message passes unchanged.
     */
    public Optional<ProtectionRequest> ofArrival(@Nullable SimpleString given) throws MessageRejectedException {
        return ofBroker(addresses.required(given), "", null);
    }

    /** Returns the request to protect a message that the broker routes; empty if the message passes unchanged. */
    public Optional<ProtectionRequest> ofRoute(Message message, RoutingContext context)
            throws MessageRejectedException {
        SimpleString address = addresses.required(context.getAddress(message));
        return ofBroker(address, protocol(context.getServerSession()), noted(message));
    }

    /**
     * Returns the request to protect an unjudged message at the storage; empty if the message passes unchanged. Called
     * for each message, so it looks up the policy first.
     */
    public Optional<ProtectionRequest> ofUnjudged(Message message, @Nullable SimpleString address)
            throws MessageRejectedException {
        return address != null && mayProtect(address) && !addresses.isOwnState(message, address)
                ? ofBroker(address, "", noted(message))
                : Optional.empty();
    }

    /**
     * Returns the request to protect a message that lies in a queue, where a broker judged it; empty if no policy
     * protects its address.
     */
    public Optional<ProtectionRequest> ofQueued(Message message, SimpleString address) throws MessageRejectedException {
        return ofUnjudged(message, address)
                .map(request -> new ProtectionRequest(request.source().asJudged(), request.target(), request.home()));
    }

    /** Returns whether this bare address is one to which messages go that cannot be opened. */
    public boolean isQuarantine(SimpleString address) {
        return readiness.get() instanceof Readiness.Ready ready && isQuarantine(ready, address);
    }

    @SuppressWarnings("ReferenceEquality") // for each message: an equal set is only searched again
    private boolean isQuarantine(Readiness.Ready ready, SimpleString address) {
        Quarantines last = quarantines;
        if (last.policies() != ready.policies()) {
            last = new Quarantines(
                    ready.policies(),
                    ready.policies().quarantines().stream()
                            .map(SimpleString::of)
                            .collect(Collectors.toSet()));
            quarantines = last;
        }
        return last.addresses().contains(address);
    }

    /** Returns the policy of a bare address; empty if there is none, or the policies are unknown. */
    public Optional<EffectivePolicy> policy(SimpleString address) {
        return policies().flatMap(set -> set.find(address.toString()));
    }

    /** Returns whether messages in clear are rejected at this bare address, because no policy covers it. */
    public boolean rejectsClear(SimpleString address) {
        return readiness.get() instanceof Readiness.Ready ready
                && ready.policies().unmatched() == UnmatchedAddress.REJECT
                && ready.policies().find(address.toString()).isEmpty();
    }

    /**
     * Returns the request to judge a message that goes back from quarantine to this address; empty if no policy
     * protects it. Anyone who may send to the quarantine could have forged it, so it must satisfy the policy as a
     * client's.
     */
    public Optional<ProtectionRequest> ofReturn(SimpleString address) throws MessageRejectedException {
        LoadedHome home = ready().home();
        SenderRule senders = new NamedSenders(null, Map.of(), home); // no session to bind the signer to
        return ofBroker(address, "", null)
                .map(request -> new ProtectionRequest(
                        new MessageSealer.Source("", null, false, Optional.empty(), senders), request.target(), home));
    }

    /** Returns whether a policy protects the address; true while the policies are unknown. */
    public boolean mayProtect(SimpleString address) {
        return !(readiness.get() instanceof Readiness.Ready ready)
                || protecting(ready, address).isPresent();
    }

    private static Optional<EffectivePolicy> protecting(Readiness.Ready ready, SimpleString address) {
        return ready.policies().find(address.toString()).filter(PolicyResolver::protects);
    }

    /**
     * Returns the request to protect a message that no client sends.
     *
     * @param from the address from which the broker moved it; null if it was not moved
     */
    private Optional<ProtectionRequest> ofBroker(SimpleString address, String protocol, @Nullable SimpleString from)
            throws MessageRejectedException {
        requireNotPolicies(address);
        Readiness.Ready ready = ready();
        EffectivePolicy wanted = protecting(ready, address).orElse(null);
        if (wanted == null) {
            return Optional.empty();
        }
        requireNames(wanted);
        return Optional.of(new ProtectionRequest(
                new MessageSealer.Source(
                        protocol, null, from != null, origin(from, ready.policies(), wanted), SenderRule.ANY),
                new MessageSealer.Target(address.toString(), wanted, isQuarantine(ready, address)),
                ready.home()));
    }

    /**
     * Rejects a message whose address gives no value of a variable, as one with an empty word: nothing says for which
     * recipients and signers it is.
     */
    private static void requireNames(EffectivePolicy wanted) throws MessageRejectedException {
        Optional<String> problem = wanted.problem();
        if (problem.isPresent()) {
            throw new MessageRejectedException(RejectionReason.KEY, problem.get());
        }
    }

    /**
     * Rejects a message for the address at which clients receive the policies.
     *
     * @param address the bare address
     */
    public static void requireNotPolicies(SimpleString address) throws MessageRejectedException {
        if (AddressRules.isPolicies(address)) {
            throw new MessageRejectedException(
                    RejectionReason.NO_PERMISSION, "Signet alone sends the policies to this address");
        }
    }

    private Readiness.Ready ready() throws NotReadyException {
        Readiness now = readiness.get();
        if (now instanceof Readiness.Unavailable unavailable) {
            throw new NotReadyException(unavailable.reason());
        }
        return (Readiness.Ready) now;
    }

    /** Returns the greatest length of a body in memory, in bytes. */
    public long mostInMemory() {
        return readiness.get() instanceof Readiness.Ready ready
                ? ready.home().maxMessageSize()
                : PluginSettings.Tuning.DEFAULT.maxMessageSize();
    }

    private static boolean protects(EffectivePolicy policy) {
        return policy.policy().quality() != QualityOfProtection.NONE;
    }

    /** Returns the protocol of a session; empty for a session of the broker itself and for no session. */
    private static String protocol(@Nullable ServerSession session) {
        String name = session == null ? null : session.getRemotingConnection().getProtocolName();
        return name == null ? "" : name;
    }

    /**
     * Shows OpenWire consumers the original address of a moved message if that address is protected, so that they can
     * open dead letters. Artemis notes the address in a property that these consumers do not receive. They receive it
     * as the original destination, as from ActiveMQ's own brokers. Of messages that are stored as AMQP they receive the
     * annotation.
     */
    public void showProtectedOrigin(Message moved) {
        if (moved instanceof ICoreMessage && readiness.get() instanceof Readiness.Ready ready) {
            addresses
                    .ofRoute(noted(moved))
                    .filter(address -> protecting(ready, address).isPresent())
                    .ifPresent(address -> moved.putStringProperty(ORIGINAL_DESTINATION, address));
        }
    }

    private static @Nullable SimpleString noted(Message moved) {
        Object property = moved.getBrokerProperty(Message.HDR_ORIGINAL_ADDRESS);
        return property == null ? null : SimpleString.of(property.toString());
    }

    /**
     * Returns the original address of a moved message, if its policy protects no less than the required one. Only for
     * messages that the broker itself moves, because a client can set the property to any address.
     */
    private Optional<MessageSealer.Target> origin(
            @Nullable SimpleString from, PolicySet policies, EffectivePolicy wanted) {
        QualityOfProtection quality = wanted.policy().quality();
        return addresses
                .ofRoute(from)
                .flatMap(bare -> policies.find(bare.toString())
                        .filter(policy -> policy.policy().quality().protectsNoLessThan(quality))
                        .map(policy -> new MessageSealer.Target(bare.toString(), policy, false)));
    }

    /**
     * Checks a client's permission to send to the address before the plugin does any work. The broker checks it again
     * when it routes the message. Sessions without a user are the broker's own. Their security may be off, which only
     * the broker knows, so this method accepts them.
     *
     * @param address the bare address
     * @param given the address as the client wrote it, perhaps with a queue part
     * @throws Exception the broker's exception if the session has no permission
     */
    private void requirePermission(ServerSession session, SimpleString address, @Nullable SimpleString given)
            throws Exception {
        if (server.getSecurityStore().isSecurityEnabled() && session.getValidatedUser() != null) {
            SimpleString queue =
                    CompositeAddress.isFullyQualified(given) ? CompositeAddress.extractQueueName(given) : null;
            server.getSecurityStore().check(address, queue, CheckType.SEND, session);
        }
    }

    /** Returns the rule for a session. Other brokers send messages of their own users, so they may name any sender. */
    private SenderRule senders(ServerSession session, @Nullable String user, Readiness.Ready ready) {
        return user == null && isAuthenticated(session)
                ? SenderRule.ANY
                : new NamedSenders(user, ready.policies().settings().users(), ready.home());
    }

    private boolean isAuthenticated(ServerSession session) {
        return server.getConfiguration().isSecurityEnabled()
                && server.getSecurityStore().isSecurityEnabled()
                && !(session.getRemotingConnection() instanceof ManagementRemotingConnection);
    }

    /**
     * Returns the authenticated user; null if there is none. Without security the name is only the client's claim.
     * Sessions of the cluster and of the management send messages of other users.
     */
    private @Nullable String user(ServerSession session) {
        String user = isAuthenticated(session) ? session.getValidatedUser() : null;
        boolean isClient = user != null
                && !user.isEmpty()
                && !user.equals(server.getConfiguration().getClusterUser());
        return isClient ? user : null;
    }

    /**
     * Checks the sender that an envelope of a client's session names. It must be the session's user, or the signer
     * under the name of its certificate in the home. An envelope that this broker signed, with any of its keys, may
     * name any sender. The signers of a user are those that the policies name, or else the key of the user's own name.
     */
    private record NamedSenders(@Nullable String user, Map<String, List<String>> signers, LoadedHome home)
            implements SenderRule {
        @Override
        public Optional<String> problemWithSigner(Predicate<List<String>> isSigner) {
            if (user == null) {
                return Optional.of("signs for a session without an authenticated user");
            }
            List<String> named = signers.get(user);
            List<String> own = named != null ? named : Identities.isName(user) ? List.of(user) : List.of();
            return isSigner.test(own) ? Optional.empty() : Optional.of("does not belong to user '" + user + "'");
        }

        @Override
        public boolean accepts(String sender, X509Certificate signer) {
            return sender.equals(user)
                    || home.names().isKeyOf(home.identities().ofBroker(), signer)
                    || (Identities.isName(sender) && home.names().isKeyOf(sender, signer));
        }
    }
}
