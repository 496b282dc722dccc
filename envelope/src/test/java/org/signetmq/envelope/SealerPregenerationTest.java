/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.envelope.message.BodyKind;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.keys.PregenerationSettings;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.testkit.Tier;

/** Checks data keys that are made in advance. */
final class SealerPregenerationTest {
    /** One of this number of messages, each with a fresh key, finds a pool of four keys empty. */
    private static final int MOST_SEALED = 50_000;

    private static final int THREADS = 16;
    private static final int MESSAGES = 100; // of each thread, at least
    private static final int CHANGES = 8;

    /** Shared by all tests, because RSA keys are slow to make. */
    @RegisterExtension
    static Parties parties = new Parties();

    private final SwitchingDirectory directory = new SwitchingDirectory();

    @BeforeEach
    void readers() {
        directory.readers =
                List.of(parties.identity("old", KeyAlgorithm.RSA_2048), parties.identity("new", KeyAlgorithm.RSA_2048));
        directory.home = parties.home.recipientDirectory();
    }

    @ParameterizedTest
    @EnumSource(names = {"RSA_2048", "EC_P256"})
    void steadyProducer_waitsForNoKey(KeyAlgorithm algorithm) {
        Identity reader = parties.identity(algorithm.label(), algorithm);
        Policy policy = Policy.privacy(Parties.ADDRESS, List.of(reader.name()));
        try (Sealer sealer = sealer(PregenerationSettings.AUTO)) {
            seal(sealer, new EffectivePolicy(policy, 1), reader);
            assertThat(sealer.keyWaits()).isEqualTo(1);

            await().until(() -> {
                long before = sealer.keyWaits();
                for (int i = 0; i < 20; i++) {
                    LockSupport.parkNanos(1_000_000);
                    seal(sealer, new EffectivePolicy(policy, 1), reader);
                }
                return sealer.keyWaits() == before;
            });
        }
    }

    @Test
    void burstBeyondTheCapacity_isSealedAndItsWaitsAreCounted() {
        Identity reader = directory.readers.get(0);
        EffectivePolicy policy = fresh();
        int capacity = 4;
        int burst = 200;
        try (Sealer sealer = sealer(PregenerationSettings.of(1, capacity))) {
            Opener opener = parties.opener(List.of(reader), Parties.policies(policy.policy()));

            for (int i = 0; i < burst; i++) {
                opener.open(seal(sealer, policy, reader), Parties.ADDRESS);
            }
            long whileOpening = sealer.keyWaits(); // which takes longer than making a key
            int sealed = 0;
            while (sealed < MOST_SEALED && sealer.keyWaits() == whileOpening) { // as long as the pool keeps up
                seal(sealer, policy, reader);
                sealed++;
            }

            assertThat(whileOpening).isBetween(0L, (long) burst);
            assertThat(sealer.keyWaits()).isBetween(whileOpening + 1, whileOpening + sealed);
        }
    }

    @Test
    void off_everyNewKeyIsWaitedForAndCounted() {
        try (Sealer sealer = sealer(PregenerationSettings.OFF)) {
            seal(sealer, fresh(), directory.readers.get(0));
            seal(sealer, fresh(), directory.readers.get(0));

            assertThat(sealer.keyWaits()).isEqualTo(2);
        }
    }

    /** A message that is begun after the certificate changed is never sealed with a key from before, pooled or not. */
    @Tag(Tier.LONG)
    @ParameterizedTest
    @ValueSource(longs = {1, 32})
    void certificateChangesUnderLoad_nextMessageIsForTheNewKey(long reuse) throws Exception {
        EffectivePolicy policy = new EffectivePolicy(
                Policy.confidentiality(Parties.ADDRESS, List.of(SwitchingDirectory.SWITCHING), limits(reuse)), 1);

        underLoad(state -> policy, directory::change);
    }

    static Stream<Long> reuses() {
        return Tier.cases(1, 32L, 1L);
    }

    @Tag(Tier.LONG)
    @ParameterizedTest
    @MethodSource("reuses")
    void policyChangesUnderLoad_nextMessageIsForItsRecipients(long reuse) throws Exception {
        List<String> names = List.of("old", "new");
        AtomicInteger state = directory.state;

        underLoad(
                now -> new EffectivePolicy(
                        Policy.confidentiality(Parties.ADDRESS, List.of(names.get(now % 2)), limits(reuse)), now + 1),
                state::incrementAndGet);
    }

