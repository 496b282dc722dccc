/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PrivateGroupTest {
    @ParameterizedTest
    @CsvSource({
        "alice:x:1000:, true",
        "alice:x:1000:alice, true",
        "'alice:x:1000:bob', false",
        "'alice:x:1000:alice,bob', false",
        "alice:x:1001:, false",
        "other:x:1000:, false"
    })
    void privateGroup_hasNoOtherMember(String group, boolean isPrivate) {
        List<String> users = List.of("alice:x:1000:1000::/home/alice:/bin/sh", "bob:x:1001:1001::/home/bob:/bin/sh");

        assertThat(PrivateGroup.isPrivate("alice", List.of("root:x:0:", group), users))
                .isEqualTo(isPrivate);
    }
}
