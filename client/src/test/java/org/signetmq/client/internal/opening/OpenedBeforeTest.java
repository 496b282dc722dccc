/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.opening;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.signetmq.envelope.exception.ReplayedException;

/** The memory of opened messages. */
final class OpenedBeforeTest {
    private static final Duration WINDOW = Duration.ofMinutes(10);

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1000); // it overflows
    private final OpenedBefore memory = new OpenedBefore(now::get);

    private OpenedBefore.Opened opened(Object queue, String id, boolean redelivered) {
        return memory.opened(queue, id, WINDOW, redelivered, () -> false);
    }

    private void assertReplayed(String id, boolean redelivered) {
        assertThatThrownBy(() -> opened("q", id, redelivered)).isInstanceOf(ReplayedException.class);
    }

    @Test
    void sameMessage_isRefusedWithinTheWindow_andOpensAfterIt() {
        opened("q", "a", false).settle();
        opened("other", "a", false).settle();
        now.addAndGet(WINDOW.toNanos() - 1);
        assertReplayed("a", false);

        now.addAndGet(1);

        assertThat(opened("q", "a", false)).isNotNull();
    }

    @Test
    void redeliveredMessage_opens_butNoRefusedOne() {
        opened("q", "a", false).settle();
        opened("q", "a", true).settle();

        assertReplayed("a", false);

        assertReplayed("a", true);
    }

    @Test
    void messageThatWentBack_opensAgain() {
        opened("q", "a", false).forget();
        memory.opened("q", "a", WINDOW, false, () -> true);
        OpenedBefore.Opened last = opened("q", "a", false);
        assertReplayed("a", false);
        last.forget();

        assertThat(opened("q", "a", true)).isNotNull();
    }

    @Test
    void fullMemory_forgetsTheOldest() {
        for (int i = 0; i <= OpenedBefore.MOST; i++) {
            opened("q", "id " + i, false).settle();
        }

        assertThat(opened("q", "id 0", false)).isNotNull();
        assertReplayed("id 2", false);
    }
}
