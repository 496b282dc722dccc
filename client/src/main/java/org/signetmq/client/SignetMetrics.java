/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;
import org.signetmq.client.internal.message.OpenOutcomes;
import org.signetmq.client.internal.message.OpenOutcomes.Fate;
import org.signetmq.client.internal.opening.ClientPolicies;

/**
 * Registers the meters of a connection factory in a Micrometer registry. The application brings Micrometer; nothing
 * else of the client needs it. The meters count since the factory was made:
 *
 * <ul>
 *   <li>{@code signet.client.opened}: messages that were opened
 *   <li>{@code signet.client.failed}: attempts that failed, by {@code reason}, an {@link OpenFailure}
 *   <li>{@code signet.client.unopened}: messages that could not be opened, by {@code reason} and {@code fate}:
 *       {@code quarantined}, {@code skipped}, or {@code rejected} for each time that one went back to the broker
 *   <li>{@code signet.client.failing}: failures in a row since the last message that was opened, of the consumer's
 *       address that has most of them
 *   <li>{@code signet.client.open.time}: time to open one message, of one message in 64
 *   <li>{@code signet.client.keys.opened}: data keys that were unwrapped with a private key
 * </ul>
 *
 * <p>A factory of a home has these gauges:
 *
 * <ul>
 *   <li>{@code signet.client.policies.version}: the version of the policies in force; 0 if there are none
 *   <li>{@code signet.client.policies.in.force}: 1 for the {@code source} of these policies, 0 for others:
 *       {@code file}, {@code broker}, or {@code disk} for those that the broker published earlier
 *   <li>{@code signet.client.policies.age}: seconds since the broker last published a good set
 * </ul>
 *
 * <p>Factories that {@code with} methods made share the counts with their origin. Thread-safe.
 */
public final class SignetMetrics implements MeterBinder {
    private static final Duration[] TIMES = LongStream.of(10, 50, 100, 500, 1_000, 5_000, 25_000, 100_000, 1_000_000)
            .mapToObj(micros -> Duration.of(micros, ChronoUnit.MICROS))
            .toArray(Duration[]::new);

    private final SignetConnectionFactory factory;
    private final Tags tags;

    /** Makes a binder without tags of its own. */
    public SignetMetrics(SignetConnectionFactory factory) {
        this(factory, Tags.empty());
    }

    /** Makes a binder that adds these tags to each meter, such as the name of the factory. */
    public SignetMetrics(SignetConnectionFactory factory, Iterable<Tag> tags) {
        this.factory = factory;
        this.tags = Tags.of(tags);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        count(
                        "opened",
                        "Messages that were opened",
                        made -> made.opener.outcomes().opened())
                .register(registry);
        count(
                        "keys.opened",
                        "Data keys that were unwrapped with a private key",
                        made -> made.opener.opener().unwraps())
                .register(registry);
        for (OpenFailure failure : OpenFailure.values()) {
            count(
                            "failed",
                            "Attempts to open a message that failed",
                            made -> made.opener.outcomes().failures(failure.label()))
                    .tag("reason", failure.label())
                    .register(registry);
            for (Fate fate : Fate.values()) {
                count(
                                "unopened",
                                "Messages that could not be opened, by their fate",
                                made -> made.opener.outcomes().unopened(fate, failure.label()))
                        .tag("reason", failure.label())
                        .tag("fate", fate.name().toLowerCase(Locale.ROOT))
                        .register(registry);
            }
        }
        gauge(
                        "failing",
                        "Failures in a row of the address that has most of them",
                        factory.opener.outcomes(),
                        OpenOutcomes::failing)
                .register(registry);
        ClientPolicies policies = factory.opener.policies();
        if (policies != null) {
            gauge("policies.version", "Version of the policies in force", policies, ClientPolicies::version)
                    .register(registry);
            gauge("policies.age", "Time since the broker last published a good set", policies, ClientPolicies::age)
                    .baseUnit("seconds")
                    .register(registry);
            for (ClientPolicies.Source source : ClientPolicies.Source.values()) {
                gauge("policies.in.force", "Source of the policies in force", policies, p -> p.isFrom(source) ? 1 : 0)
                        .tag("source", source.name().toLowerCase(Locale.ROOT))
                        .register(registry);
            }
        }
        Timer timer = Timer.builder(name("open.time"))
                .description("Time to open one message, of one message in 64")
                .serviceLevelObjectives(TIMES)
                .tags(tags)
                .register(registry);
        factory.opener.outcomes().addReceiver(nanos -> timer.record(nanos, TimeUnit.NANOSECONDS));
    }

    private FunctionCounter.Builder<SignetConnectionFactory> count(
            String name, String description, ToDoubleFunction<SignetConnectionFactory> value) {
        return FunctionCounter.builder(name(name), factory, value)
                .description(description)
                .tags(tags);
    }

    private <T> Gauge.Builder<T> gauge(String name, String description, T of, ToDoubleFunction<T> value) {
        return Gauge.builder(name(name), of, value).description(description).tags(tags);
    }

    private static String name(String end) {
        return "signet.client." + end;
    }
}
