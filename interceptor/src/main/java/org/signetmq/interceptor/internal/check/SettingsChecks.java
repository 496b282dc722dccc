/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.check;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.client.impl.TopologyMemberImpl;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.postoffice.Bindings;
import org.apache.activemq.artemis.core.remoting.impl.AbstractAcceptor;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.Queue;
import org.apache.activemq.artemis.core.server.cluster.ClusterConnection;
import org.apache.activemq.artemis.core.server.cluster.ha.HAPolicy;
import org.apache.activemq.artemis.core.server.cluster.ha.PrimaryOnlyPolicy;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.artemis.logs.AuditLogger;
import org.apache.activemq.artemis.spi.core.protocol.ProtocolManager;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.home.BrokerNaming;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;

/**
 * Checks the settings of the broker, except those of security.
 *
 * @param policies the policies in force
 */
record SettingsChecks(ActiveMQServer server, PolicySet policies) {
    /** The greatest numbers of addresses and of patterns. The broker remembers the settings of each name. */
    private static final int MOST_ADDRESSES = 10_000;

    private static final int MOST_PATTERNS = 1000;
    private static final String RESTART = " from the acceptor in broker.xml, and restart the broker";

    /**
     * Checks the order of the broker's plugins. A plugin before Signet receives messages in clear.
     *
     * @param plugins the plugins that receive messages, in order
     * @param signet the class of Signet's plugin
     */
    static void plugins(List<?> plugins, Class<?> signet, Findings found) {
        List<? extends Class<?>> classes =
                plugins.stream().map(Object::getClass).toList();
        int place = classes.indexOf(signet);
        if (place < 0) {
            found.wrong(
                    "the broker does not list the plugin, so messages are stored in clear",
                    "run signet broker install, and restart the broker");
        } else if (place > 0) {
            List<String> before =
                    classes.subList(0, place).stream().map(Class::getName).toList();
            found.wrong(
                    "plugins before Signet receive messages in clear: " + Findings.names(before),
                    "make Signet's <broker-plugin> the first in broker.xml, as signet broker install does, and restart"
                            + " the broker");
        }
        if (classes.lastIndexOf(signet) != place) {
            found.wrong(
                    "the broker lists Signet's plugin more than once",
                    "leave one <broker-plugin> of it in broker.xml, and restart the broker");
        }
    }

    /**
     * Checks the parameters of the running acceptors. They may differ from broker.xml after a reload, or if an
     * administrator added an acceptor.
     */
    void acceptors(Findings found) {
        server.getRemotingService().getAcceptors().forEach((name, acceptor) -> {
            if (acceptor instanceof AbstractAcceptor running) {
                List<ProtocolManager<?, ?>> protocols = new ArrayList<>();
                running.getProtocolMap().values().forEach(protocols::add);
                protocols.forEach(protocol -> parameters(Findings.name(name), protocol, found));
                protocols.stream()
                        .flatMap(protocol -> protocol.getPrefixes().keySet().stream())
                        .distinct()
                        .forEach(prefix -> prefix(Findings.name(name), prefix, found));
            }
        });
    }

    private static void parameters(String acceptor, ProtocolManager<?, ?> manager, Findings found) {
        if (Integer.valueOf(-1).equals(property(manager, "getAmqpMinLargeMessageSize"))) {
            found.warn(
                    "acceptor " + acceptor + " has amqpMinLargeMessageSize=-1: AMQP messages that are longer"
                            + " than a journal record become Core messages, which changes types and fails for some",
                    "remove it" + RESTART + "; signet broker install removes it");
        }
        if (Boolean.FALSE.equals(property(manager, "isCloseMqttConnectionOnPublishAuthorizationFailure"))) {
            found.warn(
                    "acceptor " + acceptor + " has closeMqttConnectionOnPublishAuthorizationFailure=false:"
                            + " a message of MQTT 3.1.1 that Signet rejects is acknowledged, and lost",
                    "remove it" + RESTART);
        }
    }

    /** Returns a property of a protocol that may be absent from the class path; null if the protocol has none. */
    private static @Nullable Object property(ProtocolManager<?, ?> manager, String getter) {
        try {
            return manager.getClass().getMethod(getter).invoke(manager);
        } catch (NoSuchMethodException otherProtocol) {
            return null;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(getter, e);
        }
    }

