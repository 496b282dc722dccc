/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.peers;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** One row, {@code peer.NAME.seal.REUSE} or {@code peer.NAME.open.warm}, in a process of its own. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class PeerBenchmark {
    private static final int SIZE = 2048;
    /** The payload of Signet's own rows. */
    private static final long SEED = 20_160_613;
    /** More messages than one key reuse, as in Signet's own rows. */
    private static final int MESSAGES = 256;

    private static final long REUSE = 32;

    /** The name of the row. */
    @Param("peer.pulsar.seal.32")
    public String row = "";

    private Callable<Object> operation = () -> {
        throw new IllegalStateException("benchmark: not prepared");
    };

    /** Makes keys and messages. */
    @Setup(Level.Trial)
    public void prepare() throws Exception {
        String[] words = row.split("\\.", -1);
        if (!Peers.ROWS.contains(row)) {
            throw new IllegalArgumentException("row: unknown " + row);
        }
        long reuse = switch (words[3]) {
            case "warm" -> REUSE;
            case "unlimited" -> Long.MAX_VALUE;
            default -> Long.parseLong(words[3]);
        };
        operation = words[2].equals("seal") ? seal(Peers.named(words[1], reuse)) : open(Peers.named(words[1], reuse));
    }

    /** Returns the payload. */
    static byte[] payload() {
        byte[] payload = new byte[SIZE];
        new SplittableRandom(SEED).nextBytes(payload);
        return payload;
    }

    private static <S> Callable<Object> seal(Peer<S> peer) {
        byte[] payload = payload();
        return () -> peer.seal(payload);
    }

    private static <S> Callable<Object> open(Peer<S> peer) throws Exception {
        byte[] payload = payload();
        List<S> messages = new ArrayList<>();
        for (int i = 0; i < MESSAGES; i++) {
            messages.add(peer.kept(peer.seal(payload)));
        }
        int[] next = new int[1];
        return () -> peer.open(messages.get(next[0]++ & (MESSAGES - 1)));
    }

    /** The row's operation, once. */
    @Benchmark
    public Object measure() throws Exception {
        return operation.call();
    }
}
