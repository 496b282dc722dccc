/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import java.util.Optional;
import java.util.function.Supplier;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.RoutingContext;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.jspecify.annotations.Nullable;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.UnmatchedAddress;

/**
 * Decides what happens to each message on its way in. Throws whatever goes wrong: the plugin turns it into a refusal.
 */
final class MessageGate {
    private final ActiveMQServer server;
    private final Supplier<Readiness> readiness;
    private final Counters counters;
    private final AddressRules addresses;
    private final SendPermission permission;
    private final Protection protection;
    private final ManagementReplies replies = new ManagementReplies();

    MessageGate(ActiveMQServer server, Supplier<Readiness> readiness, Counters counters) {
        this.server = server;
        this.readiness = readiness;
        this.counters = counters;
        this.addresses = new AddressRules(server);
        this.permission = new SendPermission(server);
        this.protection = new Protection(counters);
    }

    /** A client sends a message: the broker has it in memory, unless it is large. */
    void send(ServerSession session, Message message) throws Exception {
        replies.end();
        SimpleString given = message.getAddressSimpleString();
        SimpleString address =
                addresses.ofSend(session, given).orElseThrow(() -> new RefusedException("the message has no address"));
        if (addresses.isExcluded(address)) {
            if (addresses.isManagement(address)) {
                replies.begin(session, message);
            }
            return;
        }
        Readiness.Ready ready = ready();
        Optional<EffectivePolicy> policy = ready.policies().find(address.toString());
        if (policy.isEmpty() && ready.policies().unmatched() == UnmatchedAddress.REJECT) {
            throw new RefusedException("no policy covers the address");
        }
        if (policy.filter(MessageGate::protects).isEmpty()) {
            counters.countPassed();
            return;
        }
        permission.check(session, address, given);
        Protection.Source source =
                new Protection.Source(protocol(session), AuthenticatedUser.of(session, server), Optional.empty());
        protection.apply(message, source, target(address, policy.get()), ready.home());
    }

    /** A send is over, well or not. */
    void sent() {
        replies.end();
    }

    /**
     * A message is about to be stored. Most were judged when they were sent; what comes out of a divert, a move, a
     * federation or a dead-letter rule was not, or was for another address.
     */
    void route(Message message, RoutingContext context) throws Exception {
        SimpleString address = addresses
                .ofRoute(context.getAddress(message))
                .orElseThrow(() -> new RefusedException("the message has no address"));
        if (addresses.isExcluded(address)
                || context.getMirrorSource() != null
                || Protection.isFoundRight(message, address.toString())
                || replies.isReply(context, address)) {
            return;
        }
        Readiness.Ready ready = ready();
        Optional<EffectivePolicy> policy = ready.policies().find(address.toString());
        if (policy.filter(MessageGate::protects).isEmpty()) {
            return;
        }
        EffectivePolicy wanted = policy.get();
        Protection.Source source = new Protection.Source(
                protocol(context.getServerSession()), null, origin(message, ready.policies(), wanted));
        protection.apply(message, source, target(address, wanted), ready.home());
    }

    private Readiness.Ready ready() throws NotReadyException {
        Readiness now = readiness.get();
        if (now instanceof Readiness.Ready ready) {
            return ready;
        }
        throw new NotReadyException(now instanceof Readiness.Refusing refusing ? refusing.reason() : "not ready");
    }

    private static boolean protects(EffectivePolicy policy) {
        return policy.policy().quality() != QualityOfProtection.NONE;
    }

    private Protection.Target target(SimpleString address, EffectivePolicy policy) {
        return new Protection.Target(
                address.toString(), policy, server.getStorageManager().getMaxRecordSize());
    }

    /** Sessions of the broker's own have no protocol; messages that it moves have no session. */
    private static String protocol(@Nullable ServerSession session) {
        String name = session == null ? null : session.getRemotingConnection().getProtocolName();
        return name == null ? "" : name;
    }

    /**
     * Where the broker took the message from, if what protected it there is no less than what is wanted here. Read only
     * of messages that the broker itself moves: of what a client sends, nothing it says about itself is believed.
     */
    private Optional<Protection.Target> origin(Message message, PolicySet policies, EffectivePolicy wanted) {
        Object property = message.getBrokerProperty(Message.HDR_ORIGINAL_ADDRESS);
        if (property == null) {
            return Optional.empty();
        }
        SimpleString address = SimpleString.of(property.toString());
        QualityOfProtection quality = wanted.policy().quality();
        return addresses
                .ofRoute(address)
                .flatMap(bare -> policies.find(bare.toString())
                        .filter(policy -> policy.policy().quality().signs() || !quality.signs())
                        .filter(policy -> policy.policy().quality().encrypts() || !quality.encrypts())
                        .map(policy -> target(bare, policy)));
    }
}
