/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.filesystem;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

final class MountTableTest {
    private static final MountTable TABLE = MountTable.of(List.of(
            "/dev/vda / ext4 rw 0 0",
            "/dev/loop0 /tmp/a/image ext4 rw 0 0",
            "cipher /tmp/a/image/inner fuse.gocryptfs rw 0 0",
            "tmpfs /tmp/ab tmpfs rw 0 0",
            "tmpfs /tmp/a\\040b\\134c tmpfs rw 0 0",
            ""));

    @Test
    void below_isTheFoldersMounts_lastMountedFirst() {
        assertThat(TABLE.below(Path.of("/tmp/a")))
                .containsExactly(Path.of("/tmp/a/image/inner"), Path.of("/tmp/a/image"));
        assertThat(TABLE.below(Path.of("/tmp/none"))).isEmpty();
    }

    @Test
    void escapedCharacters_areReadAsThemselves() {
        assertThat(TABLE.has(Path.of("/tmp/a b\\c"))).isTrue();
    }

    @Test
    void ownTable_hasTheRoot() throws Exception {
        assertThat(MountTable.read().has(Path.of("/"))).isTrue();
    }
}
