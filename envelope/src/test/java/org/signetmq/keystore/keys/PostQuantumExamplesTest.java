/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import javax.crypto.spec.GCMParameterSpec;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.envelope.exception.EnvelopeException;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.internal.cms.EnvelopeParser;
import org.signetmq.envelope.internal.cms.ParsedEnvelope;
import org.signetmq.envelope.internal.cms.RecipientInfo;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.signature.SignatureVerifier;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.keys.KeyEncryptionKey.KeyWrapCiphers;
import org.signetmq.testkit.Tier;
import org.signetmq.testkit.Vectors;

/** The post-quantum envelopes of others: those of RFC 9936's authors, and of Bouncy Castle and OpenSSL. */
@Tag(Tier.LONG)
final class PostQuantumExamplesTest {
    private static final CryptoProviders PROVIDERS = CryptoProviders.standard();

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    private static Map<String, byte[]> zip(String name) throws IOException {
        Map<String, byte[]> files = new TreeMap<>();
        try (InputStream in = Files.newInputStream(Vectors.path("pqc-hackathon/" + name));
                ZipInputStream zip = new ZipInputStream(in)) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                files.put(entry.getName().replaceAll(".*/", ""), zip.readAllBytes());
            }
        }
        return files;
    }

    private static SoftwareKey key(byte[] pkcs8) throws Exception {
        return new SoftwareKey(CryptoProviders.postQuantum(PrivateKeyInfo.getInstance(pkcs8)), PROVIDERS);
    }

    /** Bouncy Castle's envelopes for our two algorithms open, with and without user keying material. */
    @Test
    void envelopesOfBouncyCastle_openIfTheyAreOfOurAlgorithms() throws Exception {
        Map<String, byte[]> files = zip("bc.zip");
        Map<String, Integer> counts = new TreeMap<>();
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            String name = file.getKey();
            if (!name.contains("_kemri_")) {
                continue;
            }
            if (!name.contains("_kemri_auth_")) {
                assertThatThrownBy(() -> EnvelopeParser.parse(Slice.of(file.getValue())))
                        .as(name)
                        .isExactlyInstanceOf(MalformedEnvelopeException.class);
                counts.merge("EnvelopedData refused", 1, Integer::sum);
                continue;
            }
            boolean ours = name.startsWith("ml-kem-768") || name.startsWith("ml-kem-1024");
            ParsedEnvelope.Encrypted parsed;
            try {
                parsed = (ParsedEnvelope.Encrypted) EnvelopeParser.parse(Slice.of(file.getValue()));
            } catch (MalformedEnvelopeException tooLong) {
                assertThat(ours).as(name + ": " + tooLong.getMessage()).isFalse();
                counts.merge("another KEM, with a longer ciphertext", 1, Integer::sum);
                continue;
            }
            RecipientInfo info = parsed.recipients().get(0);
            if (ours) {
                byte[] own = Objects.requireNonNull(files.get(name.replaceAll("_kemri_.*", "_priv.der")));
                assertThat(opened(parsed, (RecipientInfo.Encapsulation) info, own))
                        .as(name)
                        .asString()
                        .isEqualTo("Hello, World!");
                counts.merge("opened", 1, Integer::sum);
            } else {
                assertThat(info).as(name).isInstanceOf(RecipientInfo.Unknown.class);
                counts.merge("another KEM, not opened", 1, Integer::sum);
            }
        }
        System.out.println("VECTORS hackathon, Bouncy Castle, recipients " + counts);
        assertThat(counts.get("opened")).isEqualTo(4);
    }

    private static byte[] opened(ParsedEnvelope.Encrypted parsed, RecipientInfo.Encapsulation info, byte[] own)
            throws Exception {
        byte[] secret = Objects.requireNonNull(
                KeyEncapsulation.answer(key(own), info.ciphertext().copy()));
        ByteBuffer sealed = ByteBuffer.allocate(parsed.content().ciphertext().length() + ContentCipher.TAG_LENGTH)
                .put(parsed.content().ciphertext().copy())
                .put(parsed.content().tag().copy())
                .flip();
        byte[] clear = new byte[parsed.content().ciphertext().length()];
        try (KeyWrapCiphers ciphers = new KeyWrapCiphers(PROVIDERS);
                KeyEncryptionKey kek = KeyEncryptionKey.expand(
                        secret, RecipientInfo.kemOtherInfo(info.userKeyingMaterial()), ciphers);
                DataKey dataKey =
                        Objects.requireNonNull(kek.unwrap(info.wrapped().copy()));
                ContentCipher cipher = new ContentCipher(PROVIDERS)) {
            GCMParameterSpec parameters =
                    new GCMParameterSpec(128, parsed.content().nonce().copy());
            assertThat(cipher.decrypt(dataKey, parameters, sealed, clear)).isTrue();
            return clear;
        }
    }

    /** ML-KEM-512 is none of ours, but secret and derivation are those of the other sizes. */
    @ParameterizedTest
    @ValueSource(strings = {"seed", "expanded", "both"})
    void exampleOfRfc9936_hasItsIntermediateValues_andIsNotOpened(String form) throws Exception {
        Path folder = Vectors.path("rfc9936");
        byte[] envelope = pem(folder.resolve("ML-KEM-512.cms"));
        byte[] ciphertext = HexFormat.of()
                .parseHex(Files.readString(folder.resolve("ciphertext.txt")).replaceAll("\\s", ""));
        byte[] secret = Objects.requireNonNull(KeyEncapsulation.answer(
                key(pem(folder.resolve("ML-KEM-512-" + form + ".priv"))), Arrays.copyOf(ciphertext, 768)));

        assertThat(secret).asHexString().isEqualToIgnoringCase(text(folder, "shared_secret.txt"));
        byte[] info = HexFormat.of().parseHex(text(folder, "ori_info.txt"));
        try (KeyWrapCiphers ciphers = new KeyWrapCiphers(PROVIDERS);
                KeyEncryptionKey kek = KeyEncryptionKey.expand(secret, info, ciphers)) {
            // the example takes 16 bytes, which are the first ones of 32
            assertThat(Arrays.copyOf(kek.secret().getEncoded(), 16))
                    .asHexString()
                    .isEqualToIgnoringCase(text(folder, "kek.txt"));
        }
        assertThatThrownBy(() -> EnvelopeParser.parse(Slice.of(envelope)))
                .isExactlyInstanceOf(MalformedEnvelopeException.class); // its content has a key of 128 bits
    }

    /** Documents that Bouncy Castle and OpenSSL signed verify, if the algorithm is one of ours. */
    @ParameterizedTest
    @ValueSource(strings = {"bc.zip", "ossl35.zip"})
    void signaturesOfOthers_verifyIfTheyAreOfOurAlgorithms(String name) throws Exception {
        int verified = 0;
        int refused = 0;
        for (Map.Entry<String, byte[]> file : zip(name).entrySet()) {
            if (!file.getKey().endsWith("_signed_attrs.der")) {
                continue;
            }
            boolean ours = List.of("ml-dsa-65-2.", "ml-dsa-87-2.").stream().anyMatch(file.getKey()::startsWith);
            try {
                ParsedEnvelope.Signed parsed = (ParsedEnvelope.Signed) EnvelopeParser.parse(Slice.of(file.getValue()));
                assertThat(SignatureVerifier.signer(parsed, new Home(folder).recipientDirectory(), PROVIDERS))
                        .isNotNull();
                assertThat(ours).as(file.getKey() + " verified").isTrue();
                verified++;
            } catch (EnvelopeException rejected) {
                assertThat(ours)
                        .as(file.getKey() + " rejected: " + rejected.getMessage())
                        .isFalse();
                refused++;
            }
        }
        System.out.println(
                "VECTORS hackathon, " + name + ", signers: " + verified + " verified, " + refused + " refused");
        assertThat(verified).isEqualTo(2);
    }

    private static String text(Path folder, String name) throws IOException {
        return Files.readString(folder.resolve(name)).strip();
    }

    private static byte[] pem(Path file) throws IOException {
        String text = Files.readString(file);
        int start = text.indexOf("-----", text.indexOf("-----BEGIN") + 10) + 5;
        return Base64.getMimeDecoder().decode(text.substring(start, text.indexOf("-----END", start)));
    }
}
