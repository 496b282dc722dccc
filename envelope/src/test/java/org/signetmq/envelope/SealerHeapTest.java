/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.spec.MGF1ParameterSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.crypto.Cipher;
import javax.crypto.spec.OAEPParameterSpec;
import javax.crypto.spec.PSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;

/** What a heap dump gives away of messages' keys. Needles are kept inverted, so that the test does not find itself. */
final class SealerHeapTest {
    private static final int MESSAGES = 20;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    @Test
    void closedSealerAndOpener_leaveNoDataKeyInTheHeap() throws Exception {
        try (Parties parties = new Parties(folder.resolve("home"))) {
            Identity reader = parties.identity("reader", KeyAlgorithm.RSA_2048);
            PolicySet policies = Parties.policies(
                    Policy.confidentiality(
                            "reused",
                            List.of(reader.name()),
                            new KeyLimits(4, KeyLimits.MOST_BYTES, KeyLimits.DEFAULT_AGE)),
                    Policy.privacy("fresh", List.of(reader.name())));
            Sealer sealer = parties.sealer();
            Opener opener = parties.opener(List.of(reader), policies);
            List<byte[]> inverted = new ArrayList<>();
            for (int i = 0; i < MESSAGES; i++) {
                for (String address : List.of("reused", "fresh")) {
                    byte[] envelope =
                            sealer.seal(message(address), policies.find(address).orElseThrow(), reader);
                    opener.open(envelope, address);
                    inverted.add(invertedDataKey(envelope, reader.privateKey()));
                }
            }
            long before = keysInHeap(inverted);

            sealer.close();
            opener.close();

            assertThat(before).isPositive(); // the test can see keys
            assertThat(keysInHeap(inverted)).as("of " + inverted.size()).isZero();
        }
    }

    private static ClearMessage message(String address) {
        byte[] payload = "nothing to see".getBytes(StandardCharsets.UTF_8);
        return new ClearMessage(
                address, new ClearMessage.Body(BodyKind.JMS_TEXT, "text/plain"), payload, null, Map.of());
    }

    private static byte[] invertedDataKey(byte[] envelope, PrivateKey key) throws GeneralSecurityException {
        ParsedEnvelope.Encrypted encrypted = (ParsedEnvelope.Encrypted) EnvelopeParser.parse(Slice.of(envelope));
        RecipientEntry.Transport recipient =
                (RecipientEntry.Transport) encrypted.recipients().get(0);
        Cipher cipher = Cipher.getInstance("RSA/ECB/OAEPPadding");
        cipher.init(
                Cipher.DECRYPT_MODE,
                key,
                new OAEPParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, PSource.PSpecified.DEFAULT));
        byte[] needle = cipher.doFinal(recipient.wrapped().copy());
        for (int i = 0; i < needle.length; i++) {
            needle[i] = (byte) ~needle[i];
        }
        return needle;
    }

    /** Returns before another dump is made: the bytes of this one are themselves in the heap. */
    private long keysInHeap(List<byte[]> inverted) throws IOException {
        Path file = folder.resolve(System.nanoTime() + ".hprof");
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpHeap(file.toString(), true);
        byte[] heap = Files.readAllBytes(file);
        return inverted.stream().filter(needle -> contains(heap, needle)).count();
    }

    private static boolean contains(byte[] heap, byte[] inverted) {
        for (int i = 0; i <= heap.length - inverted.length; i++) {
            int j = 0;
            while (j < inverted.length && heap[i + j] == (byte) ~inverted[j]) {
                j++;
            }
            if (j == inverted.length) {
                return true;
            }
        }
        return false;
    }
}
