/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PolicyMarkTest {
    private static final PolicyMark.Content THIRD = PolicyMark.Content.of(3, "{}");

    @TempDir
    private Path folder;

    private PolicyMark mark() {
        return new PolicyMark(folder);
    }

    @Test
    void mark_isReadBack_andReplacedAsAWhole() throws Exception {
        assertThat(mark().read()).isEmpty();
        mark().replace(THIRD);
        assertThat(mark().read()).contains(THIRD);

        PolicyMark.Content next = PolicyMark.Content.of(Long.MAX_VALUE, "{ }");
        try (PolicyMark.Draft draft = mark().draft(next)) {
            assertThat(mark().read()).contains(THIRD);
            draft.publish();
        }

        assertThat(mark().read()).contains(next);
        assertThat(folder).isDirectoryContaining(file -> file.endsWith(PolicyMark.NAME));
        assertThat(folder.toFile().list()).hasSize(1);
    }

    /** An interrupted first change is no loss. */
    @Test
    void firstDraft_leavesTheMarkOfANewStore() throws Exception {
        try (PolicyMark.Draft draft = mark().draft(THIRD)) {
            assertThat(draft).isNotNull();
        }
        assertThat(mark().read()).contains(PolicyMark.Content.NEW);
        try (PolicyMark.Draft draft = mark().draft(PolicyMark.Content.of(0, "{}"))) {
            draft.publish();
        }
        assertThat(mark().read()).contains(PolicyMark.Content.of(0, "{}"));
    }

    /** Else a volume that is not mounted would look like a new store. */
    @Test
    void absentFolder_isNoAbsentMark() {
        PolicyMark elsewhere = new PolicyMark(folder.resolve("absent"));

        assertThatThrownBy(elsewhere::read)
                .isInstanceOf(IOException.class)
                .hasMessage(elsewhere.file() + ": cannot be read: NoSuchFileException");
        assertThatThrownBy(() -> elsewhere.draft(THIRD)).isInstanceOf(IOException.class);
    }

    @Test
    void earlierOrOtherPolicies_doNotReplaceTheMark() throws Exception {
        mark().replace(THIRD);
        for (PolicyMark.Content other : new PolicyMark.Content[] {
            PolicyMark.Content.of(2, "{}"), PolicyMark.Content.of(3, "[]"),
        }) {
            assertThatThrownBy(() -> mark().draft(other))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("version 3")
                    .hasMessageContaining("policy-mark");
        }
        assertThat(mark().read()).contains(THIRD);
    }

    @Test
    void flippedBit_orMissingEnd_isDamage() throws Exception {
        mark().replace(THIRD);
        byte[] good = Files.readAllBytes(mark().file());
        for (int bit = 0; bit < good.length * 8; bit++) {
            byte[] bad = good.clone();
            bad[bit / 8] ^= (byte) (1 << bit % 8);
            assertDamaged(bad);
        }
        for (int length = 0; length < good.length; length++) {
            assertDamaged(Arrays.copyOf(good, length));
        }
        assertDamaged(Arrays.copyOf(good, 1 << 20));
    }

    private void assertDamaged(byte[] content) throws IOException {
        Files.write(mark().file(), content);
        assertThatThrownBy(() -> mark().read())
                .isInstanceOf(IOException.class)
                .hasMessageContaining(mark().file().toString());
    }
}
