/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.signetmq.policy.QualityOfProtection;

final class RunPlanTest {
    private static final Variant NONE = Variant.UNPROTECTED;
    private static final Variant SEALED =
            new Variant(QualityOfProtection.CONFIDENTIALITY, new Reuse("32"), KeyKind.P256);
    private static final Variant SIGNED = new Variant(QualityOfProtection.INTEGRITY, Reuse.NONE, KeyKind.P256);

    @Test
    void firstRun_hasNoneBeforeAndAfterEachVariant() {
        assertThat(RunPlan.interleaved(List.of(SEALED, SIGNED), 0)).containsExactly(NONE, SEALED, NONE, SIGNED, NONE);
    }

    @Test
    void secondRun_goesBackwards() {
        assertThat(RunPlan.interleaved(List.of(SEALED, SIGNED), 1)).containsExactly(NONE, SIGNED, NONE, SEALED, NONE);
    }

    @Test
    void nothingButNone_isMeasuredOnce() {
        assertThat(RunPlan.interleaved(List.of(), 0)).containsExactly(NONE);
    }

    @Test
    void warmUp_runsEachVariant() {
        assertThat(RunPlan.warmUp(List.of(SEALED, SIGNED))).containsExactly(NONE, SEALED, SIGNED);
    }
}
