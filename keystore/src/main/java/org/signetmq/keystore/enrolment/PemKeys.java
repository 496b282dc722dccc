/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.enrolment;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.util.HexFormat;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.pkcs.EncryptedPrivateKeyInfo;
import org.bouncycastle.asn1.pkcs.PBES2Parameters;
import org.bouncycastle.asn1.pkcs.PBKDF2Params;
import org.bouncycastle.asn1.pkcs.PKCS12PBEParams;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.pkcs.RSAPrivateKey;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.openssl.EncryptionException;
import org.bouncycastle.openssl.PEMException;
import org.bouncycastle.openssl.jcajce.JceOpenSSLPKCS8DecryptorProviderBuilder;
import org.bouncycastle.openssl.jcajce.JcePEMDecryptorProviderBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.pkcs.PKCS8EncryptedPrivateKeyInfo;
import org.bouncycastle.pkcs.PKCSException;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.crypto.CryptoProviders;
import org.signetmq.keystore.home.Password;
import org.signetmq.keystore.internal.x509.CertificateProviders;

/**
 * Reads private keys as {@code openssl} writes them: PKCS#8, encrypted or not, and the traditional RSA and EC forms.
 */
final class PemKeys {
    private static final String PKCS8 = "PRIVATE KEY";
    private static final String ENCRYPTED = "ENCRYPTED PRIVATE KEY";
    private static final String RSA = "RSA PRIVATE KEY";
    private static final String EC = "EC PRIVATE KEY";
    private static final String DEK_INFO = "DEK-Info";

    /** The most rounds of a key derivation, because the file chooses their number. */
    private static final BigInteger MAX_ITERATIONS = BigInteger.valueOf(5_000_000);

    private PemKeys() {}

    static boolean isKey(String label) {
        return label.endsWith("PRIVATE KEY");
    }

    static boolean isEncrypted(PemBlocks.Block block) {
        return isKey(block.label())
                && (block.label().equals(ENCRYPTED) || block.headers().containsKey(DEK_INFO));
    }

    /**
     * Reads the key of a block.
     *
     * @param password null if the file needs none
     */
    static PrivateKey read(PemBlocks.Block block, String source, @Nullable Password password) {
        try {
            return CertificateProviders.privateKey(
                    switch (block.label()) {
                        case PKCS8 -> PrivateKeyInfo.getInstance(block.content());
                        case ENCRYPTED -> decrypted(block.content(), source, required(password, source));
                        case RSA, EC -> traditional(block, source, password);
                        default ->
                            throw new KeystoreUnusableException(source + ": the key is of the unsupported kind "
                                    + block.label() + "; convert it with: openssl pkcs8 -topk8");
                    });
        } catch (KeystoreUnusableException e) {
            throw e;
        } catch (NoSuchAlgorithmException e) {
            throw new KeystoreUnusableException(
                    source + ": its private key is of an unsupported kind: " + e.getMessage(), e);
        } catch (GeneralSecurityException | RuntimeException e) { // parsers throw undocumented exceptions
            throw new KeystoreUnusableException(
                    source + ": its private key is damaged or of an unsupported kind; Signet uses RSA, P-256, P-384,"
                            + " P-521 and Ed25519",
                    e);
        }
    }

    /** Decrypts PKCS#8. */
    static PrivateKeyInfo decrypted(byte[] content, String source, Password password) {
        PKCS8EncryptedPrivateKeyInfo encrypted =
                new PKCS8EncryptedPrivateKeyInfo(EncryptedPrivateKeyInfo.getInstance(content));
        requireFew(rounds(encrypted.getEncryptionAlgorithm(), source), source);
        try {
            return encrypted.decryptPrivateKeyInfo(new JceOpenSSLPKCS8DecryptorProviderBuilder()
                    .setProvider(CryptoProviders.bouncyCastle())
                    .build(password.characters()));
        } catch (PKCSException | OperatorCreationException | IllegalArgumentException e) {
            throw wrongPassword(source, e);
        }
    }

    /** Returns the number of rounds that an encryption asks for. */
    static BigInteger rounds(AlgorithmIdentifier algorithm, String source) {
        ASN1ObjectIdentifier kind = algorithm.getAlgorithm();
        if (kind.equals(PKCSObjectIdentifiers.id_PBES2)) {
            AlgorithmIdentifier derivation = AlgorithmIdentifier.getInstance(
                    PBES2Parameters.getInstance(algorithm.getParameters()).getKeyDerivationFunc());
            if (!derivation.getAlgorithm().equals(PKCSObjectIdentifiers.id_PBKDF2)) {
                throw new KeystoreUnusableException(source + ": its password is used by the unsupported function "
                        + derivation.getAlgorithm() + "; encrypt it again with: openssl pkcs8 -topk8");
            }
            return PBKDF2Params.getInstance(derivation.getParameters()).getIterationCount();
        }
        return PKCS12PBEParams.getInstance(algorithm.getParameters()).getIterations();
    }

    /** Rejects a file whose encryption asks for more rounds than {@link #MAX_ITERATIONS}. */
    static void requireFew(BigInteger rounds, String source) {
        if (rounds.signum() <= 0 || rounds.compareTo(MAX_ITERATIONS) > 0) {
            throw new KeystoreUnusableException(
                    source + ": its encryption has more than " + MAX_ITERATIONS + " rounds, or none");
        }
    }

    private static PrivateKeyInfo traditional(PemBlocks.Block block, String source, @Nullable Password password) {
        byte[] content = block.content();
        String info = block.headers().get(DEK_INFO);
        if (info != null) {
            content = traditionallyDecrypted(content, info, source, required(password, source));
        }
        try {
            if (block.label().equals(RSA)) {
                return new PrivateKeyInfo(
                        new AlgorithmIdentifier(PKCSObjectIdentifiers.rsaEncryption, DERNull.INSTANCE),
                        RSAPrivateKey.getInstance(content));
            }
            ECPrivateKey key = ECPrivateKey.getInstance(content);
            return new PrivateKeyInfo(
                    new AlgorithmIdentifier(X9ObjectIdentifiers.id_ecPublicKey, key.getParametersObject()), key);
        } catch (IOException | RuntimeException e) {
            if (info != null) {
                throw wrongPassword(source, e); // one of 256 wrong passwords leaves a padding that looks right
            }
            throw new KeystoreUnusableException(source + ": its private key is damaged", e);
        }
    }

    private static byte[] traditionallyDecrypted(byte[] content, String info, String source, Password password) {
        int comma = info.indexOf(',');
        if (comma < 0) {
            throw new KeystoreUnusableException(source + ": the header DEK-Info is malformed");
        }
        try {
            byte[] vector = HexFormat.of().parseHex(info.substring(comma + 1).strip());
            return new JcePEMDecryptorProviderBuilder()
                    .setProvider(CryptoProviders.bouncyCastle())
                    .build(password.characters())
                    .get(info.substring(0, comma))
                    .decrypt(content, vector);
        } catch (EncryptionException e) {
            throw new KeystoreUnusableException(
                    source + ": its encryption " + info.substring(0, comma)
                            + " is not supported, or the password is wrong",
                    e);
        } catch (PEMException | OperatorCreationException | RuntimeException e) {
            throw wrongPassword(source, e);
        }
    }

    private static KeystoreUnusableException wrongPassword(String source, Exception cause) {
        return new KeystoreUnusableException(source + ": wrong password for its private key", cause);
    }

    private static Password required(@Nullable Password password, String source) {
        if (password == null) {
            throw new KeystoreUnusableException(source + ": encrypted, and no password was given");
        }
        return password;
    }
}
