/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPrivateKeySpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.crypto.spec.GCMParameterSpec;
import org.assertj.core.api.SoftAssertions;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.DERTaggedObject;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.internal.cms.Oids;
import org.signetmq.envelope.internal.der.DerReader;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.keystore.KeyTransportPadding;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.SignatureScheme;
import org.signetmq.keystore.internal.x509.CertificateProviders;
import org.signetmq.keystore.keys.KeyEncryptionKey.KeyWrapCiphers;
import org.signetmq.testkit.Tier;
import org.signetmq.testkit.Vectors;
import org.signetmq.testkit.Vectors.Vector;

/**
 * Runs the vectors of Wycheproof through the primitives as Signet calls them, with each provider. A valid vector must
 * give its result, and an invalid one none. Each other answer is listed here with its reason.
 */
@Tag(Tier.LONG)
final class WycheproofTest {
    /** The providers that {@link CryptoProviders} may choose. */
    enum Providers {
        JDK,
        BOUNCY_CASTLE,
        NATIVE;

        CryptoProviders choice() {
            CryptoProviders standard = CryptoProviders.standard();
            boolean isNative = standard.accelerated().isPresent(); // loaded before the property changes
            if (this == NATIVE) {
                assumeTrue(isNative, "the native library does not load here: its vectors did not run");
                return standard;
            }
            System.setProperty("signet.crypto.java-only", "true");
            try {
                CryptoProviders choice = new CryptoProviders(this == BOUNCY_CASTLE);
                assertThat(choice.accelerated()).isEmpty();
                return choice;
            } finally {
                System.clearProperty("signet.crypto.java-only");
            }
        }
    }

    /** A primitive. It returns the bytes that a vector gives, an empty array if it verifies, or null if refused. */
    private interface Primitive {
        byte @Nullable [] apply(CryptoProviders providers, Vector vector) throws GeneralSecurityException;
    }

    /** An answer that differs from the vector's result, or decides about one that is acceptable. */
    private record Decision(Predicate<Vector> about, Set<Providers> accepting, String reason) {
        boolean decides(Vector vector, Providers providers) {
            String result = vector.result();
            boolean differs = result.equals("acceptable") || result.equals("valid") != accepting.contains(providers);
            return differs && about.test(vector);
        }
    }

    /** The vectors of one file, and the field with the right bytes. Empty if there are none. */
    private record Suite(String file, String right, Primitive primitive, List<Decision> decisions) {
        @Override
        public String toString() {
            return file;
        }
    }

    private static final Map<String, byte[]> CURVES = Map.of(
            "secp256r1", HexFormat.of().parseHex("06082a8648ce3d030107"),
            "secp384r1", HexFormat.of().parseHex("06052b81040022"),
            "secp521r1", HexFormat.of().parseHex("06052b81040023"));

    private static final Decision UNNAMED =
            refuse("its curve is not named, or is another", flag("UnnamedCurve", "UnusedParam"));
    private static final Decision NOT_DER = refuse("the key is not DER", flag("InvalidAsn"));
    private static final Decision COMPRESSED = accept("RFC 5480 allows compressed points", flag("CompressedPublic"));
    private static final Decision WITHOUT_NULL = new Decision(
            flag("MissingNull"),
            EnumSet.of(Providers.JDK, Providers.BOUNCY_CASTLE), // both take RSA from the JDK
            "RFC 8017 allows both forms of a digest's parameters");
    private static final Decision UNREDUCED = new Decision(
            vector -> vector.text("comment").contains("large x-coordinate")
                    || vector.text("comment").contains("with a reduction"),
            Runtime.version().feature() < 25
                    ? EnumSet.of(Providers.BOUNCY_CASTLE, Providers.NATIVE)
                    : EnumSet.allOf(Providers.class),
            "Java 17 does not reduce x, as Java 25 does; no signer meets such a value");
    private static final Decision OTHER_KEY = refuse(
            "keys for contents have 256 bits", vector -> !vector.text("keySize").equals("256"));