    /** Finds policies that match no message, because the acceptor removes the prefix from the names of addresses. */
    private void prefix(String acceptor, SimpleString prefix, Findings found) {
        for (Policy policy : policies.policies()) {
            if (!prefix.isEmpty() && policy.pattern().startsWith(prefix.toString())) {
                String rest = policy.pattern().substring(prefix.length());
                found.wrong(
                        "policy " + Findings.name(policy.pattern()) + " matches no message of acceptor " + acceptor
                                + ", which removes the prefix " + Findings.name(prefix),
                        "name the policy " + Findings.name(rest) + ", or remove the prefix" + RESTART);
            }
        }
    }

    /** Checks that bridges keep messages that the other broker's Signet rejects. */
    static void bridges(Configuration configuration, Findings found) {
        configuration
                .getBridgeConfigurations()
                .forEach(bridge -> duplicates(bridge.isUseDuplicateDetection(), "bridge", bridge.getName(), found));
        configuration
                .getClusterConfigurations()
                .forEach(cluster ->
                        duplicates(cluster.isDuplicateDetection(), "cluster connection", cluster.getName(), found));
    }

    private static void duplicates(boolean detects, String kind, @Nullable String name, Findings found) {
        if (!detects) {
            found.warn(
                    kind + " " + Findings.name(String.valueOf(name))
                            + " has no duplicate detection, so it loses messages that Signet in the other broker rejects",
                    "set <use-duplicate-detection> of the " + kind + " to true, and restart the broker");
        }
    }

    /** Checks that a broker of a pair has its backup. */
    void backup(Findings found) {
        HAPolicy<?> policy = server.getHAPolicy();
        boolean hasReported = policy.isSharedStore() ? isAnnounced() : server.isReplicaSync();
        if (!(policy instanceof PrimaryOnlyPolicy) && !hasReported) {
            found.warn(
                    "this broker is one of a pair, and no backup has reported: none takes over if it fails",
                    "start the backup, with the plugin and the same home; or remove <ha-policy> from broker.xml");
        }
    }

    /** Returns whether a backup waits for the store that it shares with this broker. */
    private boolean isAnnounced() {
        ClusterConnection cluster = server.getClusterManager().getDefaultConnection(null);
        TopologyMemberImpl own = cluster == null
                ? null
                : cluster.getTopology().getMember(server.getNodeID().toString());
        return own != null && own.getBackup() != null;
    }

    /** Checks that the broker's audit log does not contain messages in clear. */
    void auditLog(Findings found) {
        if (AuditLogger.isBaseLoggingEnabled()
                && policies.policies().stream()
                        .anyMatch(policy -> policy.quality().encrypts())) {
            found.warn(
                    "the logger org.apache.activemq.audit.base is on, and writes bodies that the console or JMX sends"
                            + " (AMQ601013) before Signet sees them",
                    "filter AMQ601013 out in log4j2.properties, or send no secret messages by the console");
        }
    }

    /**
     * An address that the broker moves messages to.
     *
     * @param kind the kind of messages
     * @param from a protected address
     * @param creates whether the broker creates its queues
     */
    private record Target(String kind, String from, boolean creates) {}

    /** Looks for messages in quarantine, and for quarantines that lose them. */
    void quarantine(Findings found) throws Exception {
        for (String address : policies.quarantines()) {
            List<Queue> queues = server.getPostOffice().listQueuesForAddress(SimpleString.of(address));
            long messages = queues.stream().mapToLong(Queue::getMessageCount).sum();
            if (messages > 0) {
                found.warn(
                        messages + (messages == 1 ? " message is" : " messages are") + " in quarantine at "
                                + Findings.name(address),
                        "look at the reasons with signet quarantine list, and mend the cause");
            }
            if (queues.stream().noneMatch(Queue::isDurable)) {
                found.wrong(
                        "the quarantine " + Findings.name(address)
                                + " has no durable queue, so that messages of consumers get lost there",
                        "make one of the same name, or start the broker again, which does it");
            }
        }
    }

