/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * One row, named by its parameter. What a target speaks of runs in a process of its own, where it is the only operation
 * there is.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class RowBenchmark {
    /** The name of the row. */
    @Param("limit.aes256gcm.encrypt")
    public String row = "";

    private @Nullable Scene scene;
    private Operation operation = () -> {
        throw new IllegalStateException("benchmark: not prepared");
    };

    /** Makes keys and messages. */
    @Setup(Level.Trial)
    public void prepare() throws Exception {
        RowName name = RowName.parse(row);
        if (name.word(0).equals("limit")) {
            operation = new LimitRows(BenchmarkProviders.aes(), BenchmarkProviders.ec(), BenchmarkProviders.rsa())
                    .operation(name);
        } else {
            scene = new Scene(name);
            operation = EnvelopeRows.operation(name, scene);
        }
    }

    /** The row's operation, once. */
    @Benchmark
    public Object measure() throws Exception {
        return operation.run();
    }

    /** Deletes what was made. */
    @TearDown(Level.Trial)
    public void clean() throws Exception {
        if (scene != null) {
            scene.close();
        }
    }
}
