/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import java.util.function.Supplier;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.audit.AuditLog;
import org.signetmq.interceptor.internal.audit.BrokerNotifications;
import org.signetmq.interceptor.internal.home.Readiness;
import org.signetmq.interceptor.internal.log.PluginLog;
import org.signetmq.interceptor.internal.metrics.MicrometerMeters;
import org.signetmq.interceptor.internal.status.MessageRecords;
import org.signetmq.interceptor.internal.status.PluginStatus;

/** Connects the plugin's records with a broker while it runs: notifications of audited events, and metrics. */
final class Observation implements AutoCloseable {
    private final ActiveMQServer server;
    private final MessageRecords records;
    private final BrokerNotifications notifications;
    private @Nullable AutoCloseable metrics;

    /** Begins to send notifications. */
    Observation(ActiveMQServer server, MessageRecords records) {
        this.server = server;
        this.records = records;
        this.notifications = new BrokerNotifications(server.getManagementService());
        records.audit().begin(server.getConfiguration().getName(), notifications);
    }

    /** Returns the audit log. */
    AuditLog audit() {
        return records.audit();
    }

    /** Registers the metrics. The plugin also works if this fails. */
    void begin(Supplier<PluginStatus> status, Supplier<Readiness> readiness) {
        try {
            metrics = MicrometerMeters.register(server, records.counters(), status, readiness);
        } catch (LinkageError noMicrometer) {
            PluginLog.LOG.debug("the broker has no Micrometer", noMicrometer);
        } catch (RuntimeException e) {
            PluginLog.LOG.warn("Signet's metrics could not be registered", e);
        }
    }

    @Override
    public void close() {
        records.audit().end();
        notifications.close();
        AutoCloseable registered = metrics;
        metrics = null;
        if (registered != null) {
            try {
                registered.close();
            } catch (Exception e) {
                PluginLog.LOG.warn("Signet's metrics could not be removed", e);
            }
        }
    }
}
