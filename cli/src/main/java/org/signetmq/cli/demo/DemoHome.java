/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.demo;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.signetmq.envelope.Opener;
import org.signetmq.envelope.Sealer;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentityRequest;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.file.WholeFile;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Password;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.file.PolicyFile;

/** The home of the broker or of the consumer: it holds its own private key, and of the other the certificate alone. */
record DemoHome(Home home, Identity identity) {
    static final String BROKER = "broker";
    static final String CONSUMER = "consumer";

    /** The policies of both homes. The broker vouches for the senders of messages. */
    static final PolicySet POLICIES = PolicyFile.parse("""
            {"schema": 1, "version": 1, "policies": [
              {"pattern": "demo.none.#", "quality": "none"},
              {"pattern": "demo.integrity.#", "quality": "integrity", "brokers": ["broker"]},
              {"pattern": "demo.privacy.#", "quality": "privacy", "brokers": ["broker"], "recipients": ["consumer"]},
              {"pattern": "demo.confidentiality.#", "quality": "confidentiality", "recipients": ["consumer"]}
            ]}
            """, PartyValidator.acceptAll());

    /** Makes a home below a folder; one of the two names. */
    static DemoHome create(Path folder, String name) throws IOException {
        Home home = new Home(folder.resolve(name + "-home"));
        String secret = UUID.randomUUID().toString();
        try (Password password = Password.takeOwnershipOf(secret.toCharArray())) {
            WholeFile.makeFolder(home.root());
            new WholeFile(home.root().resolve("password"))
                    .write(secret.getBytes(StandardCharsets.US_ASCII), WholeFile.PRIVATE);
            IdentityRequest request =
                    new IdentityRequest(name, "CN=" + name + ",O=Signet demo", KeyAlgorithm.EC_P256, null);
            DemoHome created = new DemoHome(home, home.identityStore().create(request, password));
            PolicyFile.write(home.policies(), POLICIES);
            return created;
        }
    }

    /** Takes the certificate of the other home, as its owner would hand it over. */
    void trust(DemoHome other) throws IOException {
        String file = other.identity.name() + ".pem";
        Path certificate = other.home.recipients().resolve(file);
        Files.copy(certificate, home.recipients().resolve(file));
        Files.copy(certificate, home.trust().resolve(file));
    }

    Sealer sealer() {
        return Sealer.create(home.recipientDirectory(), home.certificateTrust());
    }

    Opener opener() {
        Opener.Keys keys = new Opener.Keys(List.of(identity), home.recipientDirectory(), home.certificateTrust());
        return Opener.create(keys, () -> POLICIES);
    }
}
