/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import java.util.Map;
import org.apache.activemq.artemis.core.config.MetricsConfiguration;
import org.apache.activemq.artemis.core.server.metrics.ActiveMQMetricsPlugin;

/** The metrics of a broker as Prometheus reads them. */
final class ScrapedBroker implements ActiveMQMetricsPlugin {
    private static final long serialVersionUID = 1L;

    private final transient PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    @Override
    public ActiveMQMetricsPlugin init(Map<String, String> options) {
        return this;
    }

    @Override
    public MeterRegistry getRegistry() {
        return registry;
    }

    /** Gives the broker this registry. */
    TestBroker.Setup in(TestBroker.Setup setup) {
        return setup.with(configuration -> configuration.setMetricsConfiguration(
                new MetricsConfiguration().setPlugin(this).setJvmMemory(false)));
    }

    String text() {
        return registry.scrape();
    }

    /** The lines of Signet with a value. */
    List<String> ofSignet() {
        return text().lines().filter(line -> line.startsWith("artemis_signet_")).toList();
    }

    /** The value of the sample with this name, and these labels beside that of the broker. */
    double value(String name, String labels) {
        String start = name + "{broker=\"localhost\"" + (labels.isEmpty() ? "" : "," + labels) + "} ";
        return ofSignet().stream()
                .filter(line -> line.startsWith(start))
                .map(line -> Double.parseDouble(line.substring(start.length())))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + start + " in " + ofSignet()));
    }
}
