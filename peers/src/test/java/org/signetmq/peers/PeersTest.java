/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.amazonaws.encryptionsdk.ParsedCiphertext;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class PeersTest {
    private static final int MESSAGES = 96;

    static List<String> sealingRows() {
        return Peers.ROWS.stream().filter(row -> row.contains(".seal.")).toList();
    }

    @ParameterizedTest
    @MethodSource("sealingRows")
    void sealedPayload_opened_isThePayload(String row) throws Exception {
        PeerBenchmark benchmark = new PeerBenchmark();
        benchmark.row = row;
        benchmark.prepare();
        assertThat(benchmark.measure()).isNotNull();

        String name = row.split("\\.", -1)[1];
        assertThat(openedAfterSealing(Peers.named(name, 32))).startsWith(PeerBenchmark.payload());
    }

    private static <S> byte[] openedAfterSealing(Peer<S> peer) throws Exception {
        return peer.open(peer.kept(peer.seal(PeerBenchmark.payload())));
    }

    @ParameterizedTest
    @MethodSource("sealingRows")
    void everyRow_hasTheReuseItSays(String row) throws Exception {
        String[] words = row.split("\\.", -1);
        long reuse = words[3].equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(words[3]);

        int keys = switch (words[1]) {
            case "pulsar" ->
                keys(
                        new PulsarPeer(reuse),
                        message -> List.of(
                                toList(message.metadata().getEncryptionKeyAt(0).getValue())));
            case "aws" ->
                keys(
                        SimplePeer.aws(reuse),
                        message -> List.of(toList(new ParsedCiphertext(message)
                                .getEncryptedKeyBlobs()
                                .get(0)
                                .getEncryptedDataKey())));
            case "tink" -> reuse == 0 ? MESSAGES : keys(new TinkPeer(reuse), TinkPeer.Message::wrappedKey);
            case "kroxylicious" -> keys(new KroxyliciousPeer(reuse), KroxyliciousPeer.Message::wrappedKey);
            default -> MESSAGES; // a key per message by construction
        };

        assertThat(keys).isEqualTo((int) Math.max(1, MESSAGES / Math.max(1, reuse)));
    }

    private static List<Byte> toList(byte[] bytes) {
        List<Byte> list = new ArrayList<>();
        for (byte value : bytes) {
            list.add(value);
        }
        return list;
    }

    private static <S> int keys(Peer<S> peer, Function<S, Object> wrappedKey) throws Exception {
        Set<Object> keys = new HashSet<>();
        for (int i = 0; i < MESSAGES; i++) {
            keys.add(wrappedKey.apply(peer.kept(peer.seal(PeerBenchmark.payload()))));
        }
        return keys.size();
    }

    @Test
    void unknownRow_isRefused() {
        PeerBenchmark benchmark = new PeerBenchmark();
        benchmark.row = "peer.nobody.seal.32";

        assertThat(catchThrowable(benchmark::prepare))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("peer.nobody.seal.32");
    }
}
