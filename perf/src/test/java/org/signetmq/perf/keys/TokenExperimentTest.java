/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentityRequest;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Password;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.result.Target;
import org.signetmq.perf.result.Target.Verdict;
import org.signetmq.testkit.Tier;

@Tag(Tier.LONG)
final class TokenExperimentTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    @Test
    void places_areComparedWithTheFile_andSlowedKeysAreUsedSeldom() throws Exception {
        Identity identity;
        try (Password password = Password.takeOwnershipOf("benchmark".toCharArray())) {
            identity = new Home(folder)
                    .identityStore()
                    .create(new IdentityRequest("alice", "CN=alice", KeyAlgorithm.EC_P256, null), password);
        }
        try (TokenExperiment experiment = new TokenExperiment(identity)) {
            List<Result> rows = experiment.run(1, Duration.ofMillis(30));

            assertThat(rows)
                    .extracting(row -> row.text("place"))
                    .containsExactly("file", "file, 5 ms", "token", "token, 5 ms");
            assertThat(rows.get(0).number("share_of_file")).isEqualTo(1);
            assertThat(rows)
                    .allSatisfy(row ->
                            assertThat(row.number("key_operations_per_message")).isPositive());
        }
    }

    @Test
    void targets_areThoseOfEachPlaceButTheFile() {
        TokenReport report = new TokenReport(List.of(row("file", 1), row("token", 0.95), row("token, 5 ms", 0.85)));

        assertThat(report.targets()).extracting(Target::verdict).containsExactly(Verdict.MET, Verdict.MISSED);
        assertThat(report.targets().get(0).name()).isEqualTo("confidentiality(32) with p256: key in token / in file");
    }

    private static Result row(String place, double share) {
        return TokenExperiment.row("p256", place, 1000)
                .with("share_of_file", share)
                .with("share_low", share)
                .with("share_high", share);
    }
}
