/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.signetmq.policy.Parties.ALICE_AND_BOB;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.policy.CertificateInclusion;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.Policy;
import org.signetmq.policy.Policy.Acceptance;
import org.signetmq.policy.Policy.Encryption;
import org.signetmq.policy.Policy.EncryptionAlgorithm;
import org.signetmq.policy.Policy.LegacyAlgorithms;
import org.signetmq.policy.Policy.MessageAudit;
import org.signetmq.policy.Policy.Signing;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.SealingPlace;
import org.signetmq.policy.SignatureAlgorithm;
import org.signetmq.policy.Toleration;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.policy.internal.text.DocumentLimits;

final class PolicyFileTest {
    private static final String WHOLE = """
            {"schema": 1, "version": 17, "unmatched": "reject", "policies": [
              {"pattern": "orders.#", "quality": "confidentiality",
               "signature-algorithm": "SHA-512-RSA-PSS", "encryption-algorithm": "AES-256",
               "signers": [], "recipients": ["alice", "bob"],
               "key-reuse": 100, "max-bytes-per-key": "1GiB", "max-key-age": "30m",
               "certificate": "referenced", "toleration": {"until": "2026-12-31T00:00:00Z"}, "where": "broker",
               "accept-legacy": true},
              {"pattern": "bills", "quality": "integrity", "signers": ["bob"], "brokers": ["alice"],
               "toleration": "enforce", "accept-legacy": false, "audit": "each"}]}
            """;

    @Nested
    final class Parse {
        @Test
        void everyKey_isRead() {
            PolicySet set = PolicyFile.parse(WHOLE, ALICE_AND_BOB);

            Policy orders = new Policy(
                    "orders.#",
                    QualityOfProtection.CONFIDENTIALITY,
                    new Signing(SignatureAlgorithm.SHA_512_RSA_PSS, List.of(), CertificateInclusion.REFERENCED),
                    new Encryption(
                            EncryptionAlgorithm.AES_256,
                            List.of("alice", "bob"),
                            new KeyLimits(100, 1L << 30, Duration.ofMinutes(30))),
                    new Acceptance(
                            new Toleration(Instant.parse("2026-12-31T00:00:00Z")),
                            SealingPlace.BROKER,
                            LegacyAlgorithms.ACCEPTED));
            Policy bills = Policy.integrity("bills")
                    .with(new Signing(
                            SignatureAlgorithm.SHA_512,
                            List.of("bob"),
                            CertificateInclusion.INCLUDED,
                            List.of("alice")))
                    .with(Acceptance.DEFAULT.with(MessageAudit.EACH));
            assertThat(set).isEqualTo(PolicySet.of(17, UnmatchedAddress.REJECT, List.of(orders, bills)));
        }

        @Test
        void onlyWhatIsNeeded_hasTheDefaults() {
            assertThat(only("\"quality\": \"confidentiality\", \"recipients\": [\"alice\"]"))
                    .isEqualTo(Policy.confidentiality("a", List.of("alice"), KeyLimits.DEFAULT));
            assertThat(only("\"quality\": \"privacy\", \"recipients\": [\"alice\"]"))
                    .isEqualTo(Policy.privacy("a", List.of("alice")));
            assertThat(only("\"quality\": \"integrity\"")).isEqualTo(Policy.integrity("a"));
            assertThat(only("\"quality\": \"none\", \"recipients\": [], \"signers\": []")
                            .quality())
                    .isEqualTo(QualityOfProtection.NONE);
            assertThat(PolicyFile.parse("{\"schema\":1,\"version\":0,\"policies\":[]}", ALICE_AND_BOB))
                    .isEqualTo(PolicySet.EMPTY);
        }

        @Test
        void keyReuse_countsUnlimitedAndFresh() {
            assertThat(limits("\"key-reuse\": 0").messages()).isEqualTo(1);
            assertThat(limits("\"key-reuse\": 1").messages()).isEqualTo(1);
            assertThat(limits("\"key-reuse\": 4294967296").messages()).isEqualTo(KeyLimits.MOST_MESSAGES);
            assertThat(limits("\"key-reuse\": \"unlimited\"").messages()).isEqualTo(KeyLimits.MOST_MESSAGES);
        }

