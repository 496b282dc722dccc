/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyPair;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.IdentityStore.IdentityKeys;
import org.signetmq.keystore.home.KeyWatch;
import org.signetmq.keystore.home.Password;
import org.signetmq.keystore.home.Pem;
import org.signetmq.keystore.internal.x509.CertificateForge;
import org.signetmq.keystore.internal.x509.TestCertificates;
import org.signetmq.keystore.token.KeyChoice.CurrentKeyRule;
import org.signetmq.keystore.token.KeyChoice.TokenKeys;
import org.signetmq.testkit.SoftHsm;
import org.signetmq.testkit.Tier;

/** Several keys of one identity in the real SoftHSM 2. */
final class TokenKeysTest {
    @SuppressWarnings("NullAway.Init") // before all tests
    private static TestToken token;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    @BeforeAll
    static void make() throws IOException {
        token = TestToken.make();
    }

    private static TokenKeyStore store(String key) {
        return new TokenKeyStore(token.uri(key), () -> Password.takeOwnershipOf(SoftHsm.PIN.toCharArray()));
    }

    /** Makes a key in the token, with a certificate that ends after some days. */
    private static X509Certificate key(String id, String dn, int days) throws IOException {
        return certificate(token.generate("EC:prime256v1", id, "--usage-sign", "--usage-derive"), dn, days);
    }

    private static X509Certificate certificate(PublicKey key, String dn, int days) {
        return CertificateForge.of(dn, new KeyPair(key, TestCertificates.ec().getPrivate()))
                .by(TestToken.AUTHORITY)
                .until(Instant.parse("2040-01-01T00:00:00Z").plus(Duration.ofDays(days)))
                .make()
                .certificate();
    }

    private Home home(String name, X509Certificate... certificates) throws IOException {
        Home home = new Home(folder);
        Files.createDirectories(home.recipients());
        Path next = Files.writeString(
                home.recipients().resolve("." + name),
                Stream.of(certificates).map(Pem::certificatePem).collect(Collectors.joining()));
        Files.move(next, home.recipients().resolve(name + ".pem"), StandardCopyOption.REPLACE_EXISTING);
        return home;
    }

    private static List<X509Certificate> certificates(List<Identity> identities) {
        return identities.stream().map(Identity::certificate).toList();
    }

    @Tag(Tier.LONG)
    @Test
    void keysOfOneLabel_areAllLoaded_withTheNewestFirst() throws Exception {
        X509Certificate old = key("11", "CN=alice", 1);
        X509Certificate next = key("12", "CN=alice", 2);
        token.write(old, "11", "alice");
        token.write(next, "12", "alice");

        IdentityKeys keys = store("").loadAll("alice", new Home(folder));

        assertThat(certificates(keys.all())).containsExactly(next, old);
        assertThat(keys.findings()).isEmpty();
        for (Identity key : keys.all()) {
            assertThat(key.privateKey().agree(TestCertificates.ec().getPublic()))
                    .hasSize(32);
        }
        assertThat(store("").load("alice").certificate()).isEqualTo(next);
        assertThat(certificates(
                        store("id=%11").loadAll("alice", new Home(folder)).all()))
                .containsExactly(old);
    }

    @Test
    void certificatesOfTheHome_tellWhichKeyIsCurrent_andReplaceThoseOfTheToken() throws Exception {
        X509Certificate old = key("21", "CN=bob", 1);
        X509Certificate next = key("22", "CN=made by keytool", 2);
        X509Certificate receiving = key("23", "CN=stranger", 3);
        token.write(old, "21", "bob");
        token.write(next, "22", "another label");
        token.write(receiving, "23", "stranger");
        X509Certificate issued = certificate(next.getPublicKey(), "CN=bob", 2);
        TokenKeyStore store = store("");

        Home home = home("bob", old, issued, TestToken.AUTHORITY.certificate());
        assertThat(certificates(store.loadAll("bob", home).all())).containsExactly(old, issued);
        home("bob", issued, old, TestToken.AUTHORITY.certificate());
        IdentityKeys keys = store.loadAll("bob", home);
        assertThat(certificates(keys.all())).containsExactly(issued, old);
        assertThat(keys.current().chain()).containsExactly(issued, TestToken.AUTHORITY.certificate());
        assertThat(certificates(store("object=bob").loadAll("bob", home).all())).containsExactly(old);
    }

    @Test
    void keyOfAnotherName_isNotUsedBesideTheCurrentOne() throws Exception {
        X509Certificate own = key("31", "CN=carol", 1);
        X509Certificate other = key("32", "CN=not carol", 2);
        token.write(own, "31", "carol");
        token.write(other, "32", "carol");
        X509Certificate stranger = certificate(TestCertificates.ec().getPublic(), "CN=carol", 3);

        IdentityKeys keys = store("").loadAll("carol", home("carol", stranger, own));

        assertThat(certificates(keys.all())).containsExactly(own);
        assertThat(keys.findings())
                .singleElement()
                .satisfies(finding -> assertThat(finding.what())
                        .contains("its certificate has another distinguished name than the current key"));
        assertThatThrownBy(() -> store("").loadAll("carol", home("carol", stranger)))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("name one by its id: ");
    }

    @Test
    void keyBesideTheCurrentOne_thatIsNotThatOfItsCertificate_isNotUsed() throws Exception {
        X509Certificate own = key("41", "CN=dave", 2);
        var unused = key("42", "CN=dave", 1);
        token.write(own, "41", "dave");
        token.write(certificate(TestCertificates.ec().getPublic(), "CN=dave", 1), "42", "dave");

        IdentityKeys keys = store("").loadAll("dave", new Home(folder));

        assertThat(certificates(keys.all())).containsExactly(own);
        assertThat(keys.findings())
                .singleElement()
                .satisfies(finding -> assertThat(finding.what()).contains("is not the key of the certificate"));
    }

