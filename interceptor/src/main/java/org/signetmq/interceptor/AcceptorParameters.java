/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import java.util.Locale;
import java.util.Map;
import org.apache.activemq.artemis.api.core.TransportConfiguration;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.remoting.impl.netty.TransportConstants;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes STOMP messages come whole, in memory: the broker would write a large one to a file before it says whose it is.
 * To be done before acceptors start.
 */
final class AcceptorParameters {
    private static final Logger LOG = LoggerFactory.getLogger(SignetPlugin.class);
    private static final String STOMP_LARGE = "stompMinLargeMessageSize";
    private static final String NEVER = "-1"; // as the broker reads it from its file: else the next look seems a change

    private AcceptorParameters() {}

    static void set(Configuration configuration) {
        for (TransportConfiguration acceptor : configuration.getAcceptorConfigurations()) {
            if (speaksStomp(acceptor)) {
                set(acceptor.getParams(), acceptor.getName());
            }
        }
    }

    /**
     * Any acceptor does that does not say. What need not be changed is left: a change makes the next reload restart.
     */
    private static boolean speaksStomp(TransportConfiguration acceptor) {
        Object protocols = acceptor.getParams().get(TransportConstants.PROTOCOLS_PROP_NAME);
        return protocols == null
                || protocols.toString().toUpperCase(Locale.ROOT).contains("STOMP")
                || acceptor.getParams().containsKey("protocol");
    }

    private static void set(Map<String, Object> parameters, String acceptor) {
        Object before = parameters.get(STOMP_LARGE);
        if (before != null && before.toString().equals(NEVER)) {
            return;
        }
        parameters.put(STOMP_LARGE, NEVER);
        if (before != null) {
            LOG.info("acceptor {}: {}={} becomes {}", acceptor, STOMP_LARGE, before, NEVER);
        }
    }
}
