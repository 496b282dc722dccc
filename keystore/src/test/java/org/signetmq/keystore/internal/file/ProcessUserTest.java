/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.file;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.security.auth.module.UnixSystem;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Knows the user and the groups of the process, and the other members of a group. */
final class ProcessUserTest {
    private static final List<String> USERS = List.of(
            "root:x:0:0:root:/root:/bin/sh",
            "artemis:x:1000:1000::/:/bin/sh",
            "bob:x:1001:100::/:/bin/sh",
            "eve:x:1002:3000::/:/bin/sh");
    private static final ProcessUser ARTEMIS = new ProcessUser(1000, Set.of(1000, 100, 2000, 2001, 2002, 3000));

    private static boolean isAlone(int group, String name) {
        List<String> groups = List.of(
                "root:x:0:", "artemis:x:1000:", "users:x:100:", "own:x:2000:artemis,root", "shared:x:2001:artemis,bob");
        return ARTEMIS.hasNoOtherMember(group, name, groups, USERS);
    }

    @Test
    void thisProcess_hasTheGroupsThatTheSystemKnows() {
        UnixSystem system = new UnixSystem();

        assertThat(ProcessUser.current().id()).isEqualTo((int) system.getUid());
        assertThat(ProcessUser.current().groups()).contains((int) system.getGid());
    }

    @Test
    void effectiveUserAndAllGroups_areRead() {
        ProcessUser user = ProcessUser.parse(
                List.of("Name:\tjava", "Uid:\t0\t1000650000\t0\t0", "Gid:\t7\t0\t7\t7", "Groups:\t2000 4294967294 "));

        assertThat(user).isEqualTo(new ProcessUser(1000650000, Set.of(0, 2000, -2)));
    }

    @Test
    void processWithoutOtherGroups_hasItsOwn() {
        assertThat(ProcessUser.parse(List.of("Uid:\t5\t5\t5\t5", "Gid:\t6\t6\t6\t6", "Groups:\t")))
                .isEqualTo(new ProcessUser(5, Set.of(6)));
    }

    @Test
    void groupOfThisUserOrOfNoListedUser_isItsOwn() {
        assertThat(isAlone(1000, "artemis")).isTrue();
        assertThat(isAlone(2000, "own")).isTrue();
        assertThat(isAlone(2002, "2002")).as("the fsGroup of a pod").isTrue();
    }

    @Test
    void groupWithAnotherMember_isNotItsOwn() {
        assertThat(isAlone(2001, "shared")).isFalse();
        assertThat(isAlone(100, "users")).as("the first group of bob").isFalse();
        assertThat(isAlone(3000, "3000")).as("the first group of eve").isFalse();
        assertThat(isAlone(2002, "of-a-directory"))
                .as("its members are not known")
                .isFalse();
    }

    @Test
    void foreignGroup_isNotItsOwn_andThatOfRootIs() {
        assertThat(ARTEMIS.isAloneIn(54321, "54321")).isFalse();
        assertThat(ARTEMIS.isIn(54321)).isFalse();
        assertThat(ARTEMIS.isAloneIn(0, "root")).isTrue();
    }
}