        @Test
        void sizesAndAges_inEveryForm() {
            assertThat(limits("\"max-bytes-per-key\": 1000").bytes()).isEqualTo(1000);
            assertThat(limits("\"max-bytes-per-key\": \"1B\"").bytes()).isEqualTo(1);
            assertThat(limits("\"max-bytes-per-key\": \"3 KiB\"").bytes()).isEqualTo(3072);
            assertThat(limits("\"max-bytes-per-key\": \"64TiB\"").bytes()).isEqualTo(KeyLimits.MOST_BYTES);
            assertThat(limits("\"max-key-age\": \"PT1H\"").age()).isEqualTo(Duration.ofHours(1));
            assertThat(limits("\"max-key-age\": \"90s\"").age()).isEqualTo(Duration.ofSeconds(90));
            assertThat(limits("\"max-key-age\": \"250ms\"").age()).isEqualTo(Duration.ofMillis(250));
            assertThat(limits("\"max-key-age\": \"365d\"").age()).isEqualTo(Duration.ofDays(365));
        }

        @Test
        void algorithms_inEverySpelling() {
            for (String name : List.of("AES-256", "aes256", "AES-256-GCM", "Aes256Gcm")) {
                assertThat(only("\"quality\": \"privacy\", \"recipients\": [\"bob\"], \"encryption-algorithm\": \""
                                        + name + "\"")
                                .encryption()
                                .algorithm())
                        .isEqualTo(EncryptionAlgorithm.AES_256);
            }
            for (String name : List.of("SHA-512", "SHA512", "sha-512")) {
                assertThat(only("\"quality\": \"integrity\", \"signature-algorithm\": \"" + name + "\"")
                                .signing()
                                .algorithm())
                        .isEqualTo(SignatureAlgorithm.SHA_512);
            }
            assertThat(only("\"quality\": \"integrity\", \"signature-algorithm\": \"sha512-rsa-pss\"")
                            .signing()
                            .algorithm())
                    .isEqualTo(SignatureAlgorithm.SHA_512_RSA_PSS);
        }

        private static Policy only(String fields) {
            String json = "{\"schema\":1,\"version\":1,\"policies\":[{\"pattern\":\"a\"," + fields + "}]}";
            return PolicyFile.parse(json, ALICE_AND_BOB).policies().get(0);
        }

        private static KeyLimits limits(String field) {
            return only("\"quality\": \"confidentiality\", \"recipients\": [\"alice\"], " + field)
                    .encryption()
                    .limits();
        }
    }

    @Nested
    final class ReadAndWrite {
        @TempDir
        private Path folder = Path.of("unset");

        private final PolicySet set = PolicyFile.parse(WHOLE, ALICE_AND_BOB);

        @Test
        void formattedSet_readsBackEqual() throws IOException {
            Path file = Files.write(folder.resolve("policies.json"), PolicyFile.bytes(set));

            assertThat(PolicyFile.read(file, ALICE_AND_BOB)).isEqualTo(set);
        }

        @Test
        void missingFile_isAnIoException() {
            assertThatThrownBy(() -> PolicyFile.read(folder.resolve("none.json"), ALICE_AND_BOB))
                    .isInstanceOf(NoSuchFileException.class);
        }

        @Test
        void bytesThatAreNotUtf8_areRejected() throws IOException {
            Path file = Files.write(folder.resolve("policies.json"), "{\"ü\":1}".getBytes(StandardCharsets.ISO_8859_1));

            assertThatThrownBy(() -> PolicyFile.read(file, ALICE_AND_BOB))
                    .isInstanceOf(InvalidPolicyException.class)
                    .hasMessage("$: bytes that are not UTF-8; save the file as UTF-8");
        }

        @Test
        void endlessFile_isRejected() throws IOException {
            Path file = Files.writeString(folder.resolve("policies.json"), " ".repeat(DocumentLimits.LONGEST + 1));

            assertThatThrownBy(() -> PolicyFile.read(file, ALICE_AND_BOB))
                    .isInstanceOf(InvalidPolicyException.class)
                    .hasMessage("$: longer than 50331648 bytes; name fewer policies");
        }

        @Test
        void longestFile_isRead() throws IOException {
            String document = PolicyFile.format(PolicySet.of(3, UnmatchedAddress.PASS, List.of()));
            Path file = Files.writeString(
                    folder.resolve("policies.json"), document + " ".repeat(DocumentLimits.LONGEST - document.length()));

            assertThat(PolicyFile.read(file, PartyValidator.acceptAll()).version())
                    .isEqualTo(3);
        }

        @Test
        void setTooLongToReadBack_isNotFormatted() {
            String name = "x".repeat(DocumentLimits.LONGEST_TEXT);
            List<Policy> huge = IntStream.range(0, DocumentLimits.LONGEST / name.length())
                    .mapToObj(i -> Policy.privacy("a" + i, List.of(name)))
                    .toList();

            assertThatThrownBy(() -> PolicyFile.bytes(PolicySet.EMPTY.with(huge)))
                    .isInstanceOf(InvalidPolicyException.class)
                    .hasMessageContaining("could not be read back");
        }
    }
}
