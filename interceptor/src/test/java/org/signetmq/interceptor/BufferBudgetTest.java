/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.signetmq.interceptor.internal.large.BufferBudget;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;

final class BufferBudgetTest {
    private static final BufferBudget.Limits MOST = new BufferBudget.Limits(1000, 1000, 8);

    private final BufferBudget budget = new BufferBudget(MOST);

    @Test
    void reserve_beyondTheLimitOfTheConnection_countsNothing() {
        try (BufferBudget.Account one = budget.begin("c", "u");
                BufferBudget.Account other = budget.begin("d", "u")) {
            assertThat(one.reserve(250)).isTrue();
            assertThat(one.reserve(1)).isFalse();
            assertThat(other.reserve(250)).isTrue();
            assertThat(budget.taken()).isEqualTo(500);
        }
    }

    @Test
    void reserve_beyondTheLimitOfTheUser_countsNothing() {
        for (int i = 0; i < 2; i++) {
            assertThat(budget.begin("c" + i, "u").reserve(250)).isTrue();
        }
        assertThat(budget.begin("c2", "u").reserve(1)).isFalse();
        assertThat(budget.begin("c2", "v").reserve(250)).isTrue();
    }

    @Test
    void reserve_beyondTheLimitOfAll_countsNothing() {
        assertThat(budget.begin(null, null).reserve(1000)).isTrue();
        assertThat(budget.begin("c", "u").reserve(1)).isFalse();
        assertThat(budget.taken()).isEqualTo(1000);
    }

    @Test
    void close_givesBackAll_once() {
        BufferBudget.Account account = budget.begin("c", "u");
        assertThat(account.reserve(200)).isTrue();
        byte[] array = Objects.requireNonNull(account.take(50));
        assertThat(array).hasSize(50);

        account.close();
        account.close();
        account.giveBack(array);

        assertThat(budget.taken()).isZero();
        assertThat(budget.messages()).isZero();
        assertThat(account.reserve(1)).isFalse();
        assertThatThrownBy(account::file).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void messageBeyondTheLimitOfItsConnection_isRejectedAtItsFirstByte() {
        BufferBudget.Account first = budget.begin("c", "u");
        BufferBudget.Account second = budget.begin("c", "u");
        BufferBudget.Account third = budget.begin("c", "u");

        assertThat(second.reserve(1)).isTrue();
        assertThat(third.take(1)).isNull();
        assertThatThrownBy(third::file)
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("too many unfinished large messages of this connection: more than 2");
        assertThat(budget.messages()).isEqualTo(2);

        first.close();
        assertThat(budget.begin("c", "u").reserve(1)).isTrue();
    }

    @Test
    void arrayOfAFinishedMessage_goesToTheNext() {
        BufferBudget large = new BufferBudget(new BufferBudget.Limits(64L * BufferBudget.MOST_OF_ONE, 1, 8));
        byte[] array = Objects.requireNonNull(large.begin("c", "u").take(BufferBudget.MOST_OF_ONE));
        large.begin("c", "u").giveBack(array);

        assertThat(large.begin("d", "u").take(100_000)).isSameAs(array);
    }
}