    private static final List<Suite> SUITES = List.of(
            signatures("ecdsa_secp256r1_sha512", SignatureScheme.ECDSA, "SHA-512"),
            signatures("ecdsa_secp384r1_sha512", SignatureScheme.ECDSA, "SHA-512"),
            signatures("ecdsa_secp521r1_sha512", SignatureScheme.ECDSA, "SHA-512"),
            signatures("ed25519", SignatureScheme.ED25519, "SHA-512"),
            signatures("rsa_pss_2048_sha256_mgf1_32", SignatureScheme.RSA_PSS, "SHA-256"),
            signatures("rsa_pss_4096_sha512_mgf1_64", SignatureScheme.RSA_PSS, "SHA-512"),
            signatures("rsa_signature_2048_sha512", SignatureScheme.RSA, "SHA-512"),
            signatures("rsa_signature_3072_sha512", SignatureScheme.RSA, "SHA-512"),
            oaep("rsa_oaep_2048_sha256_mgf1sha256"),
            oaep("rsa_oaep_3072_sha256_mgf1sha256"),
            oaep("rsa_oaep_4096_sha256_mgf1sha256"),
            ecdh("ecdh_secp256r1"),
            ecdh("ecdh_secp384r1"),
            ecdh("ecdh_secp521r1"),
            new Suite(
                    "hkdf_sha256",
                    "okm",
                    WycheproofTest::hkdf,
                    List.of(refuse(
                            "there is no salt", vector -> !vector.text("salt").isEmpty()))),
            mlDsa("mldsa_65_verify"),
            mlDsa("mldsa_87_verify"),
            decapsulation("mlkem_768", NISTObjectIdentifiers.id_alg_ml_kem_768),
            decapsulation("mlkem_1024", NISTObjectIdentifiers.id_alg_ml_kem_1024),
            decapsulation("mlkem_768_semi_expanded_decaps", NISTObjectIdentifiers.id_alg_ml_kem_768),
            decapsulation("mlkem_1024_semi_expanded_decaps", NISTObjectIdentifiers.id_alg_ml_kem_1024),
            encapsulation("mlkem_768_encaps", NISTObjectIdentifiers.id_alg_ml_kem_768),
            encapsulation("mlkem_1024_encaps", NISTObjectIdentifiers.id_alg_ml_kem_1024),
            new Suite(
                    "aes_gcm",
                    "msg",
                    WycheproofTest::gcm,
                    List.of(
                            OTHER_KEY,
                            refuse(
                                    "nonces have 12 bytes",
                                    vector -> !vector.text("ivSize").equals("96")),
                            refuse(
                                    "there is no additional data",
                                    vector -> !vector.text("aad").isEmpty()))),
            new Suite(
                    "aes_wrap",
                    "msg",
                    WycheproofTest::keyWrap,
                    List.of(
                            OTHER_KEY,
                            refuse(
                                    "a data key has 256 bits",
                                    vector -> vector.text("msg").length() != 64))));

    private static Suite signatures(String file, SignatureScheme scheme, String digest) {
        Primitive primitive = (providers, vector) -> {
            PublicKey key =
                    CertificateProviders.publicKey(SubjectPublicKeyInfo.getInstance(vector.bytes("publicKeyDer")));
            boolean right =
                    VerifyingKey.of(key, providers).verify(scheme, digest, vector.bytes("msg"), vector.bytes("sig"));
            return right ? new byte[0] : null;
        };
        return new Suite(file, "", primitive, List.of(WITHOUT_NULL, UNREDUCED));
    }

    private static Suite mlDsa(String file) {
        Primitive primitive = (providers, vector) -> {
            try {
                PublicKey key = postQuantum(SubjectPublicKeyInfo.getInstance(vector.bytes("publicKeyDer")));
                boolean right = VerifyingKey.of(key, providers)
                        .verify(
                                SignatureScheme.of(key).orElseThrow(),
                                "SHA-512",
                                vector.bytes("msg"),
                                vector.bytes("sig"));
                return right ? new byte[0] : null;
            } catch (IOException | GeneralSecurityException | RuntimeException noKey) {
                return null;
            }
        };
        return new Suite(
                file,
                "",
                primitive,
                List.of(refuse(
                        "there is no context", vector -> !vector.text("ctx").isEmpty())));
    }

