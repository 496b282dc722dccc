/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.signetmq.perf.targets.Verdict;

final class EnvelopeSizesTest {
    @Test
    void sizes_areWithinTheBars() throws Exception {
        Map<String, Integer> sizes = EnvelopeSizes.measure();

        assertThat(sizes).hasSize(10).containsKeys("size.confidentiality.p256", "size.privacy.referenced.rsa2048");
        assertThat(new MicroTargets(List.of(), sizes).targets())
                .filteredOn(target -> target.name().startsWith("size."))
                .hasSize(3)
                .allMatch(target -> target.verdict() == Verdict.MET);
    }
}
