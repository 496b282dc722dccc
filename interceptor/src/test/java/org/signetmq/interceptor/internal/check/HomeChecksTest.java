/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.check;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.signetmq.interceptor.TestHomes;
import org.signetmq.interceptor.internal.audit.AuditLog;
import org.signetmq.interceptor.internal.check.Findings.Finding;
import org.signetmq.interceptor.internal.check.Findings.Level;
import org.signetmq.interceptor.internal.home.ConfigurationWatcher;
import org.signetmq.interceptor.internal.home.CryptoService;
import org.signetmq.interceptor.internal.home.Readiness;
import org.signetmq.interceptor.internal.status.Counters;
import org.signetmq.interceptor.internal.status.PluginStatus;
import org.signetmq.interceptor.internal.status.PluginStatus.LargeMessages;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentityRenewal;
import org.signetmq.keystore.IdentityRenewal.NextKey;
import org.signetmq.keystore.IdentityRequest;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.home.IdentityStore;
import org.signetmq.keystore.home.Password;
import org.signetmq.policy.CertificateInclusion;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.Policy.Enforcement;
import org.signetmq.policy.Policy.RequiredKeys;
import org.signetmq.policy.Policy.SignatureCheck;
import org.signetmq.policy.SignatureAlgorithm;

/** The checks of the plugin's home, by a real home. */
final class HomeChecksTest {
    private static final LargeMessages PROTECTED = new LargeMessages(LargeMessages.Mode.PROTECTED, null);

    @TempDir
    private Path folder;

    private TestHomes homes;
    private @Nullable ConfigurationWatcher watcher;

    @BeforeEach
    void makeHomes() throws Exception {
        homes = new TestHomes(folder);
        homes.policies(1, TestHomes.privacy("orders"));
    }

    @AfterEach
    void close() {
        if (watcher != null) {
            watcher.close();
        }
    }

    private Readiness readiness() {
        close();
        watcher = new ConfigurationWatcher(
                Map.of("home", homes.broker.root().toString(), "password-file", homes.passwordFile.toString()),
                CryptoService::new,
                new ConfigurationImpl(),
                new AuditLog(Clock.systemUTC()));
        watcher.start();
        return watcher.readiness();
    }

    private List<Finding> certificates(Instant now) {
        return FindingsTest.found(new HomeChecks(readiness(), now)::certificates);
    }

    private Instant end() {
        return homes.broker
                .recipientDirectory()
                .find("broker")
                .orElseThrow()
                .certificate()
                .getNotAfter()
                .toInstant();
    }

    @Test
    void freshCertificates_areRight() {
        assertThat(certificates(Instant.now())).isEmpty();
    }

    @Test
    void certificatesThatEndSoon_areWarnings_eachOnce() {
        assertThat(certificates(end().minus(Duration.ofDays(10))))
                .allSatisfy(finding -> assertThat(finding.level()).isEqualTo(Level.WARNING))
                .extracting(Finding::what)
                .satisfiesExactly(
                        own -> assertThat(own).startsWith("the broker's own certificate ends in "),
                        recipient -> assertThat(recipient)
                                .startsWith("the certificate recipients/'" + TestHomes.CONSUMER + "' ends in "));
    }

    @Test
    void endedOwnCertificate_isWrong_whereAPolicySigns() {
        assertThat(certificates(end().plus(Duration.ofDays(1)))).first().satisfies(finding -> {
            assertThat(finding.level()).isEqualTo(Level.WRONG);
            assertThat(finding.what()).startsWith("the broker's own certificate ended at ");
            assertThat(finding.remedy()).contains("new identity");
        });
    }

    @Test
    void endedIssuer_isAWarning() throws Exception {
        homes.policies(2, Policy.integrity("orders"));

        assertThat(certificates(end().plus(Duration.ofDays(1)))).last().satisfies(finding -> {
            assertThat(finding.level()).isEqualTo(Level.WARNING);
            assertThat(finding.what()).startsWith("the certificate trust/'" + TestHomes.CONSUMER + "' ended");
        });
    }

    @Test
    void listOfCertificates_hasEachOnce_theFirstToEndFirst() throws Exception {
        Readiness readiness = readiness();
        Instant now = end().minus(Duration.ofHours(36));

        JsonNode answer = JsonMapper.builder().build().readTree(new HomeChecks(readiness, now).certificates());

        assertThat(answer.path("left-out").intValue()).isZero();
        assertThat(answer.path("certificates"))
                .hasSizeGreaterThanOrEqualTo(2)
                .allSatisfy(entry -> assertThat(entry.path("days").intValue()).isBetween(0, 2));
        assertThat(answer.path("certificates").findValuesAsText("until")).isSorted();
        assertThat(answer.path("certificates").findValuesAsText("subject")).doesNotHaveDuplicates();
        assertThat(answer.path("certificates").findValuesAsText("kind")).contains("own", "party");
        assertThat(answer.path("certificates").findValuesAsText("name"))
                .contains("identity", "recipients/" + TestHomes.CONSUMER);
        assertThat(new HomeChecks(readiness, end().plus(Duration.ofHours(1))).certificates())
                .contains("\"days\":-1}");
    }

