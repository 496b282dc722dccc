/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.signetmq.keystore.internal.x509.TestCertificates.END;
import static org.signetmq.keystore.internal.x509.TestCertificates.NOW;
import static org.signetmq.keystore.internal.x509.TestCertificates.START;
import static org.signetmq.keystore.internal.x509.TestCertificates.certificate;
import static org.signetmq.keystore.internal.x509.TestCertificates.ec;
import static org.signetmq.keystore.internal.x509.TestCertificates.issue;
import static org.signetmq.keystore.internal.x509.TestCertificates.root;
import static org.signetmq.keystore.internal.x509.TestCertificates.self;
import static org.signetmq.keystore.internal.x509.TestCertificates.write;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.internal.trust.RevocationUpdater;
import org.signetmq.keystore.internal.x509.TestCertificates.Party;
import org.signetmq.keystore.internal.x509.TestCertificates.Shape;
import org.signetmq.keystore.trust.SignerMatch;
import org.signetmq.keystore.trust.TrustedCertificate;
import org.signetmq.testkit.Tier;

final class HomeRecipientsTest {
    private static final Party ROOT = root("CN=Root");
    private static final Party BOB = issue("CN=Bob \\, Jr,OU=Dev+L=Köln,O=Example Inc,C=DE", ROOT, Shape.USUAL);
    private static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    private Path recipients = Path.of("unset");

    private final AtomicLong nanoTime = new AtomicLong();
    private HomeReader directory =
            new HomeReader(new Home(Path.of("unset")), nanoTime::get, RevocationUpdater.Mode.BY_HAND, CLOCK);

