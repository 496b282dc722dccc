/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.StreamSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.policy.file.PolicyFile;
import org.signetmq.testkit.Tier;

/** A broker that is killed while an administrator changes its policies. */
@Timeout(900)
@Tag(Tier.LONG)
final class PolicyCrashIT {
    private static final int CHANGES = 50;

    /** A broker makes at most this number of changes and a part of the next one before it is killed. */
    private static final int MOST_CHANGES_OF_A_BROKER = 16;

    /** About as long as a change takes. */
    private static final int NANOS_OF_A_CHANGE = 200_000_000;

    /** This number of policies takes several records of the journal. */
    private static final int POLICIES = 4_000;

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private final AtomicLong answered = new AtomicLong();

    @TempDir
    private Path folder;

    @Test
    void killedBroker_hasTheOldOrTheNewPolicies_andKeepsWhatWasAnswered() throws Exception {
        new TestHomes(folder);
        long version = 0;
        int kills = 0;
        while (version < CHANGES) {
            try (BrokerProcess broker = BrokerProcess.shortLived(folder, "-Xmx512m", "-Dpolicy-store=broker")) {
                version = requireConsistent(broker);
                long from = version;
                CompletableFuture<Void> changes = CompletableFuture.runAsync(() -> change(broker, from));
                long enough = from + random.nextInt(MOST_CHANGES_OF_A_BROKER + 1);
                Awaitility.await()
                        .pollInterval(Duration.ofMillis(1))
                        .until(() -> changes.isDone() || answered.get() >= enough);
                LockSupport.parkNanos(random.nextInt(NANOS_OF_A_CHANGE));
                broker.kill();
                kills++;
                changes.get(3, TimeUnit.MINUTES);
            }
        }
        try (BrokerProcess broker = BrokerProcess.shortLived(folder, "-Xmx512m", "-Dpolicy-store=broker")) {
            assertThat(requireConsistent(broker)).isGreaterThanOrEqualTo(CHANGES);
        }
        assertThat(kills).as("kills, seed %d", seed).isPositive();
    }

    /** Changes all policies again and again, until the broker is gone. */
    private void change(BrokerProcess broker, long from) {
        long version = from;
        try (ControlClient admin = new ControlClient(broker.uri() + "?callTimeout=180000", null)) {
            while (true) {
                JsonNode answer = admin.replace(version, document(version + 1));
                assertThat(answer.path("outcome").textValue()).isEqualTo("changed");
                version = answer.path("version").longValue();
                answered.set(version);
            }
        } catch (Exception gone) {
            // the broker was killed
        }
    }

    /** Returns policies whose patterns begin with their version. */
    private String document(long version) {
        List<Policy> policies = new ArrayList<>();
        byte[] name = new byte[32];
        for (int i = 0; i < POLICIES; i++) {
            random.nextBytes(name);
            policies.add(Policy.integrity("v" + version + "." + HexFormat.of().formatHex(name)));
        }
        return PolicyFile.format(PolicySet.of(1, UnmatchedAddress.PASS, policies));
    }

    /**
     * Returns the version in force, after a check that all policies are of that version, and the former ones of theirs.
     */
    private long requireConsistent(BrokerProcess broker) throws Exception {
        try (ControlClient admin = new ControlClient(broker.uri(), null)) {
            assertThat(admin.invoke("getState")).as("seed %d", seed).isEqualTo("READY");
            PolicySet policies = requireWhole(admin, "listPolicies", 0);
            long version = policies.version();
            assertThat(version).as("seed %d", seed).isGreaterThanOrEqualTo(answered.get());
            assertThat(policies.policies().size()).isEqualTo(version == 0 ? 0 : POLICIES);
            List<Long> former = StreamSupport.stream(
                            admin.call("listHistory").path("former").spliterator(), false)
                    .map(set -> set.path("version").longValue())
                    .toList();
            assertThat(former)
                    .as("seed %d", seed)
                    .isEqualTo(LongStream.range(0, former.size())
                            .mapToObj(age -> version - 1 - age)
                            .toList());
            if (version > 1) {
                assertThat(requireWhole(admin, "listFormerPolicies", former.get(0))
                                .policies())
                        .hasSize(POLICIES);
            }
            return version;
        }
    }

    /** Reads policies, and checks that all of them are of their version. */
    private PolicySet requireWhole(ControlClient admin, String operation, long asked) throws Exception {
        StringBuilder text = new StringBuilder();
        JsonNode part;
        do {
            part = admin.call(operation, asked, text.length());
            text.append(part.path("text").textValue());
        } while (text.length() < part.path("length").intValue());
        PolicySet policies = PolicyFile.parse(text.toString(), PartyValidator.acceptAll());
        assertThat(policies.policies().stream()
                        .map(policy -> policy.pattern().replaceFirst("\\..*", ""))
                        .collect(Collectors.toSet()))
                .as("seed %d", seed)
                .isEqualTo(policies.version() == 0 ? Set.of() : Set.of("v" + policies.version()));
        return policies;
    }
}
