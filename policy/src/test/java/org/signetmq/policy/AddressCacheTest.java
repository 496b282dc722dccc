/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class AddressCacheTest {
    private final PolicySet.AddressCache<Integer> cache = new PolicySet.AddressCache<>(100);

    @Test
    void sameAddress_searchedOnce() {
        AtomicInteger searches = new AtomicInteger();

        for (int i = 0; i < 5; i++) {
            assertThat(cache.get("a", address -> searches.incrementAndGet())).isEqualTo(1);
        }
    }

    @Test
    void manyAddresses_staysWithinCapacity() {
        for (int i = 0; i < 10_000; i++) {
            cache.get("a" + i, String::length);
            assertThat(cache.size()).isLessThanOrEqualTo(100);
        }
    }

    @Test
    void longestAddress_isKept() {
        cache.get("a".repeat(PolicySet.AddressCache.LONGEST_ADDRESS), String::length);

        assertThat(cache.size()).isOne();
    }

    @Test
    void fullCache_forgetsAll_andKeepsTheNextAddress() {
        for (int i = 0; i < 100; i++) {
            cache.get("a" + i, String::length);
        }
        assertThat(cache.size()).isEqualTo(100);

        cache.get("b", String::length);

        assertThat(cache.size()).isOne();
    }

    @Test
    void longAddress_isNotKept() {
        String address = "a".repeat(PolicySet.AddressCache.LONGEST_ADDRESS + 1);

        assertThat(cache.get(address, String::length)).isEqualTo(address.length());
        assertThat(cache.size()).isZero();
    }

    @Test
    void manyThreads_alwaysTheRightAnswer_neverMoreThanTheCapacity() throws Exception {
        int threads = 8;
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Callable<Integer>> tasks = IntStream.range(0, threads)
                    .<Callable<Integer>>mapToObj(thread -> () -> largestSizeSeen(thread))
                    .toList();

            for (Future<Integer> largest : pool.invokeAll(tasks)) {
                assertThat(largest.get()).isLessThanOrEqualTo(100);
            }
        } finally {
            pool.shutdownNow();
        }
    }

    private int largestSizeSeen(int thread) {
        int largest = 0;
        for (int i = 0; i < 20_000; i++) {
            String address = "a".repeat(i % 7) + (thread * i);
            assertThat(cache.get(address, String::length)).isEqualTo(address.length());
            largest = Math.max(largest, cache.size());
        }
        return largest;
    }
}
