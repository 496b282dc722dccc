/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.keys;

import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.RSAKeyGenParameterSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.signetmq.keystore.crypto.CryptoProviders;
import org.signetmq.keystore.crypto.DataKey;
import org.signetmq.keystore.crypto.EphemeralAgreement;
import org.signetmq.keystore.crypto.KeyTransport;
import org.signetmq.keystore.crypto.KeyWrapping;
import org.signetmq.keystore.epoch.EpochLimits;
import org.signetmq.keystore.epoch.KeyEpochs;

/** A way to wrap new data keys, and its cost: for how long making a key takes a core. */
record MeasuredWrapping(String name, KeyWrapping wrapping, double cpuNanos) {
    static final CryptoProviders PROVIDERS = CryptoProviders.standard();
    static final KeyTransport TRANSPORT = new KeyTransport(PROVIDERS);
    static final EpochLimits ONE_MESSAGE = new EpochLimits(1, Long.MAX_VALUE, Duration.ofHours(1));
    static final List<Integer> RECIPIENTS = List.of(1, 5, 20, 50);

    private static final int WARM_KEYS = 500;
    private static final long WARM_NANOS = 200_000_000;
    private static final int TIMED_KEYS = 20;
    private static final int ANSWER_BYTES = 256;

    /** A wrapping that holds nothing to wipe. */
    record Wrapping(Function<DataKey, byte[]> function) implements KeyWrapping {
        @Override
        public byte[] wrap(DataKey key) {
            return function.apply(key);
        }

        @Override
        public void close() {}
    }

    static List<MeasuredWrapping> all() throws GeneralSecurityException {
        List<MeasuredWrapping> all = new ArrayList<>(List.of(raw()));
        for (int recipients : RECIPIENTS) {
            all.add(rsa(recipients));
        }
        for (int recipients : RECIPIENTS) {
            all.add(agreed(recipients));
        }
        all.addAll(List.of(service(1), service(3), service(10)));
        return all;
    }

    /** Returns no wrapping: a random key alone. */
    static MeasuredWrapping raw() {
        return of("raw", key -> new byte[0]);
    }

    /** Returns RSA-2048 for a number of recipients with the same key: the work is that for different ones. */
    static MeasuredWrapping rsa(int recipients) throws GeneralSecurityException {
        PublicKey recipient = TRANSPORT.converted(rsaKeys().getPublic());
        return forAll("wrapped R=", Collections.nCopies(recipients, key -> TRANSPORT.wrap(recipient, key)));
    }

    /** Returns P-256 for a number of recipients, under one key agreement with each: AES is left to do. */
    private static MeasuredWrapping agreed(int recipients) throws GeneralSecurityException {
        PublicKey recipient = keys("EC", new ECGenParameterSpec("secp256r1")).getPublic();
        EphemeralAgreement agreement =
                EphemeralAgreement.with(Collections.nCopies(recipients, recipient), new byte[0], PROVIDERS);
        List<Function<DataKey, byte[]>> wrappings = new ArrayList<>();
        agreement.keys().forEach(agreed -> wrappings.add(agreed::wrap));
        return forAll("agreed R=", wrappings);
    }

    static KeyPair rsaKeys() throws GeneralSecurityException {
        return keys("RSA", new RSAKeyGenParameterSpec(2048, RSAKeyGenParameterSpec.F4));
    }

    private static KeyPair keys(String algorithm, AlgorithmParameterSpec kind) throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
        generator.initialize(kind);
        return generator.generateKeyPair();
    }

    private static MeasuredWrapping forAll(String kind, List<Function<DataKey, byte[]>> recipients) {
        return of(kind + recipients.size(), key -> {
            ByteArrayOutputStream infos = new ByteArrayOutputStream();
            recipients.forEach(recipient -> infos.writeBytes(recipient.apply(key)));
            return infos.toByteArray();
        });
    }

    /** Returns a key service that answers after a time, and serves many requests at once. */
    private static MeasuredWrapping service(int millis) {
        return of("service " + millis + " ms", key -> {
            long end = System.nanoTime() + millis * 1_000_000L;
            // an interrupt means that the pool is closing
            while (System.nanoTime() < end && !Thread.currentThread().isInterrupted()) {
                LockSupport.parkNanos(end - System.nanoTime());
            }
            return new byte[ANSWER_BYTES];
        });
    }

    private static MeasuredWrapping of(String name, Function<DataKey, byte[]> function) {
        KeyWrapping wrapping = new Wrapping(function);
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        try (KeyEpochs epochs = new KeyEpochs(wrapping, ONE_MESSAGE, System::nanoTime, PROVIDERS)) {
            long end = System.nanoTime() + WARM_NANOS;
            for (int i = 0; i < WARM_KEYS && System.nanoTime() < end; i++) {
                Objects.requireNonNull(epochs.next(0)).close();
            }
            long start = threads.getCurrentThreadCpuTime();
            for (int i = 0; i < TIMED_KEYS; i++) {
                Objects.requireNonNull(epochs.next(0)).close();
            }
            double nanos = threads.getCurrentThreadCpuTime() - start;
            return new MeasuredWrapping(name, wrapping, nanos / TIMED_KEYS);
        }
    }
}
