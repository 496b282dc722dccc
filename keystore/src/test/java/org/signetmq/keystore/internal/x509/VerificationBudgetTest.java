/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.x509;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.signetmq.keystore.internal.x509.CertificatePaths.VerificationBudget;

final class VerificationBudgetTest {
    private final LongAdder total = new LongAdder();
    private final VerificationBudget budget = new VerificationBudget(total);

    @Test
    void fullBudget_isUntouched_andSpentToItsLimit() {
        assertThat(budget.isTouched()).isFalse();
        assertThat(budget.spend(VerificationBudget.LIMIT)).isTrue();
        assertThat(budget.isTouched()).isTrue();
        assertThat(budget.spend(1)).isFalse();
        assertThat(total.sum()).isEqualTo(VerificationBudget.LIMIT);
    }

    @Test
    void spendingMoreThanIsLeft_spendsNone() {
        assertThat(budget.spend(VerificationBudget.LIMIT + 1)).isFalse();
        assertThat(budget.isTouched()).isFalse();
        assertThat(total.sum()).isZero();
        assertThat(budget.spend(VerificationBudget.LIMIT)).isTrue();
    }

    @Test
    void reserve_isWhatOneMoreLeaves() {
        assertThat(budget.leavesAfterOne(VerificationBudget.LIMIT - 1)).isTrue();
        assertThat(budget.leavesAfterOne(VerificationBudget.LIMIT)).isFalse();

        assertThat(budget.spend(2)).isTrue();

        assertThat(budget.leavesAfterOne(VerificationBudget.LIMIT - 3)).isTrue();
        assertThat(budget.leavesAfterOne(VerificationBudget.LIMIT - 2)).isFalse();
    }

    @Test
    void budgets_shareTheirTotal() {
        VerificationBudget other = new VerificationBudget(total);

        assertThat(budget.spend(2)).isTrue();
        assertThat(other.spend(3)).isTrue();

        assertThat(total.sum()).isEqualTo(5);
    }
}
