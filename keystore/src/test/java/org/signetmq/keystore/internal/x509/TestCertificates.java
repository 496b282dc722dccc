/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.x509;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Provider;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509v2CRLBuilder;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.home.Pem;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.testkit.Certificates;

/** Certificates and revocation lists of every kind, also those that Signet never makes. */
public final class TestCertificates {
    public static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");
    public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    public static final Instant END = Instant.parse("2027-01-01T00:00:00Z");
    public static final int LEAF = KeyUsage.digitalSignature | KeyUsage.keyAgreement;
    public static final int CA = KeyUsage.keyCertSign | KeyUsage.cRLSign;

    /** The name and key of an issuer. */
    public record Issuer(String dn, KeyPair pair) {}

    /** A name with its key and certificate. */
    public record Party(String dn, KeyPair pair, X509Certificate certificate) {
        public Issuer issuer() {
            return new Issuer(dn, pair);
        }
    }

    /** The properties of a certificate that differ from the usual ones. */
    public record Shape(int usage, boolean authority, Instant start, Instant end, String signature) {
        public static final Shape USUAL = new Shape(LEAF, false, START, END, "SHA256withECDSA");
        public static final Shape AUTHORITY = new Shape(CA, true, START, END, "SHA256withECDSA");

        public Shape usage(int other) {
            return new Shape(other, authority, start, end, signature);
        }

        public Shape during(Instant from, Instant to) {
            return new Shape(usage, authority, from, to, signature);
        }

        public Shape signature(String other) {
            return new Shape(usage, authority, start, end, other);
        }
    }

    private static final Map<Integer, KeyPair> RSA = new ConcurrentHashMap<>();
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Provider PROVIDER = new BouncyCastleProvider(); // knows RSA-PSS by the names of each hash

    private TestCertificates() {}

    public static KeyPair ec() {
        try {
            return CryptoProviders.generate(KeyAlgorithm.EC_P256, RANDOM);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the one RSA key of this length in this process, because the search for its primes takes long. */
    public static KeyPair rsa(int bits) {
        return RSA.computeIfAbsent(bits, length -> {
            try {
                return newRsa(length);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    public static KeyPair newRsa(int bits) throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(bits);
        return generator.generateKeyPair();
    }

    public static Party root(String dn) {
        return self(dn, ec(), Shape.AUTHORITY);
    }

    public static Party self(String dn, KeyPair pair, Shape shape) {
        X509Certificate certificate = certificate(dn, pair.getPublic(), new Issuer(dn, pair), shape);
        return new Party(dn, pair, certificate);
    }

    public static Party issue(String dn, Party issuer, Shape shape) {
        KeyPair pair = ec();
        return new Party(dn, pair, certificate(dn, pair.getPublic(), issuer.issuer(), shape));
    }

    public static X509Certificate certificate(String dn, PublicKey key, Issuer issuer, Shape shape) {
        byte[] identifier = KeyIdentifier.ofKey(SubjectPublicKeyInfo.getInstance(key.getEncoded()))
                .bytes();
        return certificate(dn, key, issuer, shape, identifier);
    }

    public static X509Certificate certificate(String dn, PublicKey key, Issuer issuer, Shape shape, byte[] identifier) {
        try {
            return Certificates.of(DistinguishedName.encode(dn), key)
                    .by(DistinguishedName.encode(issuer.dn()))
                    .during(shape.start(), shape.end())
                    .authority(shape.authority())
                    .usage(shape.usage())
                    .identifier(identifier)
                    .signed(new JcaContentSignerBuilder(shape.signature())
                            .setProvider(PROVIDER)
                            .build(issuer.pair().getPrivate()));
        } catch (OperatorCreationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A list by the issuer, in its name, that revokes these. */
    public static X509CRL crl(Party issuer, Instant nextUpdate, X509Certificate... revoked) {
        return crl(issuer.issuer(), nextUpdate, revoked);
    }

    public static X509CRL crl(Issuer issuer, Instant nextUpdate, X509Certificate... revoked) {
        try {
            X500Name name = DistinguishedName.encode(issuer.dn());
            var builder = new X509v2CRLBuilder(name, Date.from(START));
            builder.setNextUpdate(Date.from(nextUpdate));
            for (X509Certificate certificate : revoked) {
                builder.addCRLEntry(certificate.getSerialNumber(), Date.from(START), CRLReason.keyCompromise);
            }
            var contentSigner = new JcaContentSignerBuilder("SHA256withECDSA")
                    .build(issuer.pair().getPrivate());
            return CertificateProviders.crl(builder.build(contentSigner).getEncoded());
        } catch (IOException | OperatorCreationException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void write(Path folder, String file, X509Certificate... certificates) {
        StringBuilder text = new StringBuilder();
        for (X509Certificate certificate : certificates) {
            text.append(Pem.certificatePem(certificate));
        }
        write(folder, file, text.toString());
    }

    public static void write(Path folder, String file, X509CRL crl) {
        try {
            String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(crl.getEncoded());
            write(folder, file, "-----BEGIN X509 CRL-----\n" + base64 + "\n-----END X509 CRL-----\n");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void write(Path folder, String file, String text) {
        try {
            Files.createDirectories(folder);
            Files.writeString(folder.resolve(file), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
