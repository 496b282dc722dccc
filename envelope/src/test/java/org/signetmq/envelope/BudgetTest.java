/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.testkit.Tier;

/** Hostile envelopes cost no more than the budget of {@code docs/format.md}, in operations and in bytes. */
final class BudgetTest {
    private static final int MEBIBYTE = 1 << 20;
    private static final int ROUNDS = Tier.rounds(300);

    @TempDir
    static Path folder;

    private static EnvelopeForge forge;
    private static OpeningTarget target;

    @BeforeAll
    static void prepare() throws IOException, GeneralSecurityException {
        forge = new EnvelopeForge(folder);
        target = new OpeningTarget(forge);
    }

    @AfterAll
    static void close() {
        target.close();
    }

    static Stream<HostileEnvelopes.Attack> attacks() throws IOException, GeneralSecurityException {
        return new HostileEnvelopes(forge).all().stream();
    }

    @Tag(Tier.LONG)
    @ParameterizedTest
    @MethodSource("attacks")
    void hostileEnvelopeOfAMebibyte_staysWithinTheBudget(HostileEnvelopes.Attack attack) {
        byte[] envelope = attack.ofLength(MEBIBYTE);
        assertThat(envelope.length).isLessThanOrEqualTo(MEBIBYTE);

        every(envelope);
    }

    @ParameterizedTest
    @MethodSource("attacks")
    void smallHostileEnvelope_staysWithinTheBudget(HostileEnvelopes.Attack attack) {
        every(attack.ofLength(20_000));
    }

    @Test
    void randomEnvelopes_stayWithinTheBudget() {
        long seed = Long.getLong("signet.seed", System.nanoTime());
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            byte[] program = new byte[2 + random.nextInt(100)];
            random.nextBytes(program);
            program[0] |= 4; // an envelope that is changed
            try {
                every(EnvelopeMutation.envelope(forge, program));
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + " round " + round + ": " + e.getMessage(), e);
            }
        }
    }

    private static void every(byte[] envelope) {
        target.open(envelope);
        target.openSegments(envelope);
        target.check(envelope);
        target.describe(envelope);
    }
}
