/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.reject;

import java.nio.charset.StandardCharsets;
import org.apache.activemq.artemis.core.protocol.stomp.StompFrame;
import org.apache.activemq.artemis.core.protocol.stomp.StompFrameInterceptor;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.spi.core.protocol.RemotingConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds the reason of a rejection to the ERROR frame for a STOMP client. The broker itself writes there only that a
 * message could not be sent. This class is loaded only where the broker has the STOMP protocol.
 */
public final class StompReasons implements StompFrameInterceptor {
    private static final Logger LOG = LoggerFactory.getLogger(StompReasons.class);
    private static final String ERROR = "ERROR";
    private static final String MESSAGE = "message";

    /** The broker's code for a message that could not be sent. */
    private static final String NOT_SENT = "AMQ339011";

    private final PendingReasons reasons;

    private StompReasons(PendingReasons reasons) {
        this.reasons = reasons;
    }

    /**
     * Installs the interceptor. The result removes it.
     *
     * @throws LinkageError if the broker has no STOMP protocol
     */
    public static AutoCloseable install(ActiveMQServer server, PendingReasons reasons) {
        StompReasons installed = new StompReasons(reasons);
        server.getRemotingService().addOutgoingInterceptor(installed);
        return () -> server.getRemotingService().removeOutgoingInterceptor(installed);
    }

    @Override
    public boolean intercept(StompFrame frame, RemotingConnection connection) {
        try {
            if (ERROR.equals(frame.getCommand())
                    && String.valueOf(frame.getHeader(MESSAGE)).startsWith(NOT_SENT)) {
                reasons.take(connection).ifPresent(reason -> {
                    frame.addHeader("content-type", "text/plain");
                    frame.setByteBody(reason.getBytes(StandardCharsets.UTF_8));
                });
            }
        } catch (Throwable e) { // the client still receives the broker's text
            LOG.debug("a STOMP client does not receive the reason of its rejection", e);
        }
        return true;
    }
}