    @Test
    void keyOfTheIssuerInTheHome_isTheCurrentOne_beforeNewerKeysThatSign() throws Exception {
        KeyPair pair = new KeyPair(
                token.generate("EC:prime256v1", "61", "--usage-sign", "--usage-derive"),
                TestCertificates.ec().getPrivate());
        X509Certificate root = CertificateForge.of("CN=root", pair)
                .authority()
                .usage(TestCertificates.CA)
                .by(TestToken.AUTHORITY)
                .make()
                .certificate();
        token.write(root, "61", "root");
        token.write(key("62", "CN=root", 2), "62", "root");
        Home home = new Home(folder);
        TestCertificates.write(Files.createDirectories(home.trust()), "root.pem", root);

        assertThat(store("").loadAll("root", home).current().certificate()).isEqualTo(root);
        token.write(key("63", "CN=not root", 3), "63", "root");
        assertThat(certificates(store("").loadAll("root", home).all()))
                .hasSize(2)
                .startsWith(root);

        token.hsm.tool("--delete-object", "--type", "cert", "--id", "61");
        assertThatThrownBy(() -> store("").loadAll("root", home))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("is not that of the issuer in the home");
    }

    @Test
    void copyOfTheCurrentCertificate_withAnotherKey_hidesNotTheKey() throws Exception {
        PublicKey right = token.generate("EC:prime256v1", "71", "--usage-sign", "--usage-derive");
        var unused = token.generate("EC:prime256v1", "72", "--usage-sign", "--usage-derive");
        X509Certificate own = certificate(right, "CN=frank", 1);
        Home home = home("frank", own);
        for (List<String> labels : List.of(List.of("frank", "copy"), List.of("copy", "frank"))) {
            token.write(own, "71", labels.get(0));
            token.write(own, "72", labels.get(1));

            IdentityKeys keys = store("").loadAll("frank", home);

            assertThat(certificates(keys.all())).containsExactly(own);
            assertThat(keys.current().privateKey().agree(TestCertificates.ec().getPublic()))
                    .hasSize(32);
            token.hsm.tool("--delete-object", "--type", "cert", "--id", "71");
            token.hsm.tool("--delete-object", "--type", "cert", "--id", "72");
        }
    }

    @Tag(Tier.LONG)
    @Test
    void unfitKeysBesideTheCurrentOne_endNoLogin() throws Exception {
        token.write(key("81", "CN=grace", 4), "81", "grace");
        PublicKey larger = token.generate("rsa:3072", "82", "--usage-decrypt", "--usage-sign");
        PublicKey smaller = token.generate("rsa:2048", "83", "--usage-decrypt", "--usage-sign");
        var unused = token.generate("EC:secp384r1", "84", "--usage-sign", "--usage-derive");
        token.write(certificate(larger, "CN=grace", 3), "83", "grace");
        token.write(certificate(smaller, "CN=grace", 2), "82", "grace");
        token.write(certificate(TestCertificates.ec().getPublic(), "CN=grace", 1), "84", "grace");
        TokenLogin login = new TokenLogin(token.uri(""), () -> Password.takeOwnershipOf(SoftHsm.PIN.toCharArray()));

        OpenedKey first = login.open("grace", CurrentKeyRule.NONE).keys().get(0);

        for (int i = 0; i < 3; i++) {
            TokenKeys found = login.refreshed("grace", CurrentKeyRule.NONE);
            assertThat(found.keys())
                    .singleElement()
                    .satisfies(key -> assertThat(key.certificate()).isEqualTo(first.certificate()));
            assertThat(found.keys().get(0).provider()).isSameAs(first.provider());
            assertThat(found.problems())
                    .hasSize(3)
                    .allMatch(text -> text.contains("is not the key of the certificate"));
        }
    }

    @Tag(Tier.LONG)
    @Test
    void watch_takesInWhatChanges_andItsThreadEndsWithIt() throws Exception {
        X509Certificate old = key("51", "CN=erin", 1);
        token.write(old, "51", "erin");
        Home home = new Home(folder);
        try (KeyWatch watch = store("").watch("erin", home)) {
            List<Identity> first = watch.current();
            assertThat(certificates(first)).containsExactly(old);

            X509Certificate next = key("52", "CN=erin", 2);
            token.write(next, "52", "erin");
            await().untilAsserted(
                            () -> assertThat(certificates(watch.current())).containsExactly(old, next));
            assertThat(watch.current().get(0)).isSameAs(first.get(0));

            home("erin", next, old);
            await().untilAsserted(
                            () -> assertThat(certificates(watch.current())).containsExactly(next, old));
            assertThat(watch.current().get(1)).isSameAs(first.get(0));
            assertThat(watch.afterMiss()).isSameAs(watch.current());

            token.hsm.tool("--delete-object", "--type", "cert", "--id", "51");
            home("erin", next);
            await().untilAsserted(
                            () -> assertThat(certificates(watch.current())).containsExactly(next));

            token.hsm.tool("--delete-object", "--type", "cert", "--id", "52");
            token.write(key("53", "CN=erin", 3), "53", "erin");
            await().during(Duration.ofMillis(2500))
                    .untilAsserted(
                            () -> assertThat(certificates(watch.current())).containsExactly(next));
            assertThat(threads()).contains("signet-key-watch");
        }
        // the threads of operations end when they are idle
        await().untilAsserted(() -> assertThat(threads()).doesNotContain("signet-key-watch", "signet-token"));
    }

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).toList();
    }
}
