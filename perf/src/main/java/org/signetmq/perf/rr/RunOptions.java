/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.perf.result.ResultOutputs;
import org.signetmq.perf.rr.Plan.Timing;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of all commands that measure pairs of processes. */
public final class RunOptions {
    private static final double QUICK_WARM_UP = 9;
    private static final double QUICK_SECONDS = 0.7;
    private static final int QUICK_ROUNDS = 4;

    @Option(names = "--quick", description = "Shorter and fewer blocks: done within 5 minutes, for a first look.")
    private boolean isQuick;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "Measured time of each block. Default: 1, in rr 2.5; 0.7 with --quick.")
    private @Nullable Double seconds;

    @Option(
            names = {"--rounds", "--runs"},
            paramLabel = "N",
            description = "Blocks of each setting and load. Default: 4, in rr 6 and 4 with --quick, in filesystem 2.")
    private @Nullable Integer rounds;

    @Option(
            names = "--warm-up",
            paramLabel = "SECONDS",
            description =
                    "Most work of each pair before anything counts; a fifth of it before each load. It ends when the"
                            + " compilers of Java have done theirs. Default: 25, in filesystem 15; with --quick 9 and 6.")
    private @Nullable Double warmUp;

    @Option(names = ResultOutputs.RESUME, description = "Go on with what the file of --json holds.")
    private boolean isResumed;

    @Option(
            names = "--flight-recordings",
            paramLabel = "DIR",
            description = "Leave a flight recording of each process there; costs a little speed.")
    private @Nullable Path recordings;

    @Mixin
    private ResultOutputs outputs = new ResultOutputs();

    /** Tells whether a first look is wanted. */
    public boolean isQuick() {
        return isQuick;
    }

    /**
     * Returns the times of blocks.
     *
     * @param usual without {@code --quick}
     */
    public Timing timing(Timing usual) {
        Timing timing = isQuick ? quick(usual) : usual;
        return new Timing(
                warmUp == null ? timing.warmUpSeconds() : warmUp,
                seconds == null ? timing.seconds() : seconds,
                rounds == null ? timing.rounds() : rounds,
                timing.paces());
    }

    /** Returns the times of {@code --quick}. */
    public static Timing quick(Timing usual) {
        return new Timing(
                Math.min(QUICK_WARM_UP, usual.warmUpSeconds()),
                QUICK_SECONDS,
                Math.min(QUICK_ROUNDS, usual.rounds()),
                usual.paces().isEmpty() ? List.of() : List.of(0.5));
    }

    boolean isResumed() {
        return isResumed;
    }

    /** Returns where flight recordings are left; null for none. */
    public @Nullable Path recordings() {
        return recordings;
    }

    /** Returns the options for results. */
    public ResultOutputs outputs() {
        return outputs;
    }
}
