/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.keys;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeyTransportPadding;
import org.signetmq.keystore.crypto.CryptoProviders;
import org.signetmq.keystore.crypto.DataKey;
import org.signetmq.keystore.crypto.KeyLease;
import org.signetmq.keystore.crypto.KeyTransport;
import org.signetmq.keystore.crypto.KeyWrapping;
import org.signetmq.keystore.crypto.SoftwareKey;
import org.signetmq.keystore.epoch.EpochLimits;
import org.signetmq.keystore.epoch.KeyEpochs;
import org.signetmq.keystore.epoch.OpenedKeys;

/**
 * One consumer, messages of several producers by turns, each of whom uses a key 32 times: how many keys are unwrapped.
 */
final class UnwrapCount {
    static final int REUSE = 32;
    static final int MOST_PRODUCERS = 241;
    static final int[] PRODUCERS = {1, 2, 4, 8, 16, 32, 64, 128, MOST_PRODUCERS};
    static final int[] CACHES = {1, 64, 1024};

    private static final EpochLimits LIMITS = new EpochLimits(REUSE, Long.MAX_VALUE, Duration.ofHours(1));

    /**
     * What came out.
     *
     * @param unwrapsPerMessage at least 1/32, if each key is unwrapped once
     */
    record Outcome(int producers, int cache, double unwrapsPerMessage) {
        /** A cache too small for all producers shows what a larger one is for. */
        boolean isContrast() {
            return cache < producers;
        }

        boolean isMet() {
            return unwrapsPerMessage <= KeysTargets.MOST_UNWRAPS;
        }
    }

    private final KeyPair consumer;
    private final SoftwareKey own;

    UnwrapCount() throws GeneralSecurityException {
        consumer = KeyKind.rsa();
        own = new SoftwareKey(consumer.getPrivate(), CryptoProviders.standard());
    }

    Outcome count(int producers, int cache) {
        List<KeyEpochs> epochs = new ArrayList<>();
        for (int i = 0; i < producers; i++) {
            epochs.add(new KeyEpochs(new ForConsumer(consumer), LIMITS, System::nanoTime, CryptoProviders.standard()));
        }
        long messages = 0;
        try (OpenedKeys<ByteBuffer, DataKey> opened =
                new OpenedKeys<>(cache, Duration.ofHours(1).toNanos(), System::nanoTime)) {
            for (int i = 0; i < REUSE; i++) {
                for (KeyEpochs producer : epochs) {
                    receive(opened, wrapped(producer));
                    messages++;
                }
            }
            return new Outcome(producers, cache, (double) opened.unwraps() / messages);
        } finally {
            epochs.forEach(KeyEpochs::close);
        }
    }

    private static byte[] wrapped(KeyEpochs producer) {
        try (KeyLease use = producer.next(1)) {
            if (use == null) {
                throw new IllegalStateException("producer: no key after close");
            }
            return use.wrapped();
        }
    }

    private void receive(OpenedKeys<ByteBuffer, DataKey> opened, byte[] wrapped) {
        try (OpenedKeys.Lease<DataKey> lease = opened.get(ByteBuffer.wrap(wrapped), () -> unwrap(wrapped))) {
            if (lease == null) {
                throw new IllegalStateException("consumer: a key could not be unwrapped");
            }
            lease.accept(); // the message that came with it is right
        }
    }

    private @Nullable DataKey unwrap(byte[] wrapped) {
        return new KeyTransport(CryptoProviders.standard()).unwrap(own, KeyTransportPadding.OAEP_SHA_256, wrapped);
    }

    private record ForConsumer(KeyPair pair) implements KeyWrapping {
        @Override
        public byte[] wrap(DataKey key) {
            return new KeyTransport(CryptoProviders.standard()).wrap(pair.getPublic(), key);
        }

        @Override
        public void close() {}
    }
}
