/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.keys;

import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.signetmq.keystore.crypto.Agreement;
import org.signetmq.keystore.crypto.CryptoProviders;
import org.signetmq.keystore.crypto.DataKey;
import org.signetmq.keystore.crypto.KeyEncryptionKey;
import org.signetmq.keystore.crypto.KeyTransport;
import org.signetmq.keystore.crypto.KeyWrapping;
import org.signetmq.keystore.epoch.EpochLimits;
import org.signetmq.keystore.epoch.KeyEpochs;

/**
 * What a data key costs.
 *
 * @param name as it is printed
 * @param wrapping what is done with a new key
 * @param cpuNanos for how long making one takes a core
 */
record KeyKind(String name, KeyWrapping wrapping, double cpuNanos) {
    private static final int WARM_KEYS = 500;
    private static final long WARM_NANOS = 200_000_000;
    private static final int TIMED_KEYS = 20;

    private static KeyKind of(String name, KeyWrapping wrapping) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        EpochLimits limits = new EpochLimits(1, Long.MAX_VALUE, Duration.ofHours(1));
        try (KeyEpochs epochs = new KeyEpochs(wrapping, limits, System::nanoTime, CryptoProviders.standard())) {
            long end = System.nanoTime() + WARM_NANOS;
            for (int i = 0; i < WARM_KEYS && System.nanoTime() < end; i++) {
                Objects.requireNonNull(epochs.next(0)).close();
            }
            long start = threads.getCurrentThreadCpuTime();
            for (int i = 0; i < TIMED_KEYS; i++) {
                Objects.requireNonNull(epochs.next(0)).close();
            }
            return new KeyKind(name, wrapping, (double) (threads.getCurrentThreadCpuTime() - start) / TIMED_KEYS);
        }
    }

    /** A random key and nothing more. */
    static KeyKind raw() {
        return of("raw", new Raw());
    }

    /** Wrapped for so many recipients with RSA-2048, all of whom have one key: the work is the same. */
    static KeyKind wrapped(int recipients) throws GeneralSecurityException {
        return of("wrapped R=" + recipients, new ForRecipients(rsa(), recipients));
    }

    /** Wrapped for so many recipients with P-256, under one key agreement with each: what is left is AES. */
    static KeyKind agreed(int recipients) throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        PublicKey key = generator.generateKeyPair().getPublic();
        Agreement agreement =
                Agreement.with(Collections.nCopies(recipients, key), new byte[0], CryptoProviders.standard());
        return of("agreed R=" + recipients, new Agreed(agreement));
    }

    /** From a service that answers after so long, and many requests at a time. */
    static KeyKind slow(Duration answer) {
        return of("service " + answer.toMillis() + " ms", new Slow(answer));
    }

    static List<KeyKind> all() throws GeneralSecurityException {
        List<KeyKind> kinds = new ArrayList<>();
        kinds.add(raw());
        for (int recipients : new int[] {1, 5, 20, 50}) {
            kinds.add(wrapped(recipients));
        }
        for (int recipients : new int[] {1, 5, 20, 50}) {
            kinds.add(agreed(recipients));
        }
        for (int millis : new int[] {1, 3, 10}) {
            kinds.add(slow(Duration.ofMillis(millis)));
        }
        return kinds;
    }

    static KeyPair rsa() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        return generator.generateKeyPair();
    }

    private static final class Raw implements KeyWrapping {
        @Override
        public byte[] wrap(DataKey key) {
            return new byte[0];
        }

        @Override
        public void close() {}
    }

    private record ForRecipients(KeyPair pair, int recipients) implements KeyWrapping {
        @Override
        public byte[] wrap(DataKey key) {
            ByteArrayOutputStream infos = new ByteArrayOutputStream();
            for (int i = 0; i < recipients; i++) {
                infos.writeBytes(new KeyTransport(CryptoProviders.standard()).wrap(pair.getPublic(), key));
            }
            return infos.toByteArray();
        }

        @Override
        public void close() {}
    }

    private record Agreed(Agreement agreement) implements KeyWrapping {
        @Override
        public byte[] wrap(DataKey key) {
            ByteArrayOutputStream infos = new ByteArrayOutputStream();
            for (KeyEncryptionKey agreed : agreement.keys()) {
                infos.writeBytes(agreed.wrap(key));
            }
            return infos.toByteArray();
        }

        @Override
        public void close() {}
    }

    private record Slow(Duration answer) implements KeyWrapping {
        private static final int ANSWER_BYTES = 256;

        @Override
        public byte[] wrap(DataKey key) {
            long end = System.nanoTime() + answer.toNanos();
            for (long left = answer.toNanos(); left > 0; left = end - System.nanoTime()) {
                LockSupport.parkNanos(left);
                if (Thread.currentThread().isInterrupted()) {
                    break; // the pool is closing
                }
            }
            return new byte[ANSWER_BYTES];
        }

        @Override
        public void close() {}
    }
}
