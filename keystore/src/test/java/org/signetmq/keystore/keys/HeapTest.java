/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.keys;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Collection;
import java.util.HexFormat;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.crypto.spec.GCMParameterSpec;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.keystore.keys.KeyEncryptionKey.KeyDerivation;
import org.signetmq.keystore.keys.KeyEncryptionKey.KeyWrapCiphers;
import org.signetmq.keystore.keys.KeyEpochs.EpochLimits;

/** Looks for keys and passwords in heap dumps. Needles are kept inverted, so that the test does not find itself. */
final class HeapTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    @Test
    void closedEngine_leavesNoKeyInTheHeap() throws Exception {
        Queue<byte[]> inverted = new ConcurrentLinkedQueue<>();
        KeyWrapCiphers ciphers = new KeyWrapCiphers(CryptoProviders.standard());
        byte[] secret = new SecureRandom().generateSeed(32);
        KeyEncryptionKey wrapping = KeyEncryptionKey.derive(secret, KeyDerivation.SHA_256, new byte[0], ciphers);
        KeyWrapping recording = new RecordingWrapping(wrapping, inverted);
        KeyPregenerator pregenerator =
                new KeyPregenerator(PregenerationSettings.of(1, 8), System::nanoTime, CryptoProviders.standard());
        KeyEpochs epochs = new KeyEpochs(recording, new EpochLimits(2, 1L << 46, Duration.ofHours(1)), pregenerator);
        OpenedKeys<String, DataKey> opened = new OpenedKeys<>(4, Long.MAX_VALUE, System::nanoTime);
        ContentCipher cipher = new ContentCipher(CryptoProviders.standard());
        for (int i = 0; i < 20; i++) {
            byte[] buffer = new byte[100 + ContentCipher.TAG_LENGTH];
            try (KeyLease use = KeyEpochsTest.use(epochs, 100);
                    OpenedKeys.Lease<DataKey> lease =
                            opened.get(HexFormat.of().formatHex(use.wrapped()), () -> wrapping.unwrap(use.wrapped()))) {
                cipher.encrypt(use, buffer, 0, 100);
                assertThat(lease).isNotNull();
                cipher.decrypt(
                        use.key(), new GCMParameterSpec(128, use.nonce()), ByteBuffer.wrap(buffer), new byte[100]);
            }
        }
        Awaitility.await().until(() -> pregenerator.pooledKeys() > 4);
        long before = keysInHeap(inverted);

        epochs.close();
        pregenerator.close();
        opened.close();
        ciphers.close();
        cipher.close();

        assertThat(before).isGreaterThan(4); // the test can see keys
        assertThat(keysInHeap(inverted)).as("of " + inverted.size()).isZero();
    }

    /** Returns before another dump is made: the bytes of this one are themselves in the heap. */
    private long keysInHeap(Collection<byte[]> inverted) throws IOException {
        Path file = folder.resolve(System.nanoTime() + ".hprof");
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpHeap(file.toString(), true);
        byte[] heap = Files.readAllBytes(file);
        return inverted.stream().filter(needle -> contains(heap, needle)).count();
    }

    private static boolean contains(byte[] heap, byte[] inverted) {
        byte first = (byte) ~inverted[0];
        for (int i = 0; i <= heap.length - inverted.length; i++) {
            if (heap[i] == first) {
                int j = 1;
                while (j < inverted.length && heap[i + j] == (byte) ~inverted[j]) {
                    j++;
                }
                if (j == inverted.length) {
                    return true;
                }
            }
        }
        return false;
    }

    private record RecordingWrapping(KeyEncryptionKey key, Queue<byte[]> inverted) implements KeyWrapping {
        @Override
        public byte[] wrap(DataKey dataKey) {
            byte[] needle = KeyInspection.bytes(dataKey);
            for (int i = 0; i < needle.length; i++) {
                needle[i] = (byte) ~needle[i];
            }
            inverted.add(needle);
            return key.wrap(dataKey);
        }

        @Override
        public void close() {
            key.close();
        }
    }
}
