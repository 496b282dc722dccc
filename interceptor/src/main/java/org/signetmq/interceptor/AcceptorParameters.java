/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import org.apache.activemq.artemis.api.core.TransportConfiguration;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.amqpBrokerConnectivity.AMQPBrokerConnectConfiguration;
import org.apache.activemq.artemis.core.config.amqpBrokerConnectivity.AMQPFederatedBrokerConnectionElement;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the AMQP protocol from writing large messages to files as they come, where nobody can seal them: they come
 * whole, in memory. To be done before acceptors start.
 */
final class AcceptorParameters {
    private static final Logger LOG = LoggerFactory.getLogger(SignetPlugin.class);
    private static final String AMQP_LARGE = "amqpMinLargeMessageSize";
    private static final String FEDERATION_LARGE = "minLargeMessageSize";
    private static final int NEVER = -1;

    private AcceptorParameters() {}

    static void set(Configuration configuration) {
        for (TransportConfiguration acceptor : configuration.getAcceptorConfigurations()) {
            Object before = acceptor.getExtraParams().put(AMQP_LARGE, NEVER);
            if (before != null && !before.toString().equals(Integer.toString(NEVER))) {
                LOG.info("acceptor {}: {}={} becomes {}", acceptor.getName(), AMQP_LARGE, before, NEVER);
            }
        }
        for (AMQPBrokerConnectConfiguration connection : configuration.getAMQPConnection()) {
            connection.getConnectionElements().stream()
                    .filter(AMQPFederatedBrokerConnectionElement.class::isInstance)
                    .map(AMQPFederatedBrokerConnectionElement.class::cast)
                    .forEach(federation -> federation.addProperty(FEDERATION_LARGE, NEVER));
        }
    }
}
