/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import java.io.IOException;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.envelope.internal.der.DerWriter;
import org.signetmq.testkit.Tier;

/**
 * Any input costs no more than the budget of {@code docs/format.md}, and ends in a documented exception or a message.
 * The build runs the recorded inputs; {@code CONTRIBUTING.md} says how to look for new ones. An input is a program of
 * {@link EnvelopeMutation}.
 */
final class OpeningFuzzTest {
    private static final int RANDOM_PROGRAMS = Tier.rounds(40);

    /** Made once for all methods: the fuzzer makes no instance of its own. */
    private static final class Made {
        static final OpeningTarget TARGET = make();

        private static OpeningTarget make() {
            try {
                OpeningTarget made = new OpeningTarget(new EnvelopeForge(Files.createTempDirectory("signet-fuzz")));
                if (System.getenv("JAZZER_FUZZ") != null) {
                    made.chooseOnePolicy();
                }
                return made;
            } catch (IOException | GeneralSecurityException impossible) {
                throw new IllegalStateException(impossible);
            }
        }
    }

    private static OpeningTarget target() {
        return Made.TARGET;
    }

    /** All envelopes of the document, whole and changed. */
    static Stream<Arguments> programs() throws IOException {
        List<byte[]> programs = new ArrayList<>();
        for (EnvelopeForge.Template template : target().forge().templates()) {
            programs.add(DerWriter.concat(new byte[] {EnvelopeMutation.RAW}, template.envelope()));
        }
        Random random = new Random(15);
        for (int i = 0; i < RANDOM_PROGRAMS; i++) {
            byte[] program = new byte[40];
            random.nextBytes(program);
            program[0] |= 4; // not raw
            programs.add(program);
        }
        return programs.stream().map(Arguments::of);
    }

    @MethodSource("programs")
    @FuzzTest(maxDuration = "10m")
    void open(byte @NotNull [] program) {
        target().open(EnvelopeMutation.envelope(target().forge(), program));
    }

    @MethodSource("programs")
    @FuzzTest(maxDuration = "10m")
    void openSegments(byte @NotNull [] program) {
        target().openSegments(EnvelopeMutation.envelope(target().forge(), program));
    }

    @MethodSource("programs")
    @FuzzTest(maxDuration = "10m")
    void check(byte @NotNull [] program) {
        target().check(EnvelopeMutation.envelope(target().forge(), program));
    }

    @MethodSource("programs")
    @FuzzTest(maxDuration = "10m")
    void describe(byte @NotNull [] program) {
        target().describe(EnvelopeMutation.envelope(target().forge(), program));
    }
}
