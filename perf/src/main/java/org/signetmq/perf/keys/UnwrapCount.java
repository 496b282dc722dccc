/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.keys;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.KeyTransportPadding;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.keys.DataKey;
import org.signetmq.keystore.keys.KeyEpochs;
import org.signetmq.keystore.keys.KeyEpochs.EpochLimits;
import org.signetmq.keystore.keys.KeyLease;
import org.signetmq.keystore.keys.KeyTransport;
import org.signetmq.keystore.keys.KeyWrapping;
import org.signetmq.keystore.keys.OpenedKeys;
import org.signetmq.keystore.keys.SoftwareKey;
import org.signetmq.perf.result.Row;
import org.signetmq.perf.run.Runner;

/**
 * Counts unwrapped keys. One consumer opens messages of several producers by turns. Each producer uses a key 32 times.
 */
public final class UnwrapCount {
    private static final CryptoProviders PROVIDERS = CryptoProviders.standard();
    private static final int REUSE = 32;
    private static final List<Integer> PRODUCERS = List.of(1, 4, 16, 64, 241);
    private static final List<Integer> CACHES = List.of(1, 64, 1024);
    private static final EpochLimits LIMITS = new EpochLimits(REUSE, Long.MAX_VALUE, Duration.ofHours(1));

    private final KeyTransport transport = new KeyTransport(PROVIDERS);
    private final SoftwareKey own;
    private final KeyWrapping wrapping;

    UnwrapCount() throws GeneralSecurityException {
        KeyPair consumer = CryptoProviders.generate(KeyAlgorithm.RSA_2048, PROVIDERS.random());
        own = new SoftwareKey(consumer.getPrivate(), PROVIDERS);
        wrapping = new KeyWrapping() {
            @Override
            public byte[] wrap(DataKey key) {
                return transport.wrap(consumer.getPublic(), key);
            }

            @Override
            public void close() {} // nothing to wipe
        };
    }

    /** Counts for each size of the cache and number of producers. */
    public static void measure(Runner runner) throws GeneralSecurityException {
        UnwrapCount count = new UnwrapCount();
        for (int cache : CACHES) {
            for (int producers : PRODUCERS) {
                runner.add(Row.of("part", "unwraps")
                        .with("setting", "cache of " + cache)
                        .with("clients", producers)
                        .with("unwraps", count.perMessage(producers, cache)));
            }
        }
    }

    /** Returns the unwraps per message: 1/32 if each key is unwrapped once. */
    double perMessage(int producers, int cache) {
        List<KeyEpochs> epochs = Stream.generate(() -> new KeyEpochs(wrapping, LIMITS, System::nanoTime, PROVIDERS))
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
                    () -> transport.unwrap(own, KeyTransportPadding.OAEP_SHA_256, wrapped)))) {
                lease.accept(); // the message that came with it is right
            }
        }
    }
}
