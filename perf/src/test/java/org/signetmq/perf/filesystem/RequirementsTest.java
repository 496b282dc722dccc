/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.filesystem;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class RequirementsTest {
    private static final int ROOT = 0;
    private static final int USER = 1000;

    @Test
    void rootWithAllPrograms_lacksNothing() {
        assertThat(Requirements.missing(ROOT, program -> true)).isEmpty();
    }

    @Test
    void user_lacksTheRightsOfRoot() {
        assertThat(Requirements.missing(USER, program -> true)).contains("needs the rights of root, to mount");
    }

    @Test
    void missingPrograms_areNamedWithTheirPackages() {
        assertThat(Requirements.missing(
                        ROOT, program -> List.of("gocryptfs", "setsid").contains(program)))
                .contains("needs fusermount, fscrypt, mkfs.ext4, mount, umount:"
                        + " apt-get install fuse3 fscrypt e2fsprogs mount");
    }

    @Test
    void userWithoutPrograms_isToldAllInOneLine() {
        assertThat(Requirements.missing(USER, program -> !program.equals("fscrypt")))
                .contains("needs the rights of root, to mount; and fscrypt: apt-get install fscrypt");
    }
}