    @Test
    void homeThatCannotBeLoaded_isWrong() throws Exception {
        Files.delete(homes.broker.identities().resolve("broker.p12"));

        assertThat(plugin(new Counters().status(readiness(), null)))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.level()).isEqualTo(Level.WRONG);
                    assertThat(finding.what())
                            .startsWith("messages are rejected: ")
                            .contains("broker.p12");
                });
        assertThat(certificates(Instant.now())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "2999-01-31T00:00:00Z, until 2999-01-31T00:00:00Z messages of former versions are opened",
        "2020-01-31T00:00:00Z, ended at 2020-01-31T00:00:00Z"
    })
    void uncommittedMessages_areAWarning_withTheDate(String until, String words) throws Exception {
        Files.writeString(homes.broker.trustSettings(), "{\"schema\": 1, \"uncommitted-until\": \"" + until + "\"}");

        assertThat(certificates(Instant.now())).singleElement().satisfies(finding -> {
            assertThat(finding.level()).isEqualTo(Level.WARNING);
            assertThat(finding.what()).startsWith("trust.json: uncommitted-until: " + words);
            assertThat(finding.remedy()).startsWith("remove it from trust.json");
        });
    }

    private void create(String name, KeyAlgorithm algorithm) {
        try (Password password = Password.fromFile(homes.passwordFile)) {
            IdentityStore store = homes.broker.identityStore();
            Identity made = store.create(new IdentityRequest(name, "CN=" + name, algorithm, null), password);
            if (KeyAlgorithm.postQuantum(made.certificate().getPublicKey()).isPresent()) {
                var unused = store.renewReceiving(
                        new IdentityRenewal(name, new NextKey.New(null), null, IdentityRenewal.DEFAULT_VALIDITY),
                        password);
            }
        }
    }

    private void assertWrong(String problem, String remedy) {
        assertThat(plugin(new Counters().status(readiness(), null))).anySatisfy(finding -> {
            assertThat(finding.level()).isEqualTo(Level.WRONG);
            assertThat(finding.what()).contains(problem);
            assertThat(finding.remedy()).contains(remedy);
        });
    }

    @ParameterizedTest
    @CsvSource({"RSA_2048, rsa-2048", "EC_P384, P-384", "ML_DSA_65, ml-kem-768"})
    void authenticityForAKeyThatCannotAgreeWithTheBrokers_isWrong(KeyAlgorithm algorithm, String label)
            throws Exception {
        create("other", algorithm);
        homes.policies(2, Policy.authenticity("agreed", List.of("other"), KeyLimits.DEFAULT));

        assertWrong(
                "'agreed': messages are rejected: quality authenticity needs EC keys on one curve, found 'broker' with"
                        + " P-256, 'other' with " + label,
                "name parties with keys on one curve");
    }

    private void requireBoth() throws Exception {
        homes.policies(
                2,
                TestHomes.privacy("both")
                        .with(new Policy.Signing(
                                SignatureAlgorithm.SHA_512, List.of("broker"), CertificateInclusion.INCLUDED))
                        .with(new Enforcement(
                                SignatureCheck.SIGNATURE, false, false, null, List.of(), RequiredKeys.BOTH)));
    }

    @Test
    void missingCompanionOfARecipient_isWrong() throws Exception {
        create("broker.pq", KeyAlgorithm.ML_DSA_65);
        requireBoth();

        assertWrong("recipient: no certificate named 'consumer.pq' in recipients/", "recipients");
    }

    @Test
    void companionsOfTheWrongKind_areWrong() throws Exception {
        create("broker.pq", KeyAlgorithm.EC_P256);
        create("consumer.pq", KeyAlgorithm.EC_P256);
        requireBoth();

        assertWrong(
                "recipient: the key of 'consumer.pq' is ec-p256, where require: both needs a post-quantum one",
                "recipients");
        assertWrong(
                "signature: the key of 'broker.pq' is ec-p256, where require: both needs a post-quantum one",
                "recipients");
    }

    @Test
    void missingCompanionOfTheBroker_isWrong() throws Exception {
        create("consumer.pq", KeyAlgorithm.ML_DSA_65);
        requireBoth();

        assertWrong(
                "the broker's own identity 'broker' has no companion 'broker.pq'", "signet identity create broker.pq");
    }

    @Test
    void readyPlugin_isRight() {
        assertThat(plugin(new Counters().status(readiness(), null))).isEmpty();
    }

    /** Runs the checks of the state. */
    private List<Finding> plugin(PluginStatus status) {
        HomeChecks checks = new HomeChecks(readiness(), Instant.now());
        return FindingsTest.found(found -> {
            checks.state(status, found);
            checks.policies(status, found);
            checks.names(found);
            checks.keys(status, found);
            checks.largeMessages(status, found);
        });
    }

    private List<Finding> plugin(PluginStatus.Counts counts, LargeMessages large) {
        return plugin(new PluginStatus(
                PluginStatus.State.READY, null, new PluginStatus.Policies(1, null, List.of()), large, counts));
    }

    @Test
    void manyWaits_areAWarning_fewAreNot() {
        assertThat(plugin(new PluginStatus.Counts(5000, 0, 0, 0, 0, 1000), PROTECTED))
                .singleElement()
                .satisfies(finding -> assertThat(finding.what()).startsWith("1000 messages waited"));
        assertThat(plugin(new PluginStatus.Counts(5000, 0, 0, 0, 0, 999), PROTECTED))
                .isEmpty();
        assertThat(plugin(new PluginStatus.Counts(1_000_000, 0, 0, 0, 0, 5000), PROTECTED))
                .isEmpty();
    }

    @Test
    void refusedLargeMessages_areWrong_andUnjudgedMessagesAreAWarning() {
        assertThat(plugin(
                        new PluginStatus.Counts(0, 0, 0, 7, 0, 0),
                        new LargeMessages(LargeMessages.Mode.REFUSED, "no such field")))
                .satisfiesExactly(
                        unjudged -> {
                            assertThat(unjudged.level()).isEqualTo(Level.WARNING);
                            assertThat(unjudged.what()).startsWith("7 messages");
                        },
                        refused -> {
                            assertThat(refused.level()).isEqualTo(Level.WRONG);
                            assertThat(refused.what()).endsWith("no such field");
                        });
    }
}
