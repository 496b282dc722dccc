/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.remoting.impl.AbstractAcceptor;
import org.apache.activemq.artemis.spi.core.protocol.ProtocolManager;
import org.apache.activemq.artemis.spi.core.remoting.Acceptor;
import org.jspecify.annotations.Nullable;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;

/**
 * Checks the parameters of the running acceptors. They may differ from broker.xml after a reload, or if an
 * administrator added an acceptor.
 *
 * @param acceptors the running acceptors by their names
 */
record AcceptorCheck(Map<String, Acceptor> acceptors, PolicySet policies) implements Check {
    private static final String RESTART = " from the acceptor in broker.xml, and restart the broker";

    @Override
    public void look(Findings found) {
        acceptors.forEach((name, acceptor) -> {
            if (acceptor instanceof AbstractAcceptor running) {
                List<ProtocolManager<?, ?>> protocols = new ArrayList<>();
                running.getProtocolMap().values().forEach(protocols::add);
                protocols.forEach(protocol -> parameters(name, protocol, found));
                protocols.stream()
                        .flatMap(protocol -> protocol.getPrefixes().keySet().stream())
                        .distinct()
                        .forEach(prefix -> prefix(name, prefix, found));
            }
        });
    }

    private static void parameters(String acceptor, ProtocolManager<?, ?> manager, Findings found) {
        if (Integer.valueOf(-1).equals(property(manager, "getAmqpMinLargeMessageSize"))) {
            found.warn(
                    "acceptor " + Shown.name(acceptor)
                            + " has amqpMinLargeMessageSize=-1: AMQP messages that are longer"
                            + " than a journal record become Core messages, which changes types and fails for some",
                    "remove it" + RESTART + "; signet broker install removes it");
        }
        if (Boolean.FALSE.equals(property(manager, "isCloseMqttConnectionOnPublishAuthorizationFailure"))) {
            found.warn(
                    "acceptor " + Shown.name(acceptor) + " has closeMqttConnectionOnPublishAuthorizationFailure=false:"
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
                        "policy " + Shown.name(policy.pattern()) + " matches no message of acceptor "
                                + Shown.name(acceptor) + ", which removes the prefix " + Shown.name(prefix),
                        "name the policy " + Shown.name(rest) + ", or remove the prefix" + RESTART);
            }
        }
    }
}
