/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.enrolment;

import java.io.IOException;
import java.io.StringReader;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.util.Set;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.pkcs.PBES2Parameters;
import org.bouncycastle.asn1.pkcs.PBKDF2Params;
import org.bouncycastle.asn1.pkcs.PKCS12PBEParams;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.openssl.EncryptionException;
import org.bouncycastle.openssl.PEMEncryptedKeyPair;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JceOpenSSLPKCS8DecryptorProviderBuilder;
import org.bouncycastle.openssl.jcajce.JcePEMDecryptorProviderBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.pkcs.PKCS8EncryptedPrivateKeyInfo;
import org.bouncycastle.pkcs.PKCSException;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.home.Password;
import org.signetmq.keystore.internal.x509.CertificateProviders;
import org.signetmq.keystore.internal.x509.PemText;
import org.signetmq.keystore.keys.CryptoProviders;

/**
 * Reads private keys as {@code openssl} writes them: PKCS#8, encrypted or not, and the traditional RSA and EC forms.
 */
final class PemKeys {
    static final String PKCS8 = "PRIVATE KEY";
    static final String ENCRYPTED = "ENCRYPTED PRIVATE KEY";
    private static final Set<String> SUPPORTED = Set.of(PKCS8, ENCRYPTED, "RSA PRIVATE KEY", "EC PRIVATE KEY");

    /** The most rounds of a key derivation, because the file chooses their number. */
    private static final BigInteger MAX_ITERATIONS = BigInteger.valueOf(5_000_000);

    private PemKeys() {}

    static boolean isEncrypted(PemText.Block block) {
        return block.isPrivateKey()
                && (block.label().equals(ENCRYPTED) || block.lines().contains("Proc-Type:"));
    }

    /**
     * Reads the key of a block.
     *
     * @param password null if the file needs none
     */
    static PrivateKey read(PemText.Block block, @Nullable Password password) {
        String source = block.source();
        if (!SUPPORTED.contains(block.label())) {
            throw new KeystoreUnusableException(source + ": the key is of the unsupported kind " + block.label()
                    + "; convert it with: openssl pkcs8 -topk8");
        }
        try (PEMParser parser = new PEMParser(new StringReader(block.text()))) {
            return CertificateProviders.privateKey(key(parser.readObject(), source, password));
        } catch (KeystoreUnusableException e) {
            throw e;
        } catch (NoSuchAlgorithmException e) {
            throw new KeystoreUnusableException(
                    source + ": its private key is of an unsupported kind: " + e.getMessage(), e);
        } catch (GeneralSecurityException | IOException | RuntimeException e) { // parsers throw undocumented exceptions
            throw new KeystoreUnusableException(
                    source + ": its private key is damaged or of an unsupported kind; Signet uses RSA, P-256, P-384,"
                            + " P-521, Ed25519, ML-DSA and ML-KEM",
                    e);
        }
    }

    private static PrivateKeyInfo key(@Nullable Object parsed, String source, @Nullable Password password)
            throws IOException {
        if (parsed instanceof PrivateKeyInfo key) {
            return key;
        }
        if (parsed instanceof PEMKeyPair pair && pair.getPrivateKeyInfo() != null) {
            return pair.getPrivateKeyInfo();
        }
        if (parsed == null || parsed instanceof PEMKeyPair) {
            throw new IOException("no private key");
        }
        if (password == null) {
            throw new KeystoreUnusableException(source + ": encrypted, and no password was given");
        }
        if (parsed instanceof PKCS8EncryptedPrivateKeyInfo encrypted) {
            requireFew(rounds(encrypted.getEncryptionAlgorithm(), source), source);
        }
        try {
            return parsed instanceof PKCS8EncryptedPrivateKeyInfo encrypted
                    ? encrypted.decryptPrivateKeyInfo(new JceOpenSSLPKCS8DecryptorProviderBuilder()
                            .setProvider(CryptoProviders.bouncyCastle())
                            .build(password.characters()))
                    : decrypted((PEMEncryptedKeyPair) parsed, source, password);
        } catch (PKCSException | OperatorCreationException | IOException | IllegalArgumentException e) {
            throw new KeystoreUnusableException(source + ": wrong password for its private key", e);
        }
    }

    /** Decrypts the traditional form. One of 256 wrong passwords leaves a padding that looks right, and then no key. */
    private static PrivateKeyInfo decrypted(PEMEncryptedKeyPair encrypted, String source, Password password)
            throws IOException {
        try {
            return encrypted
                    .decryptKeyPair(new JcePEMDecryptorProviderBuilder()
                            .setProvider(CryptoProviders.bouncyCastle())
                            .build(password.characters()))
                    .getPrivateKeyInfo();
        } catch (EncryptionException e) {
            throw new KeystoreUnusableException(
                    source + ": its encryption " + encrypted.getDekAlgName()
                            + " is not supported, or the password is wrong",
                    e);
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
}
