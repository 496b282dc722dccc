/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.trust;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.internal.x509.CertificateForge;
import org.signetmq.keystore.internal.x509.HomeCertificates;
import org.signetmq.keystore.internal.x509.TestCertificates;
import org.signetmq.keystore.trust.TrustedCertificate.NameSource;

/** Which signers a policy's selectors stand for, and how long an answer is kept. */
final class SignerMatchTest {
    private static final KeyPair KEY = TestCertificates.ec();
    private static final X509Certificate ALICE =
            CertificateForge.of("CN=alice,O=Example", KEY).make().certificate();
    private static final X509Certificate MALLORY =
            CertificateForge.of("CN=alice,O=Example").make().certificate();

    private final Directory directory = new Directory();
    private final Trust trust = new Trust();
    private final SignerMatch match = new SignerMatch(directory, trust);

    private static TrustedCertificate signer(X509Certificate certificate, String... issuers) {
        List<Recipient> parties = List.of(new Recipient("alice", ALICE));
        return new TrustedCertificate(
                List.of(certificate),
                NameSource.HOME,
                new HomeCertificates(List.of(), parties, List.of()).knownKeys(),
                Set.of(issuers));
    }

    @Test
    void nameInTheDirectory_standsForItsKey() {
        directory.put("alice", ALICE);

        assertThat(match.matches(signer(ALICE), "alice")).isTrue();
        assertThat(match.matches(signer(MALLORY), "alice")).isFalse();
    }

    @Test
    void renewedCertificateOfTheKey_matches() {
        directory.put("alice", CertificateForge.of("CN=alice 2027", KEY).make().certificate());

        assertThat(match.matches(signer(ALICE), "alice")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"bob", "", "ski:", "CN=", "CN=alice,O=Example;issuer="})
    void unknownOrMalformedSelector_matchesNone(String selector) {
        directory.put("alice", ALICE);

        assertThat(match.matches(signer(ALICE), selector)).isFalse();
    }

    @Test
    void dn_standsForTheKeyThatTheHomeGivesIt_whateverTheCertificateSays() {
        assertThat(match.matches(signer(ALICE), "O=Example, CN=alice")).isTrue();
        assertThat(match.matches(signer(MALLORY), "O=Example, CN=alice")).isFalse();
    }

    @Test
    void dnWithIssuer_needsBoth() {
        assertThat(match.matches(signer(MALLORY, "ca"), "CN=alice,O=Example; issuer=ca"))
                .isTrue();
        assertThat(match.matches(signer(MALLORY, "cb"), "CN=alice,O=Example; issuer=ca"))
                .isFalse();
        assertThat(match.matches(signer(ALICE, "ca"), "CN=bob,O=Example; issuer=ca"))
                .isFalse();
        assertThat(match.matches(signer(ALICE, "ca"), "O=Example,CN=alice; issuer=ca"))
                .isFalse();
    }

    @Test
    void sharedName_matchesNone() {
        directory.isShared = true;

        assertThat(match.matches(signer(ALICE), "alice")).isFalse();
    }

    @Test
    void answer_isKeptUntilTheHomeChanges() {
        directory.put("alice", ALICE);
        assertThat(match.matches(signer(ALICE), "alice")).isTrue();
        assertThat(match.matches(signer(ALICE), "alice")).isTrue();
        assertThat(directory.searches).hasValue(1);

        directory.put("alice", MALLORY);
        assertThat(match.matches(signer(ALICE), "alice")).isFalse();
        assertThat(directory.searches).hasValue(2);

        trust.version++;
        assertThat(match.matches(signer(ALICE), "alice")).isFalse();
        assertThat(directory.searches).hasValue(3);
    }

    @Test
    void answers_areForgottenWhereThereIsNoRoom() {
        directory.put("alice", ALICE);
        TrustedCertificate signer = signer(ALICE);
        for (int i = 0; i < 1024; i++) {
            assertThat(match.matches(signer, "name" + i)).isFalse();
        }
        assertThat(match.matches(signer, "name0")).isFalse();
        assertThat(directory.searches).as("all of them kept").hasValue(1024);

        assertThat(match.matches(signer, "alice")).isTrue();
        assertThat(match.matches(signer, "name0")).isFalse();

        assertThat(directory.searches).as("forgotten for one more").hasValue(1026);
        assertThat(match.matches(signer, "alice")).isTrue();
        assertThat(directory.searches).hasValue(1026);
    }

    @Test
    void answersAboutLargeCertificates_areForgottenByTheirBytes() {
        String longName = "CN=alice" + (",OU=" + "a".repeat(60)).repeat(30);
        TrustedCertificate large = signer(CertificateForge.of(longName).make().certificate());
        int bytes = Certificates.length(large.certificate());
        int most = (1 << 20) / bytes;
        for (int i = 0; i < most; i++) {
            assertThat(match.matches(large, "name" + i)).isFalse();
        }
        assertThat(match.matches(large, "name0")).isFalse();
        assertThat(directory.searches).as("%s bytes each", bytes).hasValue(most);

        assertThat(match.matches(large, "one more")).isFalse();
        assertThat(match.matches(large, "name0")).isFalse();

        assertThat(directory.searches).hasValue(most + 2);
    }

    /** A directory of names alone, which counts its searches. */
    private static final class Directory implements RecipientDirectory {
        private final Map<String, X509Certificate> entries = new HashMap<>();
        private final AtomicInteger searches = new AtomicInteger();
        private boolean isShared;
        private long version;

        void put(String name, X509Certificate certificate) {
            entries.put(name, certificate);
            version++;
        }

        @Override
        public Optional<Recipient> find(String selector) {
            searches.incrementAndGet();
            if (isShared) {
                throw new KeystoreUnusableException("recipients/: two keys");
            }
            return Optional.ofNullable(entries.get(selector)).map(certificate -> new Recipient(selector, certificate));
        }

        @Override
        public List<Recipient> find(KeyIdentifier keyIdentifier) {
            return List.of();
        }

        @Override
        public List<Recipient> all() {
            return List.of();
        }

        @Override
        public long version() {
            return version;
        }
    }

    /** Trust that has a version and is asked for nothing else. */
    private static final class Trust implements CertificateTrust {
        private long version;

        @Override
        public TrustedCertificate verify(
                X509Certificate certificate, Collection<X509Certificate> others, CertificateUse use, Instant at) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<Recipient> trusted() {
            return List.of();
        }

        @Override
        public long version() {
            return version;
        }

        @Override
        public long signatureVerifications() {
            return 0;
        }
    }
}
