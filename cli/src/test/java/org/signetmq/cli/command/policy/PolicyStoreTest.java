/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.cli.CliRun;
import org.signetmq.cli.command.policy.PolicyTarget.Edit;
import org.signetmq.cli.console.CliException;
import org.signetmq.keystore.home.Home;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;

final class PolicyStoreTest {
    private static final Edit REJECT = (before, known) -> before.with(UnmatchedAddress.REJECT);

    @TempDir
    private Path folder;

    private PolicyStore store;

    @BeforeEach
    void makeStore() {
        store = new PolicyStore(new Home(folder.resolve("home")));
    }

    @Test
    void changeOfAnEarlierVersion_isStale_andChangesNothing() throws Exception {
        Edit ofOther = (before, known) -> {
            store.change(REJECT, false);
            return before.with(Policy.integrity("a"));
        };

        assertThatThrownBy(() -> store.change(ofOther, false))
                .isInstanceOf(CliException.class)
                .hasMessageStartingWith(
                        folder.resolve("home/policies.json")
                                + ": the policies were changed meanwhile, and nothing was changed now: version 1 was made at 20")
                .hasMessageEndingWith(", and this command saw version 0");

        assertThat(store.read()).isEqualTo(PolicySet.EMPTY.with(UnmatchedAddress.REJECT));
        assertThat(store.change((before, known) -> before.with(UnmatchedAddress.PASS), false)
                        .step())
                .isEqualTo("policies 1 -> 2");
    }

    @Test
    void changeThatIsThereAlready_orIsOnlyJudged_makesNoFile() throws Exception {
        assertThat(store.change((before, known) -> before.with(UnmatchedAddress.PASS), false)
                        .isChange())
                .isFalse();
        assertThat(store.change(REJECT, true).step()).isEqualTo("policies 0 -> 1");
        assertThat(folder.resolve("home")).doesNotExist();
    }

    @Test
    void recipientWhoseCertificateEndsWithin30Days_isNamedOnce_byTheChangeThatBringsIt() throws Exception {
        new CliRun(folder).run("identity", "create", "alice", "--dn", "CN=alice", "--home", "home");
        List<Policy> policies = IntStream.range(0, 3)
                .mapToObj(i -> Policy.privacy("a" + i, List.of("alice")))
                .toList();

        assertThat(warnings(policies, Duration.ofDays(31))).isEmpty();
        assertThat(warnings(policies, Duration.ofDays(10)))
                .singleElement()
                .asString()
                .startsWith("recipient 'alice': its certificate ends in 10 days, at 20");
        assertThat(warnings(List.of(Policy.integrity("a")), Duration.ofDays(10)))
                .isEmpty();
        assertThat(ending(Duration.ofDays(10))
                        .change((before, known) -> before.withRecovery(List.of("alice")), false)
                        .warnings())
                .singleElement()
                .asString()
                .startsWith("recipient 'alice': ");
        assertThat(ending(Duration.ofDays(10)).change(REJECT, false).warnings()).isEmpty();
    }

    private List<String> warnings(List<Policy> policies, Duration beforeTheEnd) throws Exception {
        return ending(beforeTheEnd)
                .change((before, known) -> before.with(policies), true)
                .warnings();
    }

    private PolicyStore ending(Duration beforeTheEnd) {
        Instant end = store.home()
                .recipientDirectory()
                .find("alice")
                .orElseThrow()
                .certificate()
                .getNotAfter()
                .toInstant();
        return new PolicyStore(store.home(), Clock.fixed(end.minus(beforeTheEnd), ZoneOffset.UTC));
    }
}
