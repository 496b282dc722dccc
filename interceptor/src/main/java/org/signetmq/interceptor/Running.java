/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import java.util.function.Supplier;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.management.ManagementService;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All that lives from the broker's start to its stop. */
final class Running implements AutoCloseable {
    static final String NOT_STARTED = "the plugin has not started";
    static final Readiness STOPPED = new Readiness.Refusing(NOT_STARTED);

    private static final Logger LOG = LoggerFactory.getLogger(SignetPlugin.class);

    private final HomeWatch watch;
    private final MessageGate gate;
    private @Nullable ControlRegistration control;

    private Running(HomeWatch watch, MessageGate gate) {
        this.watch = watch;
        this.gate = gate;
    }

    static Running start(ActiveMQServer server, Counters counters, HomeWatch watch) {
        watch.start();
        return new Running(watch, new MessageGate(server, watch::readiness, counters));
    }

    Readiness readiness() {
        return watch.readiness();
    }

    MessageGate gate() {
        return gate;
    }

    /** Takes large messages under protection; to be called when the broker has loaded and before clients connect. */
    void protectLargeMessages() {
        gate.large().install();
    }

    /** Why large messages are refused, or null. */
    @Nullable
    String largeMessageProblem() {
        return gate.large().problem();
    }

    /** Shows the plugin in the broker's management, without which it works as well. */
    void register(ManagementService management, Supplier<PluginStatus> status) {
        try {
            control = ControlRegistration.register(management, new SignetControl(status, watch::readiness));
        } catch (Exception e) {
            LOG.warn("the plugin does not show in the broker's management", e);
        }
    }

    @Override
    public void close() {
        gate.large().close();
        watch.close();
        ControlRegistration registered = control;
        if (registered != null) {
            try {
                registered.unregister();
            } catch (Exception e) {
                LOG.warn("the plugin stays in the broker's management", e);
            }
        }
    }
}