    private static PublicKey postQuantum(SubjectPublicKeyInfo key) throws GeneralSecurityException, IOException {
        return KeyFactory.getInstance(key.getAlgorithm().getAlgorithm().getId(), CryptoProviders.bouncyCastle())
                .generatePublic(new X509EncodedKeySpec(key.getEncoded()));
    }

    /** Takes a private key as its seed, or as an expanded key (RFC 9935). */
    private static Suite decapsulation(String file, ASN1ObjectIdentifier algorithm) {
        Primitive primitive = (providers, vector) -> {
            try {
                ASN1Encodable key = vector.text("seed").isEmpty()
                        ? new DEROctetString(vector.bytes("dk"))
                        : new DERTaggedObject(false, 0, new DEROctetString(vector.bytes("seed")));
                PrivateKey own =
                        CryptoProviders.postQuantum(new PrivateKeyInfo(new AlgorithmIdentifier(algorithm), key));
                return KeyEncapsulation.answer(new SoftwareKey(own, providers), vector.bytes("c"));
            } catch (GeneralSecurityException | KeystoreUnusableException | IOException noKey) {
                return null;
            }
        };
        return new Suite(file, "K", primitive, List.of());
    }

    /** A secret is random here, so the vectors show which keys are taken. */
    private static Suite encapsulation(String file, ASN1ObjectIdentifier algorithm) {
        Primitive primitive = (providers, vector) -> {
            try {
                PublicKey key =
                        postQuantum(new SubjectPublicKeyInfo(new AlgorithmIdentifier(algorithm), vector.bytes("ek")));
                KeyEncapsulation made = KeyEncapsulation.to(key, providers);
                assertThat(made.secret()).hasSize(32);
                return new byte[0];
            } catch (IOException | GeneralSecurityException | RuntimeException noKey) {
                return null;
            }
        };
        return new Suite(file, "", primitive, List.of());
    }

    private static Suite oaep(String file) {
        Primitive primitive = (providers, vector) -> {
            PrivateKey key = KeyFactory.getInstance("RSA")
                    .generatePrivate(new PKCS8EncodedKeySpec(vector.bytes("privateKeyPkcs8")));
            return new SoftwareKey(key, providers).unwrap(KeyTransportPadding.OAEP_SHA_256, vector.bytes("ct"));
        };
        return new Suite(
                file,
                "msg",
                primitive,
                List.of(refuse(
                        "the label is empty", vector -> !vector.text("label").isEmpty())));
    }

    private static Suite ecdh(String file) {
        return new Suite(file, "shared", WycheproofTest::agree, List.of(UNNAMED, NOT_DER, COMPRESSED));
    }

    /** Agrees as the reader of a recipient info does, which takes a key of its own curve in DER alone. */
    private static byte @Nullable [] agree(CryptoProviders providers, Vector vector) throws GeneralSecurityException {
        String curve = vector.text("curve");
        AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC");
        parameters.init(new ECGenParameterSpec(curve));
        PrivateKey own = KeyFactory.getInstance("EC")
                .generatePrivate(new ECPrivateKeySpec(
                        new BigInteger(1, vector.bytes("private")),
                        parameters.getParameterSpec(ECParameterSpec.class)));
        byte[] key = vector.bytes("public");
        try {
            DerReader whole = new DerReader(Slice.of(key));
            DerReader parts = whole.enter(DerReader.SEQUENCE);
            whole.end();
            DerReader algorithm = parts.enter(DerReader.SEQUENCE);
            algorithm.expect(Oids.EC_PUBLIC_KEY, "key");
            algorithm.expect(Objects.requireNonNull(CURVES.get(curve)), "curve");
            algorithm.end();
            byte[] point = parts.content(DerReader.BIT_STRING).copy();
            parts.end();
            boolean isWhole = point.length > 1 && point[0] == 0;
            return isWhole ? EcAgreement.answer(new SoftwareKey(own, providers), key) : null;
        } catch (MalformedEnvelopeException notDer) {
            return null;
        }
    }

