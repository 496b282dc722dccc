/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.peers;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** One row of rows.txt: {@code peer.NAME.seal.REUSE} or {@code peer.NAME.open.warm}. */
@State(Scope.Thread)
public class PeerBenchmark {
    private static final int SIZE = 2048;
    /** The payload of Signet's own rows. */
    private static final long SEED = 20_160_613;
    /** More messages than one key reuse, as in Signet's own rows. */
    private static final int MESSAGES = 256;

    /** The name of the row. */
    @Param("peer.pulsar.seal.32")
    public String row = "";

    private Callable<Object> operation = () -> {
        throw new IllegalStateException("benchmark: not prepared");
    };

    /** Makes keys and messages. */
    @Setup
    public void prepare() throws Exception {
        ByteBuffer output = ByteBuffer.allocate(Peer.CAPACITY);
        operation = row.endsWith(".open.warm")
                ? open(peer(row.replace(".open.warm", ".seal.32"), () -> ByteBuffer.allocate(Peer.CAPACITY)))
                : seal(peer(row, output::clear)); // the producer of a peer takes pooled buffers too
    }

    /** Returns the peer of a row that seals; it writes into these buffers if it does not make its own. */
    static Peer<?> peer(String row, Supplier<ByteBuffer> outputs) throws Exception {
        int end = row.lastIndexOf('.');
        String uses = row.substring(end + 1);
        long reuse = uses.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(uses);
        return switch (row.substring(0, end)) {
            case "peer.pulsar.seal" -> PulsarPeer.reusing(reuse, outputs);
            case "peer.aws.seal" -> SimplePeers.aws(reuse);
            case "peer.tink.seal" -> reuse == 0 ? SimplePeers.tinkEnvelope() : SimplePeers.tink(reuse);
            case "peer.tink-hpke.seal" -> SimplePeers.tinkHpke();
            case "peer.kroxylicious.seal" -> KroxyliciousPeer.reusing(reuse, outputs);
            case "peer.jose4j.seal" -> SimplePeers.jose4j();
            case "peer.bc-cms.seal" -> SimplePeers.cms();
            case "peer.bc-cms-ec.seal" -> SimplePeers.cmsEc();
            default -> throw new IllegalArgumentException("row: unknown " + row);
        };
    }

    /** Returns the payload. */
    static byte[] payload() {
        byte[] payload = new byte[SIZE];
        new SplittableRandom(SEED).nextBytes(payload);
        return payload;
    }

    private static <S> Callable<Object> seal(Peer<S> peer) {
        byte[] payload = payload();
        return () -> peer.sealing().apply(payload);
    }

    private static <S> Callable<Object> open(Peer<S> peer) throws Exception {
        byte[] payload = payload();
        List<S> messages = new ArrayList<>();
        for (int i = 0; i < MESSAGES; i++) {
            messages.add(peer.sealing().apply(payload));
        }
        int[] next = new int[1];
        return () -> peer.opening().apply(messages.get(next[0]++ & (MESSAGES - 1)));
    }

    /** Runs the row's operation once. */
    @Benchmark
    public Object measure() throws Exception {
        return operation.call();
    }
}
