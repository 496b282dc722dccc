/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.cli.CliRun;
import org.signetmq.keystore.home.Home;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;

final class EndingCertificatesTest {
    @TempDir
    private Path folder;

    private List<String> recovery = List.of();

    @Test
    void recipientWhoseCertificateEndsWithin30Days_isNamedOnce() {
        new CliRun(folder).run("identity", "create", "alice", "--dn", "CN=alice");
        List<Policy> policies = IntStream.range(0, 3)
                .mapToObj(i -> Policy.privacy("a" + i, List.of("alice", "nobody")))
                .toList();

        assertThat(warnings(policies, Duration.ofDays(31))).isEmpty();
        assertThat(warnings(policies, Duration.ofDays(10)))
                .singleElement()
                .asString()
                .startsWith("recipient 'alice': its certificate ends in 10 days, at 20");
        assertThat(warnings(policies, Duration.ofDays(-1))).isEmpty(); // the judge of the policy rejects it
        assertThat(warnings(List.of(Policy.integrity("a")), Duration.ofDays(10)))
                .isEmpty();
    }

    @Test
    void recoveryRecipientWhoseCertificateEndsWithin30Days_isNamed() {
        new CliRun(folder).run("identity", "create", "alice", "--dn", "CN=alice");
        recovery = List.of("alice");

        assertThat(warnings(List.of(Policy.integrity("a")), Duration.ofDays(10)))
                .singleElement()
                .asString()
                .startsWith("recipient 'alice': ");
    }

    private List<String> warnings(List<Policy> policies, Duration beforeTheEnd) {
        Home home = new Home(folder.resolve("signet-home"));
        Instant end = home.recipientDirectory()
                .find("alice")
                .orElseThrow()
                .certificate()
                .getNotAfter()
                .toInstant();
        Clock clock = Clock.fixed(end.minus(beforeTheEnd), ZoneOffset.UTC);
        PolicySet set = PolicySet.of(1, UnmatchedAddress.PASS, policies);
        return new EndingCertificates(home.recipientDirectory(), clock)
                .warnings(new PolicyChange.ReplaceAll(set).readers(set.withRecovery(recovery)));
    }
}
