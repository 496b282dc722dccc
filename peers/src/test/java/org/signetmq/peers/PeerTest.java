/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class PeerTest {
    private final AtomicInteger made = new AtomicInteger();

    @Test
    void key_isReplacedAfterItsUses() throws Exception {
        Callable<Integer> keys = Peer.renewing(3, made::incrementAndGet);

        List<Integer> used = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            used.add(keys.call());
        }

        assertThat(used).containsExactly(1, 1, 1, 2, 2, 2, 3);
    }

    @Test
    void keyWithoutLimit_isMadeOnce() throws Exception {
        Callable<Integer> keys = Peer.renewing(Long.MAX_VALUE, made::incrementAndGet);

        for (int i = 0; i < 1000; i++) {
            assertThat(keys.call()).isEqualTo(1);
        }
        assertThat(made).hasValue(1);
    }

    @Test
    void replacedKey_isClosed_theNewOneIsNot() throws Exception {
        List<Integer> closed = new ArrayList<>();
        Callable<AutoCloseable> keys = Peer.renewing(1, () -> {
            int number = made.incrementAndGet();
            return () -> closed.add(number);
        });

        keys.call();
        assertThat(closed).isEmpty();
        keys.call();
        keys.call();

        assertThat(closed).containsExactly(1, 2);
        assertThat(made).hasValue(3);
    }
}
