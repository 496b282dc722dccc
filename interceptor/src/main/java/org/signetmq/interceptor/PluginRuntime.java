/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import java.util.function.Supplier;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.audit.BrokerNotifications;
import org.signetmq.interceptor.internal.backlog.BacklogOperations;
import org.signetmq.interceptor.internal.backlog.KeyOperations;
import org.signetmq.interceptor.internal.backlog.PolicyImpact;
import org.signetmq.interceptor.internal.backlog.QuarantineOperations;
import org.signetmq.interceptor.internal.check.BrokerCheck;
import org.signetmq.interceptor.internal.check.FilteredProperties;
import org.signetmq.interceptor.internal.control.Authority;
import org.signetmq.interceptor.internal.gate.MessageGate;
import org.signetmq.interceptor.internal.gate.PolicyDistribution;
import org.signetmq.interceptor.internal.gate.PostOfficeGate;
import org.signetmq.interceptor.internal.home.ConfigurationWatcher;
import org.signetmq.interceptor.internal.home.Readiness;
import org.signetmq.interceptor.internal.log.PluginLog;
import org.signetmq.interceptor.internal.reject.Rejections;
import org.signetmq.interceptor.internal.reject.Rejections.StompReasons;
import org.signetmq.interceptor.internal.status.Counters.MessageRecords;
import org.signetmq.interceptor.internal.status.MicrometerMeters;
import org.signetmq.interceptor.internal.status.PluginStatus;

/** The parts of the plugin that exist from the start of the broker to its stop. */
final class PluginRuntime implements AutoCloseable {
    static final String NOT_STARTED = "the plugin has not started";
    static final Readiness STOPPED = new Readiness.Unavailable(NOT_STARTED);

    private final ConfigurationWatcher watch;
    private final MessageGate gate;
    private final PolicyDistribution distribution;
    private final PostOfficeGate postOffice;
    private final MessageRecords records;
    private final BrokerNotifications notifications;
    private @Nullable AutoCloseable metrics;
    private @Nullable AutoCloseable control;
    private @Nullable KeyOperations keys;
    private @Nullable AutoCloseable reasons; // guarded by this
    private volatile boolean closed;

    private PluginRuntime(
            ActiveMQServer server, ConfigurationWatcher watch, MessageRecords records, Rejections rejections) {
        this.watch = watch;
        this.records = records;
        this.notifications = new BrokerNotifications(server.getManagementService());
        records.audit().begin(server.getConfiguration().getName(), notifications);
        this.gate = new MessageGate(server, this::readiness, records, rejections);
        this.distribution = new PolicyDistribution(server);
        this.postOffice = new PostOfficeGate(server, gate, (message, context) -> {
            try {
                gate.route(message, context);
            } catch (Throwable e) {
                throw rejections.reject(e, message, context.getServerSession(), context.getTransaction());
            }
        });
    }

    static PluginRuntime start(
            ActiveMQServer server, ConfigurationWatcher watch, MessageRecords records, Rejections rejections) {
        PluginRuntime runtime = new PluginRuntime(server, watch, records, rejections);
        watch.start();
        return runtime;
    }

    Readiness readiness() {
        String problem = postOffice.problem();
        return problem == null ? watch.readiness() : new Readiness.Unavailable(problem);
    }

    boolean isClosed() {
        return closed;
    }

    /** Returns the gate before the storage of the post office. */
    PostOfficeGate postOffice() {
        return postOffice;
    }

    MessageGate gate() {
        return gate;
    }

    /**
     * Puts the gates before the storage, and loads policies that the broker keeps. The caller calls this after the
     * broker has loaded its journal and before clients connect.
     */
    void activate(ActiveMQServer server, StompReasons pending) {
        postOffice.install();
        watch.activate(
                server.getStorageManager(),
                new FilteredProperties(server)::problems,
                gate.quarantine()::make,
                distribution::post);
        gate.quarantine().make();
        installStompReasons(server, pending);
    }

    /** Adds the reason of a rejection to the ERROR frame for a STOMP client. */
    private synchronized void installStompReasons(ActiveMQServer server, StompReasons pending) {
        if (reasons == null) {
            try {
                reasons = pending.install(server);
            } catch (LinkageError noStomp) {
                PluginLog.LOG.debug("the broker has no STOMP", noStomp);
            }
        }
    }

    private synchronized void removeStompReasons() {
        AutoCloseable installed = reasons;
        reasons = null;
        end(installed, "Signet's interceptor for STOMP could not be removed");
    }

    /** Removes the gates when the plugin is removed from a running broker. */
    void unprotectStorage() {
        removeStompReasons();
        postOffice.uninstall();
    }

    /** Shows the plugin in the broker's management. The plugin also works if this fails. */
    void register(ActiveMQServer server, Supplier<PluginStatus> status) {
        registerMetrics(server, status);
        try {
            Authority authority = new Authority(server, gate::requester, records.audit());
            PolicyImpact impact = new PolicyImpact(server, this::readiness, authority);
            KeyOperations uses = new KeyOperations(server, authority);
            keys = uses;
            control = SignetControl.register(
                    server.getManagementService(),
                    new SignetControl(
                            status,
                            this::readiness,
                            new SignetControl.Parts(
                                    authority,
                                    watch,
                                    new BacklogOperations(server, gate, authority, records.audit()),
                                    impact,
                                    uses,
                                    new QuarantineOperations(server, gate, authority, records.audit()),
                                    new BrokerCheck(server, SignetPlugin.class, watch::store),
                                    records.audit())));
        } catch (Exception e) {
            PluginLog.LOG.warn("the plugin could not be registered in the broker's management", e);
        }
    }

    /**
     * Stops the plugin, which then rejects every message. The gates stay, because the broker closes its connections
     * later.
     */
    @Override
    public void close() {
        closed = true;
        distribution.close();
        gate.close();
        watch.close();
        records.audit().end();
        notifications.close();
        AutoCloseable registered = metrics;
        metrics = null;
        end(registered, "Signet's metrics could not be removed");
        end(keys, "the queries of keys could not be ended");
        end(control, "the plugin could not be removed from the broker's management");
    }

    /** Registers the metrics. The plugin also works if this fails. */
    private void registerMetrics(ActiveMQServer server, Supplier<PluginStatus> status) {
        try {
            metrics = MicrometerMeters.register(
                    server, records.counters(), status, this::readiness, gate.quarantine()::messages);
        } catch (LinkageError noMicrometer) {
            PluginLog.LOG.debug("the broker has no Micrometer", noMicrometer);
        } catch (RuntimeException e) {
            PluginLog.LOG.warn("Signet's metrics could not be registered", e);
        }
    }

    /** Ends a part that was begun. It logs a failure with this warning. */
    private static void end(@Nullable AutoCloseable begun, String warning) {
        try {
            if (begun != null) {
                begun.close();
            }
        } catch (Exception e) {
            PluginLog.LOG.warn(warning, e);
        }
    }
}