    /**
     * Checks where messages of protected addresses go that no consumer opens. The broker notes only the last move of a
     * message. After a second move no consumer knows the address inside the envelope.
     */
    void deadLetters(Findings found) throws Exception {
        BrokerNaming naming = BrokerNaming.of(server.getConfiguration());
        List<String> names = Stream.concat(
                        server.getPostOffice().getAddresses().stream()
                                .map(SimpleString::toString)
                                .limit(MOST_ADDRESSES),
                        policies.policies().stream().map(Policy::pattern).limit(MOST_PATTERNS))
                .filter(name -> naming.addresses().useOf(name).isEmpty() && isProtected(name))
                .distinct()
                .toList();
        Map<SimpleString, Target> targets = new LinkedHashMap<>();
        List<String> without =
                names.stream().filter(name -> !noteTargets(name, targets)).toList();
        if (!without.isEmpty()) {
            found.warn(
                    without.size() + " protected addresses or patterns have no dead-letter-address, such as "
                            + Findings.name(without.get(0))
                            + ": the broker deletes a message that no consumer can open, after its delivery attempts",
                    "set a <dead-letter-address> in their <address-setting>");
        }
        for (Map.Entry<SimpleString, Target> target : targets.entrySet()) {
            target(target.getKey(), target.getValue(), found);
        }
    }

    private boolean isProtected(String name) {
        return policies.find(name)
                .map(EffectivePolicy::policy)
                .filter(policy -> policy.quality() != QualityOfProtection.NONE)
                .isPresent();
    }

    private AddressSettings settings(String address) {
        return server.getAddressSettingsRepository().getMatch(address);
    }

    /** Notes the targets of an address. Returns false if the broker deletes a message that no consumer opens. */
    private boolean noteTargets(String address, Map<SimpleString, Target> targets) {
        AddressSettings settings = settings(address);
        boolean moves = settings.getMaxDeliveryAttempts() > 0;
        if (moves && !isNone(settings.getDeadLetterAddress())) {
            targets.putIfAbsent(
                    settings.getDeadLetterAddress(),
                    new Target("dead letters", address, settings.isAutoCreateDeadLetterResources()));
        }
        if (!isNone(settings.getExpiryAddress())) {
            targets.putIfAbsent(
                    settings.getExpiryAddress(),
                    new Target("expired messages", address, settings.isAutoCreateExpiryResources()));
        }
        return !moves || !isNone(settings.getDeadLetterAddress());
    }

    private static boolean isNone(@Nullable SimpleString address) {
        return address == null || address.isEmpty();
    }

    private void target(SimpleString address, Target target, Findings found) throws Exception {
        AddressSettings settings = settings(address.toString());
        String what = Findings.name(address) + ", for " + target.kind() + " of " + Findings.name(target.from()) + ", ";
        String remedy = "add an <address-setting> with match " + Findings.name(address) + " and ";
        if (settings.getMaxDeliveryAttempts() > 0) {
            found.wrong(
                    what + "has no setting of its own: the broker "
                            + (isNone(settings.getDeadLetterAddress())
                                    ? "deletes a message there after "
                                    : "moves a message a second time, to "
                                            + Findings.name(settings.getDeadLetterAddress()) + ", after ")
                            + settings.getMaxDeliveryAttempts() + " delivery attempts, and it then opens nowhere",
                    remedy + "<max-delivery-attempts>-1</max-delivery-attempts>");
        }
        if (settings.getExpiryDelay() >= 0 && !isNone(settings.getExpiryAddress())) {
            found.wrong(
                    what + "has an expiry-delay: the broker moves a message a second time, to "
                            + Findings.name(settings.getExpiryAddress()) + ", and it then opens nowhere",
                    remedy + "<expiry-delay>-1</expiry-delay>");
        }
        @Nullable Bindings bindings = server.getPostOffice().lookupBindingsForAddress(address);
        if (!target.creates() && (bindings == null || bindings.getBindings().isEmpty())) {
            found.warn(
                    what + "has no queue: the broker deletes the messages",
                    "create a queue of the address " + Findings.name(address) + " in broker.xml");
        }
    }
}
