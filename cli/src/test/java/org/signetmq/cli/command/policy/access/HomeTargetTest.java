/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.cli.CliRun;
import org.signetmq.cli.console.CliException;
import org.signetmq.keystore.home.Home;
import org.signetmq.policy.UnmatchedAddress;

final class HomeTargetTest {
    private static final PolicyChange SET = new PolicyChange.SetPolicy(Map.of("pattern", "a", "quality", "none"));
    private static final PolicyChange REJECT = new PolicyChange.SetUnmatched(UnmatchedAddress.REJECT);

    @TempDir
    private Path folder;

    private HomeTarget target;

    @BeforeEach
    void makeTarget() {
        target = new HomeTarget(new Home(folder.resolve("home")), Clock.systemUTC());
    }

    @Test
    void changeOfAnEarlierVersion_isStale_andChangesNothing() throws Exception {
        target.apply(SET, 0);
        byte[] before = Files.readAllBytes(folder.resolve("home/policies.json"));

        assertThatThrownBy(() -> target.apply(REJECT, 0))
                .isInstanceOf(CliException.class)
                .hasMessageStartingWith(
                        folder.resolve("home/policies.json")
                                + ": the policies were changed meanwhile, and nothing was changed now: version 1 was made at 20")
                .hasMessageEndingWith(", and this command saw version 0");

        assertThat(folder.resolve("home/policies.json")).hasBinaryContent(before);
        assertThat(target.apply(REJECT, 1)).isEqualTo(new Applied(1, 2, List.of()));
    }

    @Test
    void changeThatIsThereAlready_makesNoFile() throws Exception {
        PolicyChange pass = new PolicyChange.SetUnmatched(UnmatchedAddress.PASS);

        assertThat(target.apply(pass, 0).isChange()).isFalse();
        assertThat(target.judge(SET, 0).step()).isEqualTo("policies 0 -> 1");
        assertThat(folder.resolve("home")).doesNotExist();
    }

    @Test
    void recipientWhoseCertificateEndsSoon_isWarnedOf_bySetAndAddAndImport() throws Exception {
        new CliRun(folder).run("identity", "create", "alice", "--dn", "CN=alice", "--home", "home");
        Home home = new Home(folder.resolve("home"));
        Instant end = home.recipientDirectory()
                .find("alice")
                .orElseThrow()
                .certificate()
                .getNotAfter()
                .toInstant();
        target = new HomeTarget(home, Clock.fixed(end.minus(Duration.ofDays(29)), ZoneOffset.UTC));
        PolicyChange set = new PolicyChange.SetPolicy(
                Map.of("pattern", "a", "quality", "privacy", "recipients", List.of("CN=alice")));
        PolicyChange add = new EditParties(EditParties.Edit.ADD_RECIPIENT, "a", List.of("alice"));

        assertThat(target.apply(set, 0).warnings()).singleElement().asString().contains("'CN=alice'", "29 days");
        assertThat(target.judge(add, 1).warnings())
                .anySatisfy(warning -> assertThat(warning).startsWith("recipient 'alice'"));
        assertThat(target.apply(REJECT, 1).warnings()).isEmpty();
        PolicyChange all = new PolicyChange.ReplaceAll(target.read().with(UnmatchedAddress.PASS));
        assertThat(target.apply(all, 2).warnings()).hasSize(1);
    }
}
