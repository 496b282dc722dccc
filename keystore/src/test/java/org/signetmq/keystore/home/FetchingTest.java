/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import static org.signetmq.keystore.internal.x509.TestCertificates.root;

import java.nio.file.Path;
import java.util.function.BiFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.keystore.internal.trust.RevocationServer;
import org.signetmq.keystore.internal.x509.CertificateForge;
import org.signetmq.keystore.internal.x509.TestCertificates.Party;

/** A server, a home that asks it, and the certificate of alice that names its address. */
abstract class FetchingTest {
    static final Party ROOT = root("CN=Root,O=Example");
    static final Party STRANGER = root("CN=Root,O=Example");

    /** The path of the address in the certificate of alice. */
    static final String PATH = "/alice";

    final RevocationServer server = new RevocationServer();
    private final String revocation;
    private final BiFunction<String, String, CertificateForge> naming;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    Path folder;

    @SuppressWarnings("NullAway.Init") // set before each test
    FetchedTrust trust;

    @SuppressWarnings("NullAway.Init") // set before each test
    Party alice;

    /**
     * Creates a test.
     *
     * @param revocation the settings of revocation
     * @param naming makes a certificate with a name and an address
     */
    FetchingTest(String revocation, BiFunction<String, String, CertificateForge> naming) {
        this.revocation = revocation;
        this.naming = naming;
    }

    @BeforeEach
    final void issueAlice() {
        alice = naming.apply("CN=alice,O=Example", server.url(PATH)).by(ROOT).make();
        trust = new FetchedTrust(folder, ROOT, revocation);
    }

    @AfterEach
    final void close() {
        trust.close();
        server.close();
    }

    /** Replaces the settings of revocation. */
    final void settings(String other) {
        trust.settings("{\"schema\": 1, \"revocation\": {" + other + "}}");
    }

    /** Returns the problem of the first address; empty if it has none. */
    final String problem() {
        return trust.trust().revocations().sources().get(0).problem().orElse("");
    }
}