    private void underLoad(IntFunction<EffectivePolicy> policies, Runnable change) throws Exception {
        Identity signer = directory.readers.get(0);
        List<byte[]> sealed = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try (Sealer sealer = sealer(PregenerationSettings.of(4, 50))) {
            List<Future<List<byte[]>>> results = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                results.add(threads.submit(load(sealer, policies, signer)));
            }
            for (int i = 0; i < CHANGES; i++) {
                LockSupport.parkNanos(20_000_000);
                change.run();
            }
            directory.over = true;
            for (Future<List<byte[]>> result : results) {
                sealed.addAll(result.get());
            }
        } finally {
            threads.shutdownNow();
        }
        assertAllOpen(sealed, policies.apply(0).policy());
    }

    /** Returns a load that records the reader of each message, if no change happened during its sealing. */
    private Callable<List<byte[]>> load(Sealer sealer, IntFunction<EffectivePolicy> policies, Identity signer) {
        return () -> {
            List<byte[]> sealed = new ArrayList<>();
            while (!directory.over || sealed.size() < MESSAGES) {
                int before = directory.state.get();
                byte[] envelope = seal(sealer, policies.apply(before), signer);
                int after = directory.state.get();
                if (before == after) {
                    assertThat(EnvelopeDescription.of(envelope).recipients())
                            .singleElement()
                            .extracting(EnvelopeDescription.RecipientDescription::identifier)
                            .isEqualTo("ski:" + directory.reader(before).keyIdentifier());
                }
                sealed.add(envelope);
            }
            return sealed;
        };
    }

    private void assertAllOpen(List<byte[]> sealed, Policy policy) {
        assertThat(sealed).hasSizeGreaterThanOrEqualTo(THREADS * MESSAGES);
        Opener opener = parties.opener(directory.readers, Parties.policies(policy));
        Set<String> identifiers = new HashSet<>();
        for (int i = 0; i < sealed.size(); i += Math.max(1, sealed.size() / 500)) { // RSA takes its time
            OpenedMessage opened = opener.open(sealed.get(i), Parties.ADDRESS);
            assertThat(opened.payload()).isEqualTo(PAYLOAD);
            identifiers.add(opened.entityIfProtected().orElseThrow().messageId());
        }
        assertThat(identifiers).hasSizeGreaterThanOrEqualTo(500);
    }

    private static final byte[] PAYLOAD = "two of them, please".getBytes(StandardCharsets.UTF_8);

    private static byte[] seal(Sealer sealer, EffectivePolicy policy, Identity signer) {
        ClearMessage message = new ClearMessage(
                Parties.ADDRESS, new ClearMessage.Body(BodyKind.JMS_TEXT, "text/plain"), PAYLOAD, null, Map.of());
        return sealer.seal(message, policy, signer);
    }

    private Sealer sealer(PregenerationSettings settings) {
        return Sealer.create(directory, parties.home.certificateTrust(), Clock.systemUTC(), settings);
    }

    private static EffectivePolicy fresh() {
        return new EffectivePolicy(Policy.confidentiality(Parties.ADDRESS, List.of("old"), limits(1)), 1);
    }

    private static KeyLimits limits(long reuse) {
        return new KeyLimits(reuse, 1 << 20, Duration.ofHours(1));
    }

    /** A directory that changes the certificate of one entry on demand. */
    private static final class SwitchingDirectory extends RenamedRecipients {
        static final String SWITCHING = "switching";

        final AtomicInteger state = new AtomicInteger();
        volatile boolean over;
        List<Identity> readers = List.of();

        @SuppressWarnings("NullAway.Init") // set before each test
        RecipientDirectory home;

        Identity reader(int now) {
            return readers.get(now % readers.size());
        }

        void change() {
            state.incrementAndGet();
        }

        @Override
        RecipientDirectory home() {
            return home;
        }

        @Override
        String meant(String selector) {
            return selector.equals(SWITCHING) ? reader(state.get()).name() : selector;
        }

        @Override
        long changes() {
            return state.get();
        }
    }
}
