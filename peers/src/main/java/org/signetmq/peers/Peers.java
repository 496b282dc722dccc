/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.peers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/** The peers by name, and the rows that are measured. */
final class Peers {
    /** The names in rows.txt, which signet perf reads from the jar too. */
    static final List<String> ROWS = rows();

    private Peers() {}

    private static List<String> rows() {
        try (InputStream in = Objects.requireNonNull(Peers.class.getResourceAsStream("rows.txt"))) {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII)
                    .lines()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Tells when a new key is due: before the first use, and after each number of uses. */
    static BooleanSupplier everyTime(long uses) {
        AtomicLong used = new AtomicLong();
        return () -> used.getAndIncrement() % uses == 0;
    }

    static ByteBuffer copy(ByteBuffer bytes) {
        return ByteBuffer.allocate(bytes.remaining()).put(bytes.duplicate()).flip();
    }

    /** Returns the recipient's key where a peer wraps with RSA. */
    static KeyPair rsaKeys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        return generator.generateKeyPair();
    }

    static Peer<?> named(String name, long reuse) throws Exception {
        return switch (name) {
            case "pulsar" -> new PulsarPeer(reuse);
            case "aws" -> SimplePeer.aws(reuse);
            case "tink" -> reuse == 0 ? SimplePeer.tinkEnvelope() : new TinkPeer(reuse);
            case "tink-hpke" -> SimplePeer.tinkHpke();
            case "kroxylicious" -> new KroxyliciousPeer(reuse);
            case "jose4j" -> SimplePeer.jose4j();
            case "bc-cms" -> CmsPeer.rsa();
            case "bc-cms-ec" -> CmsPeer.ec();
            default -> throw new IllegalArgumentException("row: unknown peer " + name);
        };
    }
}
