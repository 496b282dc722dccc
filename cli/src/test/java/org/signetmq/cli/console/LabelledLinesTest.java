/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class LabelledLinesTest {
    @Test
    void labels_areOneColumn_nullHasNoLine() {
        List<String> lines = new LabelledLines(8)
                .add("name", "alice")
                .add("issuer", null)
                .addAll(List.of("", "plain"))
                .add("count", 3)
                .lines();

        assertThat(lines).containsExactly("name     alice", "", "plain", "count    3");
    }

    @Test
    void labelLongerThanTheColumn_isNotCut() {
        assertThat(new LabelledLines(2).add("label", "x").lines()).containsExactly("label x");
    }
}
