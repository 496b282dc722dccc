/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.signetmq.keystore.home.PermissionCheck.MountTable;

/** Reads lines as /proc/self/mountinfo has them. */
final class MountTableTest {
    private static final String ROOT = "20 1 0:30 / / rw,relatime shared:1 - overlay overlay rw,lowerdir=/ro";

    private static boolean isReadOnly(String path, String... lines) {
        return MountTable.parse(List.of(lines)).isReadOnly(Path.of(path));
    }

    @Test
    void mountWithReadOnlyOption_isReadOnly_asFarAsItReaches() {
        String secret = "31 20 0:50 / /home/secret ro,relatime shared:2 master:3 - tmpfs tmpfs rw,size=10k";

        assertThat(isReadOnly("/home/secret", ROOT, secret)).isTrue();
        assertThat(isReadOnly("/home/secret/..data/password", ROOT, secret)).isTrue();
        assertThat(isReadOnly("/home/secrets", ROOT, secret)).isFalse();
        assertThat(isReadOnly("/home", ROOT, secret)).isFalse();
    }

    @Test
    void readOnlyFileSystem_isReadOnly_underAWritableMount() {
        assertThat(isReadOnly("/cd/x", ROOT, "31 20 7:0 / /cd rw - iso9660 /dev/loop0 ro"))
                .isTrue();
    }

    @Test
    void mountOfOneFile_isFound() {
        String file = "31 20 0:50 /p /home/password ro - tmpfs tmpfs rw";

        assertThat(isReadOnly("/home/password", ROOT, file)).isTrue();
    }

    @Test
    void writableMountOverAReadOnlyOne_isWritable() {
        String below = "31 20 0:50 / /home ro - tmpfs tmpfs rw";
        String above = "32 31 0:51 / /home rw - tmpfs tmpfs rw";

        assertThat(isReadOnly("/home/x", ROOT, below, above)).isFalse();
        assertThat(isReadOnly("/home/x", above, below, ROOT)).isFalse();
    }

    @Test
    void readOnlyMountThatAnotherOneHides_doesNotCount() {
        String hidden = "31 20 0:50 / /home/secret ro - tmpfs tmpfs rw";
        String over = "32 20 0:51 / /home rw - tmpfs tmpfs rw";

        assertThat(isReadOnly("/home/secret/x", ROOT, hidden, over)).isFalse();
    }

    @Test
    void nameWithABlank_isFound() {
        assertThat(isReadOnly("/a b", ROOT, "31 20 0:50 / /a\\040b ro - tmpfs tmpfs rw"))
                .isTrue();
    }

    @Test
    void unknownMounts_areWritable() {
        assertThat(isReadOnly("/home")).isFalse();
        assertThat(isReadOnly("/home", "31 20 0:50 / /home ro - tmpfs tmpfs rw"))
                .isFalse(); // the root is not listed, as after chroot
        assertThat(isReadOnly("/h\u00f6me", ROOT.replace("rw,relatime", "ro"))).isFalse();
        assertThatThrownBy(() -> isReadOnly("/", "a line that is none")).isInstanceOf(RuntimeException.class);
    }

    @Test
    void mountsOfThisProcess_areKnown() {
        assertThat(MountTable.current().isReadOnly(Path.of("/tmp"))).isFalse();
    }
}