    @BeforeEach
    void writeBob() {
        Home home = new Home(folder.resolve("of-bob"));
        recipients = home.recipients();
        write(recipients, "bob.pem", BOB.certificate(), ROOT.certificate());
        directory = new HomeReader(home, nanoTime::get, RevocationUpdater.Mode.BY_HAND, CLOCK);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bob",
                "CN=Bob \\, Jr,OU=Dev+L=Köln,O=Example Inc,C=DE",
                "CN=bob \\2C jr, OU=dev + L=köln, O=example inc, C=de",
                "c=DE, o=EXAMPLE Inc, L=K\\C3\\B6ln+ou=DEV, cn=\"BOB , JR\"",
                "2.5.4.3=Bob \\, Jr,OU=Dev+L=Köln,O=Example Inc,C=DE",
            })
    void selector_findsBob(String selector) {
        assertThat(directory.find(selector)).contains(new Recipient("bob", BOB.certificate()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Bob",
                "root",
                "",
                "ski:",
                "ski:xyz",
                "ski:00",
                "CN=Bob",
                "CN=Bob \\, Jr,OU=Dev,L=Köln,O=Example Inc,C=DE",
                "CN=Bob \\, Jr,OU=Dev+L=Köln,O=ExampleInc,C=DE",
                "CN=Bob \\, Jr,OU=Dev+L=Köln,O=Example Inc,C=DE,C=DE",
                "CN=Root",
                "=",
                "../bob",
            })
    void otherSelector_findsNobody(String selector) {
        assertThat(directory.find(selector)).isEmpty();
    }

    @Test
    void keyIdentifier_isFoundHoweverItIsWritten() {
        String hex = KeyIdentifier.of(BOB.certificate()).toString();
        String colons = hex.toUpperCase(Locale.ROOT).replaceAll("(..)(?!$)", "$1:");

        assertThat(directory.find("ski:" + hex)).isPresent();
        assertThat(directory.find("SKI:" + colons)).isPresent();
        assertThat(directory.find(KeyIdentifier.of(BOB.certificate()))).hasSize(1);
    }

    @Test
    void derFile_isRead() throws Exception {
        Files.write(recipients.resolve("root.crt"), ROOT.certificate().getEncoded());

        assertThat(directory.find("root")).contains(new Recipient("root", ROOT.certificate()));
    }

    @Test
    void sameDnAndKey_newestValidWins() {
        KeyPair pair = ec();
        X509Certificate old = renewed(pair, Shape.USUAL.during(START, NOW.minusSeconds(5)));
        X509Certificate current = renewed(pair, Shape.USUAL.during(NOW.minusSeconds(10), END));
        X509Certificate upcoming = renewed(pair, Shape.USUAL.during(NOW.plusSeconds(10), END));
        write(recipients, "a.pem", upcoming);
        write(recipients, "b.pem", current);
        write(recipients, "c.pem", old);

        assertThat(directory.find("CN=dora").map(Recipient::certificate)).contains(current);
    }

    @Nested
    final class Changes {
        @Test
        void addedFile_isSeenAfterASecond() {
            long before = directory.version();
            write(recipients, "root.pem", ROOT.certificate());

            assertThat(directory.find("root")).isEmpty();
            later();

            assertThat(directory.find("root")).isPresent();
            assertThat(directory.version()).isGreaterThan(before);
        }

        @Test
        void removedFile_isGone() throws IOException {
            assertThat(directory.find("bob")).isPresent();
            Files.delete(recipients.resolve("bob.pem"));
            later();

            assertThat(directory.all()).isEmpty();
        }

        @Test
        void replacedFile_isReadAgain() throws IOException {
            assertThat(directory.find("bob")).isPresent();
            write(recipients, "next.tmp", ROOT.certificate());
            Files.move(
                    recipients.resolve("next.tmp"), recipients.resolve("bob.pem"), StandardCopyOption.REPLACE_EXISTING);
            later();

            assertThat(directory.find("bob")).contains(new Recipient("bob", ROOT.certificate()));
        }

        @Test
        void noChange_keepsTheVersion() {
            long before = directory.version();
            later();

            assertThat(directory.version()).isEqualTo(before);
        }

        @Test
        void badFile_isSkippedAndTheRestWorks() {
            write(recipients, "bad.pem", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
            write(recipients, "empty.pem", "");
            write(recipients, "key.pem", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n");

            assertThat(directory.all()).extracting(Recipient::name).containsExactly("bob");
        }

        @Test
        void missingFolder_isEmpty() {
            var empty = new HomeReader(
                    new Home(folder.resolve("no")), nanoTime::get, RevocationUpdater.Mode.BY_HAND, CLOCK);

            assertThat(empty.all()).isEmpty();
        }
    }

    @Nested
    final class Signers {
        private final KeyPair pair = ec();
        private final Party dora = self("CN=dora", pair, Shape.USUAL);
        private Home home = new Home(Path.of("unset"));
        private HomeReader trust = new HomeReader(home, nanoTime::get);
        private SignerMatch match = new SignerMatch(directory, trust);

        @BeforeEach
        void trustRoot() {
            home = new Home(folder.resolve("home"));
            write(home.trust(), "root.pem", ROOT.certificate());
            trust = new HomeReader(home, nanoTime::get);
            match = new SignerMatch(trust, trust);
        }

        @Test
        void renewedCertificateOfTheSameKey_matches() {
            write(home.recipients(), "dora.pem", dora.certificate());
            TrustedCertificate renewed = accepted(certificate("CN=dora", pair.getPublic(), ROOT.issuer(), Shape.USUAL));

            assertThat(match.matches(renewed, "dora")).isTrue();
            assertThat(match.matches(renewed, "ski:" + KeyIdentifier.ofKey(renewed.certificate())))
                    .isTrue();
            assertThat(match.matches(renewed, "cn=DORA")).isTrue();
        }

        @Test
        void answers_areForgottenWhenTheDirectoryChanges() {
            X509Certificate renewed = certificate("CN=dora", pair.getPublic(), ROOT.issuer(), Shape.USUAL);
            assertThat(match.matches(accepted(renewed), "dora")).isFalse();
            write(home.recipients(), "dora.pem", dora.certificate());
            later();

            assertThat(match.matches(accepted(renewed), "dora")).isTrue();
        }

        private TrustedCertificate accepted(X509Certificate certificate) {
            return trust.verify(certificate, List.of(), CertificateUse.SIGNING, NOW);
        }
    }

    @Nested
    final class Parties {
        @Test
        void problems_areSaidWithTheirReason() throws Exception {
            Home home = new Home(folder.resolve("home"));
            KeyPair edwards = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
            write(home.trust(), "root.pem", ROOT.certificate());
            write(
                    home.recipients(),
                    "rob.pem",
                    issue("CN=rob", ROOT, Shape.USUAL).certificate());
            write(home.recipients(), "old.pem", renewed(ec(), Shape.USUAL.during(START, NOW.minusSeconds(1))));
            write(home.recipients(), "sig.pem", certificate("CN=sig", edwards.getPublic(), ROOT.issuer(), Shape.USUAL));
            var reader = new HomeReader(home, nanoTime::get);
            var check = new PartyCheck(reader, reader, CLOCK);

            assertThat(check.problemWithRecipient("rob")).isEmpty();
            assertThat(check.problemWithRecipient("bob"))
                    .hasValueSatisfying(text ->
                            assertThat(text).isEqualTo("no certificate named 'bob' in recipients/ (nearest: 'rob')"));
            assertThat(check.problemWithRecipient("old"))
                    .hasValueSatisfying(text -> assertThat(text).contains("'old'", "expired on 2026-11-20"));
            assertThat(check.problemWithRecipient("sig"))
                    .hasValueSatisfying(text -> assertThat(text).contains("Ed25519, which can sign but not receive"));
            assertThat(check.problemWithSigner("sig")).isEmpty();
            assertThat(check.problemWithSigner("CN=not here")).isPresent();
            assertThat(check.problemWithSignerInForce("CN=not here")).isEmpty();
            assertThat(check.problemWithRecipient("CN=not here")).isPresent();
            assertThat(check.problemWithSigner("ski:zz")).isPresent();
        }
    }

    @Test
    void manyThreads_seeEveryChange() throws Exception {
        List<Thread> threads = new ArrayList<>();
        AtomicLong wrong = new AtomicLong();
        for (int i = 0; i < 4; i++) {
            threads.add(new Thread(() -> {
                for (int n = 0; n < Tier.rounds(2000); n++) {
                    later();
                    if (directory.find("bob").isEmpty()) {
                        wrong.incrementAndGet();
                    }
                }
            }));
        }
        threads.forEach(Thread::start);
        for (int n = 0; n < 20; n++) {
            write(recipients, "x" + n + ".pem", ROOT.certificate());
        }
        for (Thread thread : threads) {
            thread.join();
        }
        later();

        assertThat(wrong).hasValue(0);
        assertThat(directory.all()).hasSize(21);
    }

    private static X509Certificate renewed(KeyPair pair, Shape shape) {
        return certificate("CN=dora", pair.getPublic(), ROOT.issuer(), shape);
    }

    private void later() {
        nanoTime.addAndGet(Duration.ofSeconds(2).toNanos());
    }
}
