/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.result.Target.Verdict;

final class SceneTest {
    @Test
    void sizes_areWithinTheBars() throws Exception {
        List<Result> sizes = Scene.addedBytes();

        assertThat(sizes)
                .hasSize(10)
                .extracting(row -> row.text("name"))
                .contains("size.confidentiality.p256", "size.privacy.referenced.rsa2048");
        assertThat(new MicroReport(List.of(), sizes).targets())
                .filteredOn(target -> target.name().startsWith("size."))
                .hasSize(3)
                .allMatch(target -> target.verdict() == Verdict.MET);
    }
}
