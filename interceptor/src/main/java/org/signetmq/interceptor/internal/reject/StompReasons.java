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
 * Puts the reason of a rejection into the ERROR frame that a STOMP client gets. The broker says there only that a
 * message could not be sent. Loaded only where the broker has the STOMP protocol.
 */
public final class StompReasons implements StompFrameInterceptor {
    private static final Logger LOG = LoggerFactory.getLogger(StompReasons.class);
    private static final String ERROR = "ERROR";
    private static final String MESSAGE = "message";

    /** The broker's number of the error that a message could not be sent. */
    private static final String NOT_SENT = "AMQ339011";

    private final PendingReasons reasons;

    private StompReasons(PendingReasons reasons) {
        this.reasons = reasons;
    }

    /**
     * Begins; the result ends it.
     *
     * @throws LinkageError if the broker has no STOMP
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
        } catch (Throwable e) { // the client gets at least the broker's text
            LOG.debug("the reason of a rejection was not told", e);
        }
        return true;
    }
}
