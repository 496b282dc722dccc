/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.metrics;

import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.log.PluginLog;

/** The registered meters of one broker. */
public final class BrokerMetrics implements AutoCloseable {
    private final AutoCloseable meters;

    private BrokerMetrics(AutoCloseable meters) {
        this.meters = meters;
    }

    /** Registers the meters; null if the broker has no registry, or no Micrometer. It throws no exception. */
    @Nullable
    public static BrokerMetrics register(ActiveMQServer server, MeterSources sources) {
        try {
            AutoCloseable meters = MicrometerMeters.register(server, sources);
            return meters == null ? null : new BrokerMetrics(meters);
        } catch (LinkageError noMicrometer) {
            PluginLog.LOG.debug("the broker has no Micrometer", noMicrometer);
        } catch (RuntimeException e) {
            PluginLog.LOG.warn("Signet's metrics could not be registered", e);
        }
        return null;
    }

    /** Removes the meters. */
    @Override
    public void close() {
        try {
            meters.close();
        } catch (Exception e) {
            PluginLog.LOG.warn("Signet's metrics could not be removed", e);
        }
    }
}
