/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.status;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.metrics.MetricsManager;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.audit.RejectionReason;
import org.signetmq.interceptor.internal.home.CryptoService;
import org.signetmq.interceptor.internal.home.HomeNames;
import org.signetmq.interceptor.internal.home.Readiness;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.trust.RevocationReport;
import org.signetmq.policy.QualityOfProtection;

/**
 * The plugin's meters in the broker's Micrometer registry. Their tags have few values: none is an address, a user or a
 * name. This class is loaded only where the broker has Micrometer.
 */
public record MicrometerMeters(
        MeterRegistry registry, Tags broker, Counters counters, Supplier<Readiness> readiness, List<Meter> meters)
        implements AutoCloseable {
    private static final double SECONDS_OF_DAY = Duration.ofDays(1).toSeconds();

    /** The upper bounds of the histogram of times. */
    private static final Duration[] TIMES = Stream.of(10, 25, 50, 100, 250, 500, 1000, 5000, 25_000, 100_000, 1_000_000)
            .map(micros -> Duration.ofNanos(micros * 1000L))
            .toArray(Duration[]::new);

    /**
     * Registers all meters. The result removes them.
     *
     * @param quarantined returns the number of messages in quarantine
     * @return null if the broker has no registry
     * @throws LinkageError if the broker has no Micrometer
     */
    public static @Nullable AutoCloseable register(
            ActiveMQServer server,
            Counters counters,
            Supplier<PluginStatus> status,
            Supplier<Readiness> readiness,
            Supplier<Number> quarantined) {
        MetricsManager manager = server.getMetricsManager();
        MeterRegistry registry = manager == null ? null : manager.getMeterRegistry();
        if (registry == null) {
            return null;
        }
        Tags broker = Tags.of(
                MetricsManager.BROKER_TAG_NAME, server.getConfiguration().getName());
        MicrometerMeters meters = new MicrometerMeters(registry, broker, counters, readiness, new ArrayList<>());
        try {
            meters.registerAll(status);
            meters.gaugeOf(MeterName.QUARANTINED, quarantined);
        } catch (RuntimeException | Error incomplete) {
            meters.close();
            throw incomplete;
        }
        return meters;
    }

    private void registerAll(Supplier<PluginStatus> status) {
        for (QualityOfProtection quality : QualityOfProtection.values()) {
            if (quality != QualityOfProtection.NONE) {
                count(MeterName.SEALED, () -> counters.sealed(quality), "quality", quality.label());
            }
        }
        for (RejectionReason reason : RejectionReason.values()) {
            count(MeterName.REJECTED, () -> counters.rejected(reason), "reason", reason.label());
        }
        count(MeterName.SEALED_BYTES, counters::sealedBytes);
        count(MeterName.PASSED, counters::passed);
        count(MeterName.UNJUDGED, counters::unjudged);
        count(MeterName.KEYS_BEGUN, ofCrypto(CryptoService::begunKeys));
        count(MeterName.KEY_WAITS, ofCrypto(CryptoService::dryTakes));
        gauge(MeterName.CERTIFICATE_DAYS, MicrometerMeters::daysOfIdentity, "of", "identity");
        gauge(MeterName.CERTIFICATE_DAYS, MicrometerMeters::daysOfRecipients, "of", "recipient");
        gauge(
                MeterName.CERTIFICATES_UNKNOWN,
                ready -> revocations(ready).unknown().size());
        gauge(
                MeterName.REVOCATIONS_FAILING,
                ready -> revocations(ready).sources().stream()
                        .filter(source -> source.problem().isPresent())
                        .count());
        gaugeOf(MeterName.STATE, () -> switch (status.get().state()) {
            case READY -> 0;
            case DEGRADED -> 1;
            case FAILED -> 2;
        });
        gaugeOf(MeterName.POLICY_VERSION, () -> status.get().policies().version());
        gaugeOf(
                MeterName.POLICIES,
                () -> readiness.get() instanceof Readiness.Ready ready
                        ? ready.policies().policies().size()
                        : 0);
        Timer times = Timer.builder(MeterName.SEAL_TIME.text())
                .description(MeterName.SEAL_TIME.description)
                .serviceLevelObjectives(TIMES)
                .tags(broker)
                .register(registry);
        meters.add(times);
        counters.timeSealing(nanos -> times.record(nanos, TimeUnit.NANOSECONDS));
    }

    private static RevocationReport revocations(Readiness.Ready ready) {
        return ready.home().names().files().revocations();
    }

    /** Returns the days to the end of the broker's own certificate; not a number if it is unknown. */
    private static double daysOfIdentity(Readiness.Ready ready) {
        try {
            return days(ready.home().identities().ofBroker().certificate());
        } catch (KeystoreUnusableException unknown) {
            return Double.NaN;
        }
    }

    /** Returns the days to the first end among the recipients in policies; not a number if there is none. */
    private static double daysOfRecipients(Readiness.Ready ready) {
        Stream<String> names = ready.policies().policies().stream()
                .filter(policy -> policy.quality().encrypts())
                .flatMap(policy -> ready.policies().applied(policy).encryption().recipients().stream());
        HomeNames known = ready.home().names();
        return known.byAllAddresses(names)
                .flatMap(name -> known.named(name).stream())
                .mapToDouble(recipient -> days(recipient.certificate()))
                .min()
                .orElse(Double.NaN);
    }

    private static double days(X509Certificate certificate) {
        Instant end = certificate.getNotAfter().toInstant();
        return Duration.between(Instant.now(), end).toSeconds() / SECONDS_OF_DAY;
    }

    /** Returns a count of the keys, which stays while the plugin is not ready. */
    private LongSupplier ofCrypto(ToLongFunction<CryptoService> count) {
        AtomicLong last = new AtomicLong();
        return () -> {
            if (readiness.get() instanceof Readiness.Ready ready) {
                last.set(count.applyAsLong(ready.home().crypto()));
            }
            return last.get();
        };
    }

    private void count(MeterName name, LongSupplier value, String... tags) {
        meters.add(FunctionCounter.builder(name.text(), this, self -> value.getAsLong())
                .description(name.description)
                .baseUnit(name.unit)
                .tags(broker.and(tags))
                .register(registry));
    }

    /** Registers a number that is none while the plugin is not ready. */
    private void gauge(MeterName name, ToDoubleFunction<Readiness.Ready> value, String... tags) {
        gaugeOf(
                name,
                () -> readiness.get() instanceof Readiness.Ready ready ? value.applyAsDouble(ready) : Double.NaN,
                tags);
    }

    private void gaugeOf(MeterName name, Supplier<Number> value, String... tags) {
        meters.add(Gauge.builder(name.text(), this, self -> value.get().doubleValue())
                .description(name.description)
                .baseUnit(name.unit)
                .tags(broker.and(tags))
                .register(registry));
    }

    @Override
    public void close() {
        counters.timeSealing(null);
        meters.forEach(registry::remove);
        meters.clear();
    }

    /**
     * The names of the meters. They have the prefix of the broker's own meters, because they stand in its registry and
     * have its tag: filters and dashboards for {@code artemis} include them.
     */
    public enum MeterName {
        SEALED("Messages that the broker sealed"),
        SEALED_BYTES("Payload of the messages that the broker sealed", "bytes"),
        SEAL_TIME("Time to seal a message in memory, of one message in 64"),
        PASSED("Messages that passed unchanged"),
        REJECTED("Messages that the broker rejected"),
        UNJUDGED("Messages in clear that reached the storage before the broker asked the plugin"),
        KEYS_BEGUN("Data keys that messages began to use"),
        KEY_WAITS("Messages that waited for a data key because the pool was dry"),
        CERTIFICATE_DAYS("Days to the nearest end of a certificate", "days"),
        CERTIFICATES_UNKNOWN("Certificates in use of which it is not known whether they are revoked"),
        REVOCATIONS_FAILING("Addresses of revocation lists and OCSP responders that were of no use the last time"),
        QUARANTINED("Messages in quarantine"),
        POLICY_VERSION("Version of the policies in force"),
        POLICIES("Number of policies in force"),
        STATE("State of the plugin: 0 ready, 1 degraded, 2 failed");

        private static final String PREFIX = "artemis.signet.";

        private final String description;
        private final @Nullable String unit;

        MeterName(String description) {
            this(description, null);
        }

        MeterName(String description, @Nullable String unit) {
            this.description = description;
            this.unit = unit;
        }

        /** Returns the name of the meter. */
        public String text() {
            return PREFIX + name().toLowerCase(Locale.ROOT).replace('_', '.');
        }
    }
}
