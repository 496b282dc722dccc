/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.system;

import com.sun.net.httpserver.HttpServer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import org.apache.activemq.artemis.core.server.metrics.ActiveMQMetricsPlugin;

/** Serves the metrics of a broker as Prometheus reads them. It runs in the broker. */
public final class PrometheusPage implements ActiveMQMetricsPlugin {
    private static final long serialVersionUID = 1L;

    private final transient PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    @Override
    public ActiveMQMetricsPlugin init(Map<String, String> options) {
        try {
            HttpServer server = HttpServer.create(
                    new InetSocketAddress(
                            InetAddress.getLoopbackAddress(),
                            Integer.parseInt(Objects.requireNonNull(options.get("port")))),
                    0);
            server.createContext("/metrics", exchange -> {
                byte[] text = registry.scrape().getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, text.length);
                try (OutputStream body = exchange.getResponseBody()) {
                    body.write(text);
                }
            });
            server.start();
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public MeterRegistry getRegistry() {
        return registry;
    }
}
