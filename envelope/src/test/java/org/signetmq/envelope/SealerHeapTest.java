/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import javax.crypto.Cipher;
import javax.crypto.KeyAgreement;
import javax.crypto.spec.OAEPParameterSpec;
import javax.crypto.spec.PSource;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.signetmq.envelope.internal.cms.EnvelopeParser;
import org.signetmq.envelope.internal.cms.ParsedEnvelope;
import org.signetmq.envelope.internal.cms.RecipientInfo;
import org.signetmq.envelope.internal.der.DerReader;
import org.signetmq.envelope.internal.der.DerWriter;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.message.BodyKind;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.keys.SoftwareKey;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.testkit.Tier;

/**
 * Searches heap dumps for the keys of messages. The test keeps the keys inverted, so that it does not find its own
 * copies.
 */
@Tag(Tier.LONG)
final class SealerHeapTest {
    private static final int MESSAGES = 20;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    @ParameterizedTest
    @EnumSource(names = {"RSA_2048", "EC_P256"})
    void closedSealerAndOpener_leaveNoKeyInTheHeap(KeyAlgorithm algorithm) throws Exception {
        try (Parties parties = new Parties()) {
            Identity reader = parties.identity("reader", algorithm);
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
                    inverted.addAll(invertedKeys(envelope, reader));
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

    /** The data key, and the key that wrapped it unless that is a private key. */
    private static List<byte[]> invertedKeys(byte[] envelope, Identity reader) throws Exception {
        ParsedEnvelope.Encrypted encrypted = (ParsedEnvelope.Encrypted) EnvelopeParser.parse(Slice.of(envelope));
        RecipientInfo entry = encrypted.recipients().get(0);
        if (entry instanceof RecipientInfo.Transport transport) {
            Cipher cipher = Cipher.getInstance("RSA/ECB/OAEPPadding");
            cipher.init(
                    Cipher.DECRYPT_MODE,
                    SoftwareKey.exported(reader),
                    new OAEPParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, PSource.PSpecified.DEFAULT));
            return List.of(inverted(cipher.doFinal(transport.wrapped().copy())));
        }
        RecipientInfo.Agreement agreement = (RecipientInfo.Agreement) entry;
        byte[] agreed = agreed(agreement, reader);
        Cipher cipher = Cipher.getInstance("AESWrap");
        cipher.init(Cipher.UNWRAP_MODE, new SecretKeySpec(agreed, "AES"));
        Key dataKey = cipher.unwrap(agreement.keys().get(0).wrapped().copy(), "AES", Cipher.SECRET_KEY);
        return List.of(inverted(agreed), inverted(dataKey.getEncoded()));
    }

    /** ECDH and the key derivation of ANSI X9.63 with SHA-256, of one block. */
    private static byte[] agreed(RecipientInfo.Agreement agreement, Identity reader) throws Exception {
        byte[] own = reader.certificate().getPublicKey().getEncoded();
        byte[] ephemeral = DerWriter.element(
                DerReader.SEQUENCE,
                SubjectPublicKeyInfo.getInstance(own).getAlgorithm().getEncoded(),
                DerWriter.element(
                        DerReader.BIT_STRING, agreement.originator().point().copy()));
        KeyAgreement ecdh = KeyAgreement.getInstance("ECDH");
        ecdh.init(SoftwareKey.exported(reader));
        ecdh.doPhase(KeyFactory.getInstance("EC").generatePublic(new X509EncodedKeySpec(ephemeral)), true);
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        digest.update(ecdh.generateSecret());
        digest.update(new byte[] {0, 0, 0, 1});
        return digest.digest(RecipientInfo.sharedInfo(new byte[0]));
    }

    /** In place: a copy would be found. */
    private static byte[] inverted(byte[] key) {
        for (int i = 0; i < key.length; i++) {
            key[i] = (byte) ~key[i];
        }
        return key;
    }

    /** Returns before another dump is made: the bytes of this one are themselves in the heap. */
    private long keysInHeap(List<byte[]> inverted) throws IOException {
        Path file = folder.resolve(System.nanoTime() + ".hprof");
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpHeap(file.toString(), true);
        byte[] heap = Files.readAllBytes(file);
        Map<Integer, List<byte[]>> byStart =
                inverted.stream().collect(Collectors.groupingBy(needle -> start(needle, 0)));
        Set<byte[]> found = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int i = 0; i < heap.length - 1; i++) {
            for (byte[] needle : byStart.getOrDefault(~start(heap, i) & 0xFFFF, List.of())) {
                if (isAt(heap, i, needle)) {
                    found.add(needle);
                }
            }
        }
        return found.size();
    }

    /** The two bytes here as a number. */
    private static int start(byte[] bytes, int at) {
        return (bytes[at] & 0xFF) << Byte.SIZE | (bytes[at + 1] & 0xFF);
    }

    private static boolean isAt(byte[] heap, int at, byte[] inverted) {
        int j = 0;
        while (j < inverted.length && at + j < heap.length && heap[at + j] == (byte) ~inverted[j]) {
            j++;
        }
        return j == inverted.length;
    }
}