    private static byte @Nullable [] gcm(CryptoProviders providers, Vector vector) {
        byte[] sealed = concat(vector.bytes("ct"), vector.bytes("tag"));
        byte[] clear = new byte[vector.bytes("ct").length];
        byte[] nonce = vector.bytes("iv");
        if (nonce.length != KeyLease.NONCE_LENGTH || !vector.text("aad").isEmpty()) {
            return null; // CmsAttackTest shows that the parser refuses other nonces; additional data has no place
        }
        try (DataKey key = DataKey.takeOwnershipOf(vector.bytes("key"));
                ContentCipher cipher = new ContentCipher(providers)) {
            return cipher.decrypt(key, new GCMParameterSpec(128, nonce), ByteBuffer.wrap(sealed), clear) ? clear : null;
        } catch (IllegalArgumentException otherLength) {
            return null;
        }
    }

    private static byte @Nullable [] keyWrap(CryptoProviders providers, Vector vector) {
        try (KeyWrapCiphers ciphers = new KeyWrapCiphers(providers);
                KeyEncryptionKey key = new KeyEncryptionKey(vector.bytes("key"), ciphers);
                DataKey unwrapped = key.unwrap(vector.bytes("ct"))) {
            return unwrapped == null ? null : unwrapped.secret().getEncoded();
        } catch (IllegalArgumentException otherLength) {
            return null;
        }
    }

    /** Derives 32 bytes, which are the beginning of a longer result and begin with a shorter one. */
    private static byte @Nullable [] hkdf(CryptoProviders providers, Vector vector) {
        int size = Integer.parseInt(vector.text("size"));
        if (!vector.text("salt").isEmpty() || size > 255 * AesKey.LENGTH) {
            return null; // no call asks for these
        }
        try (KeyWrapCiphers ciphers = new KeyWrapCiphers(providers);
                KeyEncryptionKey key = KeyEncryptionKey.expand(vector.bytes("ikm"), vector.bytes("info"), ciphers)) {
            byte[] right = vector.bytes("okm");
            byte[] derived = key.secret().getEncoded();
            int common = Math.min(size, derived.length);
            return Arrays.equals(Arrays.copyOf(right, common), Arrays.copyOf(derived, common)) ? right : derived;
        }
    }

    private static byte[] concat(byte[] first, byte[] second) {
        return ByteBuffer.allocate(first.length + second.length)
                .put(first)
                .put(second)
                .array();
    }

    static Stream<Arguments> suites() {
        return SUITES.stream()
                .flatMap(suite -> Stream.of(Providers.values()).map(providers -> Arguments.of(suite, providers)));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("suites")
    void vector_givesItsResult_orAListedDecision(Suite suite, Providers providers) throws Exception {
        CryptoProviders choice = providers.choice();
        SoftAssertions all = new SoftAssertions();
        Map<String, Integer> counts = new TreeMap<>();
        for (Vector vector : Vectors.wycheproof(suite.file())) {
            byte[] result = suite.primitive().apply(choice, vector);
            Optional<Decision> decision = suite.decisions().stream()
                    .filter(each -> each.decides(vector, providers))
                    .findFirst();
            if (decision.isEmpty() && vector.result().equals("acceptable")) {
                all.fail("undecided: " + vector);
            }
            boolean accepted = decision.map(each -> each.accepting().contains(providers))
                    .orElse(vector.result().equals("valid"));
            all.assertThat(result != null).as(vector + " accepted").isEqualTo(accepted);
            if (result != null) {
                all.assertThat(result)
                        .as(vector.toString())
                        .isEqualTo(suite.right().isEmpty() ? new byte[0] : vector.bytes(suite.right()));
            }
            counts.merge(
                    vector.result()
                            + (accepted ? " accepted" : " refused")
                            + decision.map(each -> ": " + each.reason()).orElse(""),
                    1,
                    Integer::sum);
        }
        all.assertAll();
        System.out.println("VECTORS " + suite + " " + providers + " " + counts);
    }

    private static Predicate<Vector> flag(String... names) {
        return vector -> vector.has(List.of(names)::contains);
    }

    private static Decision refuse(String reason, Predicate<Vector> about) {
        return new Decision(about, Set.of(), reason);
    }

    private static Decision accept(String reason, Predicate<Vector> about) {
        return new Decision(about, EnumSet.allOf(Providers.class), reason);
    }
}
