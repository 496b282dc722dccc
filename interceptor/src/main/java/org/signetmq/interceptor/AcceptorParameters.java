/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import java.util.Locale;
import java.util.Map;
import org.apache.activemq.artemis.api.core.TransportConfiguration;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.amqpBrokerConnectivity.AMQPBrokerConnectConfiguration;
import org.apache.activemq.artemis.core.config.amqpBrokerConnectivity.AMQPFederatedBrokerConnectionElement;
import org.apache.activemq.artemis.core.remoting.impl.netty.TransportConstants;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes AMQP and STOMP messages come whole, in memory: AMQP would write large ones to files as they come, where nobody
 * can seal them, and STOMP before it says whose they are. To be done before acceptors start.
 */
final class AcceptorParameters {
    private static final Logger LOG = LoggerFactory.getLogger(SignetPlugin.class);
    private static final String AMQP_LARGE = "amqpMinLargeMessageSize";
    private static final String STOMP_LARGE = "stompMinLargeMessageSize";
    private static final String FEDERATION_LARGE = "minLargeMessageSize";
    private static final String IGNORE_FILTERS = "ignoreAddressBindingFilters";
    private static final String NEVER = "-1"; // as the broker reads it from its file: else the next look seems a change

    private AcceptorParameters() {}

    static void set(Configuration configuration) {
        for (TransportConfiguration acceptor : configuration.getAcceptorConfigurations()) {
            if (speaks("AMQP", acceptor)) {
                set(AMQP_LARGE, acceptor.getExtraParams(), acceptor.getName());
            }
            if (speaks("STOMP", acceptor)) {
                set(STOMP_LARGE, acceptor.getParams(), acceptor.getName());
            }
        }
        for (AMQPBrokerConnectConfiguration connection : configuration.getAMQPConnection()) {
            connection.getConnectionElements().stream()
                    .filter(AMQPFederatedBrokerConnectionElement.class::isInstance)
                    .map(AMQPFederatedBrokerConnectionElement.class::cast)
                    .filter(federation -> !isNever(federation.getProperties().get(FEDERATION_LARGE)))
                    .filter(federation -> !routesByHand(federation))
                    .forEach(federation -> federation.addProperty(FEDERATION_LARGE, NEVER));
        }
    }

    /**
     * Whether the broker gives messages of this federation to bindings without a session. Then it makes no large
     * message of one that comes whole, and could not store it.
     */
    private static boolean routesByHand(AMQPFederatedBrokerConnectionElement federation) {
        return isNotTrue(federation.getProperties().get(IGNORE_FILTERS))
                || federation.getLocalAddressPolicies().stream()
                        .anyMatch(policy -> isNotTrue(policy.getProperties().get(IGNORE_FILTERS)));
    }

    private static boolean isNotTrue(@Nullable Object value) {
        return value != null && !Boolean.parseBoolean(value.toString());
    }

    /**
     * Any acceptor does that does not say. What need not be changed is left: a change makes the next reload restart.
     */
    private static boolean speaks(String protocol, TransportConfiguration acceptor) {
        Object protocols = acceptor.getParams().get(TransportConstants.PROTOCOLS_PROP_NAME);
        return protocols == null
                || protocols.toString().toUpperCase(Locale.ROOT).contains(protocol)
                || acceptor.getParams().containsKey("protocol");
    }

    private static void set(String parameter, Map<String, Object> parameters, String acceptor) {
        if (isNever(parameters.get(parameter))) {
            return;
        }
        Object before = parameters.put(parameter, NEVER);
        if (before != null) {
            LOG.info("acceptor {}: {}={} becomes {}", acceptor, parameter, before, NEVER);
        }
    }

    private static boolean isNever(@Nullable Object value) {
        return value != null && value.toString().equals(NEVER);
    }
}
