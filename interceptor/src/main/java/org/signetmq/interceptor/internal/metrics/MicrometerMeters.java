/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.metrics.MetricsManager;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.audit.RejectionReason;
import org.signetmq.interceptor.internal.home.CryptoService;
import org.signetmq.interceptor.internal.home.Readiness;
import org.signetmq.interceptor.internal.status.Counters;
import org.signetmq.interceptor.internal.status.PluginStatus;
import org.signetmq.keystore.trust.RevocationReport;
import org.signetmq.policy.QualityOfProtection;

/**
 * The plugin's meters in the broker's Micrometer registry. Their tags have few values: none is an address, a user or a
 * name. This class is loaded only where the broker has Micrometer.
 */
final class MicrometerMeters implements AutoCloseable {
    private static final String REASON = "reason";
    private static final String QUALITY = "quality";
    private static final String OF = "of";

    /** The upper bounds of the histogram of times. */
    private static final Duration[] TIMES = {
        Duration.ofNanos(10_000),
        Duration.ofNanos(25_000),
        Duration.ofNanos(50_000),
        Duration.ofNanos(100_000),
        Duration.ofNanos(250_000),
        Duration.ofNanos(500_000),
        Duration.ofMillis(1),
        Duration.ofMillis(5),
        Duration.ofMillis(25),
        Duration.ofMillis(100),
        Duration.ofSeconds(1)
    };

    private final MeterRegistry registry;
    private final Tags broker;
    private final MeterSources sources;
    private final List<Meter> meters = new ArrayList<>();

    private MicrometerMeters(MeterRegistry registry, Tags broker, MeterSources sources) {
        this.registry = registry;
        this.broker = broker;
        this.sources = sources;
    }

    /**
     * Registers all meters. The result removes them.
     *
     * @return null if the broker has no registry
     * @throws LinkageError if the broker has no Micrometer
     */
    static @Nullable AutoCloseable register(ActiveMQServer server, MeterSources sources) {
        MetricsManager manager = server.getMetricsManager();
        MeterRegistry registry = manager == null ? null : manager.getMeterRegistry();
        if (registry == null) {
            return null;
        }
        Tags broker = Tags.of(
                MetricsManager.BROKER_TAG_NAME, server.getConfiguration().getName());
        MicrometerMeters meters = new MicrometerMeters(registry, broker, sources);
        try {
            meters.registerAll();
        } catch (RuntimeException | Error incomplete) {
            meters.close();
            throw incomplete;
        }
        return meters;
    }

    private void registerAll() {
        countMessages();
        registerKeys();
        registerRevocations();
        registerState();
        Timer times = Timer.builder(MeterName.SEAL_TIME.text())
                .description("Time to seal a message in memory, of one message in 64")
                .serviceLevelObjectives(TIMES)
                .tags(broker)
                .register(registry);
        meters.add(times);
        sources.counters().timeSealing(nanos -> times.record(nanos, TimeUnit.NANOSECONDS));
    }

    private void countMessages() {
        Counters counters = sources.counters();
        for (QualityOfProtection quality : QualityOfProtection.values()) {
            if (quality != QualityOfProtection.NONE) {
                register(counter(MeterName.SEALED, () -> counters.sealed(quality))
                        .tag(QUALITY, quality.label())
                        .description("Messages that the broker sealed"));
            }
        }
        for (RejectionReason reason : RejectionReason.values()) {
            register(counter(MeterName.REJECTED, () -> counters.rejected(reason))
                    .tag(REASON, reason.label())
                    .description("Messages that the broker rejected"));
        }
        register(counter(MeterName.SEALED_BYTES, counters::sealedBytes)
                .baseUnit("bytes")
                .description("Payload of the messages that the broker sealed"));
        register(counter(MeterName.PASSED, counters::passed).description("Messages that passed unchanged"));
        register(counter(MeterName.UNJUDGED, counters::unjudged)
                .description("Messages in clear that reached the storage before the broker asked the plugin"));
    }

    private void registerKeys() {
        register(counter(MeterName.KEYS_BEGUN, ofCrypto(CryptoService::begunKeys))
                .description("Data keys that messages began to use"));
        register(counter(MeterName.KEY_WAITS, ofCrypto(CryptoService::dryTakes))
                .description("Messages that waited for a data key because the pool was dry"));
        CertificateEnds ends = new CertificateEnds(sources.readiness());
        String description = "Days to the nearest end of a certificate";
        register(gauge(MeterName.CERTIFICATE_DAYS, ends::daysOfIdentity)
                .tag(OF, "identity")
                .baseUnit("days")
                .description(description));
        register(gauge(MeterName.CERTIFICATE_DAYS, ends::daysOfRecipients)
                .tag(OF, "recipient")
                .baseUnit("days")
                .description(description));
    }

    private void registerRevocations() {
        register(gauge(
                        MeterName.CERTIFICATES_UNKNOWN,
                        ofRevocations(report -> report.unknown().size()))
                .description("Certificates in use of which it is not known whether they are revoked"));
        register(gauge(
                        MeterName.REVOCATIONS_FAILING,
                        ofRevocations(report -> report.sources().stream()
                                .filter(source -> source.problem().isPresent())
                                .count()))
                .description("Addresses of revocation lists and OCSP responders that were of no use the last time"));
    }

    /** Returns a number of the state of revocations, which is none while the plugin is not ready. */
    private DoubleSupplier ofRevocations(ToLongFunction<RevocationReport> number) {
        return () -> sources.readiness().get() instanceof Readiness.Ready ready
                ? number.applyAsLong(ready.home().names().trust().revocations())
                : Double.NaN;
    }

    private void registerState() {
        register(gauge(MeterName.STATE, () -> number(status().state()))
                .description("State of the plugin: 0 ready, 1 degraded, 2 failed"));
        register(gauge(MeterName.POLICY_VERSION, () -> status().policies().version())
                .description("Version of the policies in force"));
        register(gauge(
                        MeterName.POLICIES,
                        () -> sources.readiness().get() instanceof Readiness.Ready ready
                                ? ready.policies().policies().size()
                                : 0)
                .description("Number of policies in force"));
    }

    private static int number(PluginStatus.State state) {
        return switch (state) {
            case READY -> 0;
            case DEGRADED -> 1;
            case FAILED -> 2;
        };
    }

    private PluginStatus status() {
        return sources.status().get();
    }

    /** Returns a count of the keys, which stays while the plugin is not ready. */
    private LongSupplier ofCrypto(ToLongFunction<CryptoService> count) {
        AtomicLong last = new AtomicLong();
        return () -> {
            if (sources.readiness().get() instanceof Readiness.Ready ready) {
                last.set(count.applyAsLong(ready.home().crypto()));
            }
            return last.get();
        };
    }

    private FunctionCounter.Builder<MicrometerMeters> counter(MeterName name, LongSupplier value) {
        return FunctionCounter.builder(name.text(), this, self -> value.getAsLong())
                .tags(broker);
    }

    private Gauge.Builder<MicrometerMeters> gauge(MeterName name, DoubleSupplier value) {
        return Gauge.builder(name.text(), this, self -> value.getAsDouble()).tags(broker);
    }

    private void register(FunctionCounter.Builder<MicrometerMeters> counter) {
        meters.add(counter.register(registry));
    }

    private void register(Gauge.Builder<MicrometerMeters> gauge) {
        meters.add(gauge.register(registry));
    }

    @Override
    public void close() {
        sources.counters().timeSealing(null);
        meters.forEach(registry::remove);
        meters.clear();
    }
}
