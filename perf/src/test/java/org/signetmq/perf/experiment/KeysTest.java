/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentityRequest;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Password;
import org.signetmq.perf.experiment.KeysExperiment.TokenKeys;
import org.signetmq.perf.experiment.KeysExperiment.UnwrapCount;
import org.signetmq.perf.process.Runner;
import org.signetmq.testkit.Tier;

final class KeysTest {
    @TempDir
    private Path folder;

    @Test
    void keys_areUnwrappedOnce_ifAllAreRemembered() throws Exception {
        UnwrapCount count = new UnwrapCount();

        assertThat(count.perMessage(4, 64)).isCloseTo(1 / 32.0, within(1e-9));
        assertThat(count.perMessage(4, 1)).isEqualTo(1);
    }

    @Test
    @Tag(Tier.LONG)
    void keyThatIsSlow_isComparedWithOneInAFile() throws Exception {
        Identity identity;
        try (Password password = Password.takeOwnershipOf("secret".toCharArray())) {
            identity = new Home(folder)
                    .identityStore()
                    .create(new IdentityRequest("alice", "CN=alice", KeyAlgorithm.EC_P256, null), password);
        }
        Runner runner = new Runner(true, folder, line -> {});
        try (TokenKeys keys = new TokenKeys(identity)) {
            keys.measure(runner);
        }

        assertThat(runner.failures()).isEmpty();
        assertThat(runner.rows())
                .extracting(row -> row.text("setting"))
                .containsExactly("file", "file 5 ms", "token", "token 5 ms");
        assertThat(runner.rows())
                .allSatisfy(row ->
                        assertThat(row.number("key_operations")).isPositive().isLessThanOrEqualTo(1));
    }
}
