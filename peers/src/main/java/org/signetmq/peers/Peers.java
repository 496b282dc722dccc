/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.peers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.Provider;
import java.util.List;
import java.util.Objects;
import org.bouncycastle.jce.provider.BouncyCastleProvider;

/** All peers by name, and the rows that are measured. */
final class Peers {
    /** Also read from the jar by whoever runs it. */
    static final List<String> ROWS = rows();

    private static final Provider CMS_PROVIDER = new BouncyCastleProvider();

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

    static Peer<?> named(String name, long reuse) throws Exception {
        return switch (name) {
            case "pulsar" -> new PulsarPeer(reuse);
            case "aws" -> new AwsPeer(reuse);
            case "tink" -> reuse == 0 ? new TinkEnvelopePeer() : new TinkPeer(reuse);
            case "tink-hpke" -> new TinkHpkePeer();
            case "kroxylicious" -> new KroxyliciousPeer(reuse);
            case "jose4j" -> new Jose4jPeer();
            case "bc-cms" -> new CmsPeer(new RsaParty(CMS_PROVIDER), CMS_PROVIDER);
            case "bc-cms-ec" -> new CmsPeer(new EcParty(CMS_PROVIDER), CMS_PROVIDER);
            default -> throw new IllegalArgumentException("row: unknown peer " + name);
        };
    }
}
