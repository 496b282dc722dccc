/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.internal.trust.RevocationUpdater;
import org.signetmq.testkit.Openssl;

/** Judges chains, lists and OCSP answers of a small certification authority that openssl runs. */
final class OpensslChainsTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private static Path ca;

    /** Makes a root, an issuer below it that may name only O=Example, and certificates of that issuer. */
    @BeforeAll
    static void issue() throws Exception {
        Files.createDirectories(ca.resolve("new"));
        Files.writeString(ca.resolve("index"), "");
        Files.writeString(ca.resolve("conf"), """
                [req]
                distinguished_name = none
                [none]
                [ca]
                default_ca = ca
                [ca]
                database = index
                new_certs_dir = new
                rand_serial = yes
                default_md = sha256
                default_days = 300
                default_crl_days = 30
                policy = any
                certificate = issuer.pem
                private_key = issuer.key
                unique_subject = no
                [any]
                organizationName = optional
                commonName = supplied
                [root]
                basicConstraints = critical,CA:true
                keyUsage = critical,keyCertSign,cRLSign
                subjectKeyIdentifier = hash
                [issuer]
                basicConstraints = critical,CA:true,pathlen:0
                keyUsage = critical,keyCertSign,cRLSign
                nameConstraints = critical,permitted;dirName:names
                subjectKeyIdentifier = hash
                authorityKeyIdentifier = keyid
                [names]
                O = Example
                [mail]
                keyUsage = critical,digitalSignature,keyAgreement
                extendedKeyUsage = emailProtection
                authorityKeyIdentifier = keyid
                [server]
                keyUsage = critical,digitalSignature
                extendedKeyUsage = serverAuth
                [sealing]
                keyUsage = critical,keyAgreement
                """);
        key("root");
        openssl("req -x509 -config conf -extensions root -key root.key -subj /O=Example/CN=Root -days "
                + "300 -out root.pem");
        key("issuer");
        request("issuer", "/O=Example/CN=Issuer");
        openssl("x509 -req -in issuer.req -CA root.pem -CAkey root.key -CAcreateserial -days 300 "
                + "-extfile conf -extensions issuer -out issuer.pem");
        certificate("alice", "/O=Example/CN=alice", "mail");
        certificate("mallory", "/O=Example/CN=mallory", "mail");
        certificate("outside", "/O=Elsewhere/CN=outside", "mail");
        certificate("server", "/O=Example/CN=server", "server");
        certificate("sealing", "/O=Example/CN=sealing", "sealing");
        certificate("below", "/O=Example/CN=below", "issuer");
        openssl("ca -batch -config conf -revoke mallory.pem");
        openssl("ca -batch -config conf -gencrl -out issuer.crl");
        for (String name : List.of("alice", "mallory")) {
            openssl("ocsp -issuer issuer.pem -cert " + name + ".pem -reqout " + name + ".ask -no_nonce");
            openssl("ocsp -index index -CA issuer.pem -rsigner issuer.pem -rkey issuer.key -reqin " + name
                    + ".ask -respout " + name + ".der -ndays 5");
        }
    }

    private static void key(String name) throws Exception {
        openssl("genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out " + name + ".key");
    }

    private static void request(String name, String subject) throws Exception {
        openssl("req -new -config conf -key " + name + ".key -subj " + subject + " -out " + name + ".req");
    }

    private static void certificate(String name, String subject, String extensions) throws Exception {
        key(name);
        request(name, subject);
        openssl("ca -batch -notext -config conf -extensions " + extensions + " -in " + name + ".req -out " + name
                + ".pem");
    }

    private static void openssl(String words) throws Exception {
        new Openssl(ca).line(words);
    }

    private static X509Certificate read(String name) {
        return Pem.readCertificates(ca.resolve(name + ".pem")).get(0);
    }

    private static HomeReader trust(Path folder) throws IOException {
        Home home = new Home(folder);
        Files.createDirectories(home.trust());
        Files.copy(ca.resolve("root.pem"), home.trust().resolve("root.pem"));
        return new HomeReader(home, System::nanoTime, RevocationUpdater.Mode.BY_HAND, Clock.systemUTC());
    }

    private static String judged(HomeReader trust, String name, CertificateUse use) {
        try {
            trust.check(read(name), List.of(read("issuer")), use, Instant.now());
            return "accepted";
        } catch (CertificateRejectedException rejected) {
            return String.valueOf(rejected.getMessage());
        }
    }

    @Test
    void constraintsAndUsages_ofOpensslsCertificates_hold(@TempDir Path folder) throws Exception {
        HomeReader trust = trust(folder);

        assertThat(judged(trust, "alice", CertificateUse.SIGNING)).isEqualTo("accepted");
        assertThat(judged(trust, "alice", CertificateUse.RECEIVING)).isEqualTo("accepted");
        assertThat(judged(trust, "outside", CertificateUse.SIGNING)).contains("not valid");
        assertThat(judged(trust, "server", CertificateUse.SIGNING)).contains("extended key usage");
        assertThat(judged(trust, "sealing", CertificateUse.SIGNING)).contains("key usage");
        assertThat(judged(trust, "sealing", CertificateUse.RECEIVING)).isEqualTo("accepted");
        assertThat(judged(trust, "below", CertificateUse.SIGNING)).contains("key usage");
    }

    @Test
    void listOfOpenssl_revokesAndProves(@TempDir Path folder) throws Exception {
        // the root publishes no list, and names no address for one
        Files.writeString(
                folder.resolve("trust.json"), "{\"schema\": 1, \"revocation\": {\"without-source\": \"accept\"}}");
        HomeReader trust = trust(folder);
        Files.createDirectories(folder.resolve("crl"));
        Files.copy(ca.resolve("issuer.crl"), folder.resolve("crl/issuer.crl"));

        assertThat(judged(trust, "alice", CertificateUse.SIGNING)).isEqualTo("accepted");
        assertThat(judged(trust, "mallory", CertificateUse.SIGNING)).contains("revoked on");
    }

    @Test
    void answersOfOpensslsResponder_revokeAndProve(@TempDir Path folder) throws Exception {
        Files.writeString(
                folder.resolve("trust.json"),
                "{\"schema\": 1, \"revocation\": {\"crl\": \"off\", \"ocsp\": \"files\", \"without-source\": \"accept\"}}");
        HomeReader trust = trust(folder);
        Files.createDirectories(folder.resolve("ocsp"));
        for (String name : List.of("alice", "mallory")) {
            Files.copy(ca.resolve(name + ".der"), folder.resolve("ocsp/" + name + ".der"));
        }

        assertThat(judged(trust, "alice", CertificateUse.SIGNING)).isEqualTo("accepted");
        assertThat(judged(trust, "mallory", CertificateUse.SIGNING)).contains("revoked on", "OCSP");
    }
}
