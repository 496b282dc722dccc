/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.signetmq.interceptor.internal.large.BufferBudget;

final class BufferBudgetTest {
    private final BufferBudget memory = new BufferBudget(1000);

    @Test
    void take_upToTheBoundOfAll_isCounted() {
        assertThat(memory.take(0, 600)).isTrue();
        assertThat(memory.take(0, 400)).isTrue();
        assertThat(memory.taken()).isEqualTo(1000);
    }

    @Test
    void take_beyondTheBoundOfAll_takesNothing() {
        assertThat(memory.take(0, 600)).isTrue();
        assertThat(memory.take(0, 401)).isFalse();
        assertThat(memory.taken()).isEqualTo(600);
    }

    @Test
    void take_whatWasGivenBack_isThereAgain() {
        assertThat(memory.take(0, 1000)).isTrue();
        memory.giveBack(1000);
        assertThat(memory.take(0, 1000)).isTrue();
    }

    @Test
    void take_beyondWhatOneMessageMayHave_takesNothing() {
        BufferBudget large = new BufferBudget(10 * BufferBudget.MOST_OF_ONE);

        assertThat(large.take(BufferBudget.MOST_OF_ONE - 1, 1)).isTrue();
        assertThat(large.take(BufferBudget.MOST_OF_ONE, 1)).isFalse();
        assertThat(large.taken()).isEqualTo(1);
    }
}
