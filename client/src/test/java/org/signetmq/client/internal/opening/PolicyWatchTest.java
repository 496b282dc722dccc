/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.opening;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.file.WholeFile;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.policy.file.PolicyFile;

final class PolicyWatchTest {
    @TempDir
    Path folder;

    private Path file;
    private Instant now = Instant.parse("2026-11-21T00:00:00Z");
    private final Clock clock = ((InstantSource) () -> now).withZone(ZoneOffset.UTC);

    @BeforeEach
    void writeFirst() throws IOException {
        file = folder.resolve("policies.json");
        write(1, "orders");
    }

    private void write(long version, String pattern) throws IOException {
        PolicySet set =
                PolicySet.of(version, UnmatchedAddress.PASS, List.of(Policy.privacy(pattern, List.of("nobody-known"))));
        new WholeFile(file).write(PolicyFile.bytes(set), WholeFile.READABLE);
    }

    private static PolicySet get(PolicyWatch watch) {
        return Objects.requireNonNull(watch.get());
    }

    @Test
    void fileThatAllMayChange_isRejected_untilTheCommandMendsIt() throws IOException {
        PolicyWatch watch = new PolicyWatch(file, List.of(), clock);

        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
        now = now.plusSeconds(1);
        assertThatThrownBy(watch::get)
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("chmod go-w " + file);
        assertThatThrownBy(() -> new PolicyWatch(file, List.of(), clock)).isInstanceOf(KeystoreUnusableException.class);

        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        now = now.plusSeconds(1);
        assertThat(get(watch).version()).isEqualTo(1);
    }

    @Test
    void changedFile_isReadAfterASecond() throws IOException {
        PolicyWatch watch = new PolicyWatch(file, List.of(), clock);
        assertThat(get(watch).find("orders")).isPresent();

        write(2, "invoices.and.more");
        now = now.plus(Duration.ofMillis(999));
        assertThat(get(watch).version()).isEqualTo(1);
        now = now.plus(Duration.ofMillis(1));

        assertThat(get(watch).version()).isEqualTo(2);
        assertThat(get(watch).find("orders")).isEmpty();
    }

    @Test
    void badFile_keepsTheOldSet_untilItIsGoodAgain() throws IOException {
        PolicyWatch watch = new PolicyWatch(file, List.of(), clock);

        Files.writeString(file, "{ not json");
        now = now.plus(Duration.ofSeconds(2));
        assertThat(get(watch).version()).isEqualTo(1);
        write(3, "orders");
        now = now.plus(Duration.ofSeconds(2));

        assertThat(get(watch).version()).isEqualTo(3);
    }

    @Test
    void missingFile_keepsTheOldSet() throws IOException {
        PolicyWatch watch = new PolicyWatch(file, List.of(), clock);

        Files.delete(file);
        now = now.plus(Duration.ofSeconds(2));

        assertThat(get(watch).find("orders")).isPresent();
    }

    @Test
    void badFile_atFirst_isRejected_andMissingFileIsReadLater() throws IOException {
        Files.writeString(file, "{ not json");
        assertThatThrownBy(() -> new PolicyWatch(file, List.of(), clock)).isInstanceOf(InvalidPolicyException.class);

        Files.delete(file);
        PolicyWatch watch = new PolicyWatch(file, List.of(), clock);
        assertThat(watch.get()).isNull();
        write(2, "orders");
        now = now.plus(Duration.ofSeconds(2));
        assertThat(get(watch).version()).isEqualTo(2);
    }
}
