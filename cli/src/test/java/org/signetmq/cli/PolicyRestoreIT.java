/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.cli.CliRun.Result;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.keystore.home.Home;

/** A broker that lost its policies is seen by the commands, and gets them back by {@code policy import --restore}. */
final class PolicyRestoreIT {
    @TempDir
    private Path folder;

    @Test
    void brokerThatLostItsData_isFailed_untilAnAdministratorRestoresItsPolicies() throws Exception {
        try (GuardedBroker before = GuardedBroker.keepingPolicies(folder)) {
            Result refused = restore(before, GuardedBroker.ADMIN, "signet-home/policies.json");
            assertThat(refused.exitCode()).isEqualTo(ExitCode.FAILURE);
            assertThat(refused.err()).contains("refused, nothing was changed", "are not lost");
            before.as(GuardedBroker.ADMIN, "policy", "export", "--broker", before.url(), "--out", "saved.json");
        }
        try (GuardedBroker broker = GuardedBroker.keepingPolicies(folder, new Home(folder.resolve("signet-home")))) {
            Result status = broker.status(GuardedBroker.ADMIN);
            assertThat(status.exitCode()).isEqualTo(ExitCode.FAILURE);
            assertThat(status.out()).contains("FAILED", "signet policy import FILE --restore");
            Result doctor = broker.as(GuardedBroker.ADMIN, "doctor", "--broker", broker.url());
            assertThat(doctor.exitCode()).isEqualTo(ExitCode.FAILURE);
            assertThat(doctor.out()).contains("WRONG", "signet policy import FILE --restore");
            Result plain = broker.as(GuardedBroker.ADMIN, "policy", "import", "saved.json", "--broker", broker.url());
            assertThat(plain.exitCode()).isEqualTo(ExitCode.FAILURE);
            Result viewer = restore(broker, GuardedBroker.VIEWER, "saved.json");
            assertThat(viewer.exitCode()).isEqualTo(ExitCode.CONFIGURATION);

            Result restored = restore(broker, GuardedBroker.ADMIN, "saved.json");

            assertThat(restored.err()).isEmpty();
            assertThat(restored.out()).isEqualToIgnoringNewLines("saved.json: 1 policy, policies 1 -> 2");
            assertThat(broker.status(GuardedBroker.ADMIN).exitCode()).isZero();
        }
    }

    private static Result restore(GuardedBroker broker, String user, String file) {
        return broker.as(user, "policy", "import", file, "--restore", "--broker", broker.url());
    }

    @Test
    void restoreWithoutABroker_orAsADryRun_isRefused() {
        CliRun cli = new CliRun(folder);

        assertThat(cli.run("policy", "import", "saved.json", "--restore").exitCode())
                .isEqualTo(ExitCode.USAGE);
        assertThat(cli.run("policy", "import", "saved.json", "--restore", "--dry-run", "--broker", "tcp://localhost:1")
                        .exitCode())
                .isEqualTo(ExitCode.USAGE);
    }
}
