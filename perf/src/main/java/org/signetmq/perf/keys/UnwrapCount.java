/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.keys;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.signetmq.keystore.KeyTransportPadding;
import org.signetmq.keystore.crypto.DataKey;
import org.signetmq.keystore.crypto.KeyLease;
import org.signetmq.keystore.crypto.SoftwareKey;
import org.signetmq.keystore.epoch.EpochLimits;
import org.signetmq.keystore.epoch.KeyEpochs;
import org.signetmq.keystore.epoch.OpenedKeys;
import org.signetmq.perf.keys.MeasuredWrapping.Wrapping;
import org.signetmq.perf.result.Result;

/**
 * Counts unwrapped keys. One consumer opens messages of several producers by turns. Each producer uses a key 32 times.
 */
final class UnwrapCount {
    static final int REUSE = 32;
    static final int MOST_PRODUCERS = 241;

    private static final List<Integer> PRODUCERS = List.of(1, 2, 4, 8, 16, 32, 64, 128, MOST_PRODUCERS);
    private static final List<Integer> CACHES = List.of(1, 64, 1024);
    private static final EpochLimits LIMITS = new EpochLimits(REUSE, Long.MAX_VALUE, Duration.ofHours(1));

    private final KeyPair consumer = MeasuredWrapping.rsaKeys();
    private final SoftwareKey own = new SoftwareKey(consumer.getPrivate(), MeasuredWrapping.PROVIDERS);
    private final Wrapping wrapping = new Wrapping(key -> MeasuredWrapping.TRANSPORT.wrap(consumer.getPublic(), key));

    UnwrapCount() throws GeneralSecurityException {}

    static Result row(int producers, int cache, double unwrapsPerMessage) {
        return Result.EMPTY
                .with("experiment", "E3b")
                .with("producers", producers)
                .with("cache", cache)
                .with("unwraps_per_message", unwrapsPerMessage);
    }

    /** Counts for each size of the cache and number of producers. */
    void count(Consumer<Result> rows) {
        for (int cache : CACHES) {
            System.err.println("[E3b] cache of " + cache);
            PRODUCERS.forEach(producers -> rows.accept(row(producers, cache, perMessage(producers, cache))));
        }
    }

    /** Returns the unwraps per message: 1/32 if each key is unwrapped once. */
    double perMessage(int producers, int cache) {
        List<KeyEpochs> epochs = Stream.generate(
                        () -> new KeyEpochs(wrapping, LIMITS, System::nanoTime, MeasuredWrapping.PROVIDERS))
                .limit(producers)
                .toList();
        try (OpenedKeys<ByteBuffer, DataKey> opened =
                new OpenedKeys<>(cache, Duration.ofHours(1).toNanos(), System::nanoTime)) {
            for (int i = 0; i < REUSE; i++) {
                epochs.forEach(producer -> exchange(producer, opened));
            }
            return (double) opened.unwraps() / (REUSE * producers);
        } finally {
            epochs.forEach(KeyEpochs::close);
        }
    }

    private void exchange(KeyEpochs producer, OpenedKeys<ByteBuffer, DataKey> opened) {
        try (KeyLease use = Objects.requireNonNull(producer.next(1))) {
            byte[] wrapped = use.wrapped();
            try (OpenedKeys.Lease<DataKey> lease = Objects.requireNonNull(opened.get(
                    ByteBuffer.wrap(wrapped),
                    () -> MeasuredWrapping.TRANSPORT.unwrap(own, KeyTransportPadding.OAEP_SHA_256, wrapped)))) {
                lease.accept(); // the message that came with it is right
            }
        }
    }
}
