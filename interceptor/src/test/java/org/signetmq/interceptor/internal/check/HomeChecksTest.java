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
import org.signetmq.interceptor.TestHomes;
import org.signetmq.interceptor.internal.audit.AuditLog;
import org.signetmq.interceptor.internal.check.BrokerFinding.Level;
import org.signetmq.interceptor.internal.home.ConfigurationWatcher;
import org.signetmq.interceptor.internal.home.CryptoService;
import org.signetmq.interceptor.internal.home.Readiness;
import org.signetmq.interceptor.internal.status.Counters;
import org.signetmq.interceptor.internal.status.PluginStatus;
import org.signetmq.interceptor.internal.status.PluginStatus.LargeMessages;
import org.signetmq.policy.Policy;

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
        homes.policies(1, Policy.privacy("orders", List.of(TestHomes.CONSUMER)));
    }

    @AfterEach
    void close() {
        if (watcher != null) {
            watcher.close();
        }
    }

    private Readiness readiness() {
        watcher = new ConfigurationWatcher(
                Map.of("home", homes.broker.root().toString(), "password-file", homes.passwordFile.toString()),
                CryptoService::new,
                new ConfigurationImpl(),
                new AuditLog(Clock.systemUTC()));
        watcher.start();
        return watcher.readiness();
    }

    private List<BrokerFinding> certificates(Instant now) {
        return Checks.found(Area.CERTIFICATES, new CertificateCheck(readiness(), now));
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

    private PluginCheck plugin() {
        Readiness readiness = readiness();
        return new PluginCheck(new Counters().status(readiness, null), readiness);
    }

    @Test
    void freshCertificates_areRight() {
        assertThat(certificates(Instant.now())).isEmpty();
    }

    @Test
    void certificatesThatEndSoon_areWarnings_eachOnce() {
        assertThat(certificates(end().minus(Duration.ofDays(10))))
                .allSatisfy(finding -> assertThat(finding.level()).isEqualTo(Level.WARNING))
                .extracting(BrokerFinding::what)
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

        JsonNode answer = JsonMapper.builder().build().readTree(new CertificateList(readiness, now).answer());

        assertThat(answer.path("left-out").intValue()).isZero();
        assertThat(answer.path("certificates"))
                .hasSizeGreaterThanOrEqualTo(2)
                .allSatisfy(entry -> assertThat(entry.path("days").intValue()).isBetween(0, 2));
        assertThat(answer.path("certificates").findValuesAsText("until")).isSorted();
        assertThat(answer.path("certificates").findValuesAsText("subject")).doesNotHaveDuplicates();
        assertThat(answer.path("certificates").findValuesAsText("kind")).contains("own", "party");
        assertThat(answer.path("certificates").findValuesAsText("name"))
                .contains("identity", "recipients/" + TestHomes.CONSUMER);
        assertThat(new CertificateList(readiness, end().plus(Duration.ofHours(1))).answer())
                .contains("\"days\":-1}");
    }

    @Test
    void homeThatCannotBeLoaded_isWrong() throws Exception {
        Files.delete(homes.broker.identities().resolve("broker.p12"));
        PluginCheck check = plugin();

        assertThat(Checks.found(Area.PLUGIN, check::state)).singleElement().satisfies(finding -> {
            assertThat(finding.level()).isEqualTo(Level.WRONG);
            assertThat(finding.what()).startsWith("messages are rejected: ").contains("broker.p12");
        });
        assertThat(Checks.found(Area.POLICIES, check::policies)).isEmpty();
        assertThat(Checks.found(Area.HOME, check::home)).isEmpty();
        assertThat(certificates(Instant.now())).isEmpty();
    }

    @Test
    void readyPlugin_isRight() {
        PluginCheck check = plugin();

        assertThat(Checks.found(Area.PLUGIN, check::state)).isEmpty();
        assertThat(Checks.found(Area.POLICIES, check::policies)).isEmpty();
        assertThat(Checks.found(Area.HOME, check::home)).isEmpty();
        assertThat(Checks.found(Area.KEYS, check::keys)).isEmpty();
        assertThat(Checks.found(Area.LARGE_MESSAGES, check::largeMessages)).isEmpty();
    }

    private PluginCheck counting(PluginStatus.Counts counts, LargeMessages large) {
        return new PluginCheck(
                new PluginStatus(
                        PluginStatus.State.READY, null, new PluginStatus.Policies(1, null, List.of()), large, counts),
                readiness());
    }

    @Test
    void manyWaits_areAWarning_fewAreNot() {
        PluginCheck many = counting(new PluginStatus.Counts(5000, 0, 0, 0, 0, 1000), PROTECTED);
        PluginCheck fewInAll = counting(new PluginStatus.Counts(5000, 0, 0, 0, 0, 999), PROTECTED);
        PluginCheck fewOfAll = counting(new PluginStatus.Counts(1_000_000, 0, 0, 0, 0, 5000), PROTECTED);

        assertThat(Checks.found(Area.KEYS, many::keys))
                .singleElement()
                .satisfies(finding -> assertThat(finding.what()).startsWith("1000 messages waited"));
        assertThat(Checks.found(Area.KEYS, fewInAll::keys)).isEmpty();
        assertThat(Checks.found(Area.KEYS, fewOfAll::keys)).isEmpty();
    }

    @Test
    void refusedLargeMessages_areWrong() {
        PluginCheck check = counting(
                new PluginStatus.Counts(0, 0, 0, 0, 0, 0),
                new LargeMessages(LargeMessages.Mode.REFUSED, "no such field"));

        assertThat(Checks.found(Area.LARGE_MESSAGES, check::largeMessages))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.level()).isEqualTo(Level.WRONG);
                    assertThat(finding.what()).endsWith("no such field");
                });
    }

    @Test
    void unjudgedMessages_areAWarning() {
        PluginCheck check = counting(new PluginStatus.Counts(0, 0, 0, 7, 0, 0), PROTECTED);

        assertThat(Checks.found(Area.PLUGIN, check::state)).singleElement().satisfies(finding -> {
            assertThat(finding.level()).isEqualTo(Level.WARNING);
            assertThat(finding.what()).startsWith("7 messages");
        });
    }
}
