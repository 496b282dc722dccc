/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.peers;

import java.security.Provider;
import java.util.List;
import org.bouncycastle.jce.provider.BouncyCastleProvider;

/** All peers by name, and the rows that are measured. */
final class Peers {
    static final List<String> ROWS = List.of(
            "peer.pulsar.seal.1",
            "peer.pulsar.seal.32",
            "peer.pulsar.seal.unlimited",
            "peer.pulsar.open.warm",
            "peer.aws.seal.1",
            "peer.aws.seal.32",
            "peer.aws.seal.unlimited",
            "peer.aws.open.warm",
            "peer.tink.seal.0",
            "peer.tink.seal.32",
            "peer.tink.seal.unlimited",
            "peer.tink.open.warm",
            "peer.tink-hpke.seal.0",
            "peer.tink-hpke.open.warm",
            "peer.kroxylicious.seal.1",
            "peer.kroxylicious.seal.32",
            "peer.kroxylicious.seal.unlimited",
            "peer.kroxylicious.open.warm",
            "peer.jose4j.seal.0",
            "peer.jose4j.open.warm",
            "peer.bc-cms.seal.0",
            "peer.bc-cms.open.warm",
            "peer.bc-cms-ec.seal.0",
            "peer.bc-cms-ec.open.warm");

    private static final Provider CMS_PROVIDER = new BouncyCastleProvider();

    private Peers() {}

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
