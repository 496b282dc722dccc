/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.amazonaws.encryptionsdk.ParsedCiphertext;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PeersTest {
    private static final int MESSAGES = 96;

    /** The names that signet perf reads from the jar. */
    static List<String> rows() throws IOException {
        try (InputStream in = Objects.requireNonNull(PeerBenchmark.class.getResourceAsStream("rows.txt"))) {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII)
                    .lines()
                    .toList();
        }
    }

    static List<String> sealingRows() throws IOException {
        return rows().stream().filter(row -> row.contains(".seal.")).toList();
    }

    static List<String> openingRows() throws IOException {
        return rows().stream().filter(row -> row.contains(".open.")).toList();
    }

    @Test
    void rows_sealOrOpen_eachOnce() throws IOException {
        assertThat(rows())
                .hasSize(24)
                .doesNotHaveDuplicates()
                .allMatch(row -> row.matches("peer\\.[a-z0-9-]+\\.(seal\\.(0|1|32|unlimited)|open\\.warm)"));
    }

    @ParameterizedTest
    @MethodSource("sealingRows")
    void sealedPayload_opened_isThePayload(String row) throws Exception {
        assertThat(openedAfterSealing(PeerBenchmark.peer(row, PeersTest::newBuffer)))
                .startsWith(PeerBenchmark.payload());
    }

    private static <S> byte[] openedAfterSealing(Peer<S> peer) throws Exception {
        return peer.opening().apply(peer.sealing().apply(PeerBenchmark.payload()));
    }

    @ParameterizedTest
    @MethodSource("sealingRows")
    void sealingRow_sealsAgainAndAgain(String row) throws Exception {
        PeerBenchmark benchmark = prepared(row);

        for (int i = 0; i < 3; i++) {
            assertThat(benchmark.measure()).isNotNull();
        }
    }

    @ParameterizedTest
    @MethodSource("openingRows")
    void openingRow_opensAllMessagesMoreThanOnce(String row) throws Exception {
        PeerBenchmark benchmark = prepared(row);

        for (int i = 0; i < 300; i++) {
            assertThat((byte[]) benchmark.measure()).startsWith(PeerBenchmark.payload());
        }
    }

    private static ByteBuffer newBuffer() {
        return ByteBuffer.allocate(Peer.CAPACITY);
    }

    private static PeerBenchmark prepared(String row) throws Exception {
        PeerBenchmark benchmark = new PeerBenchmark();
        benchmark.row = row;
        benchmark.prepare();
        return benchmark;
    }

    @ParameterizedTest
    @MethodSource("sealingRows")
    void everyRow_hasTheReuseItSays(String row) throws Exception {
        String[] words = row.split("\\.", -1);
        long reuse = words[3].equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(words[3]);

        int keys = switch (words[1]) {
            case "pulsar" ->
                keys(
                        PulsarPeer.reusing(reuse, PeersTest::newBuffer),
                        message -> ByteBuffer.wrap(
                                message.metadata().getEncryptionKeyAt(0).getValue()));
            case "aws" ->
                keys(
                        SimplePeers.aws(reuse),
                        message -> ByteBuffer.wrap(new ParsedCiphertext(message)
                                .getEncryptedKeyBlobs()
                                .get(0)
                                .getEncryptedDataKey()));
            case "tink" -> reuse == 0 ? MESSAGES : keys(SimplePeers.tink(reuse), SimplePeers.TinkMessage::wrappedKey);
            case "kroxylicious" ->
                keys(KroxyliciousPeer.reusing(reuse, PeersTest::newBuffer), KroxyliciousPeer.Message::wrappedKey);
            default -> MESSAGES; // a key per message by construction
        };

        assertThat(keys).isEqualTo((int) Math.max(1, MESSAGES / Math.max(1, reuse)));
    }

    private static <S> int keys(Peer<S> peer, Function<S, Object> wrappedKey) throws Exception {
        Set<Object> keys = new HashSet<>();
        for (int i = 0; i < MESSAGES; i++) {
            keys.add(wrappedKey.apply(peer.sealing().apply(PeerBenchmark.payload())));
        }
        return keys.size();
    }

    @ParameterizedTest
    @ValueSource(strings = {"peer.nobody.seal.32", "peer.aws.open.32", "aws.seal.32"})
    void unknownRow_isRejected(String row) {
        assertThatIllegalArgumentException().isThrownBy(() -> prepared(row)).withMessage("row: unknown " + row);
    }

    @Test
    void benchmarkThatIsNotPrepared_fails() {
        assertThatIllegalStateException().isThrownBy(() -> new PeerBenchmark().measure());
    }
}
