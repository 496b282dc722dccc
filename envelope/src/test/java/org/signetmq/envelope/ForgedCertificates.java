/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.DERSet;
import org.bouncycastle.asn1.cms.ContentInfo;
import org.bouncycastle.asn1.cms.SignedData;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Certificate;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.SubjectKeyIdentifier;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Pem;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.keys.SoftwareKey;
import org.signetmq.testkit.Certificates;

/** Makes certificates as an attacker does, and envelopes with them. */
final class ForgedCertificates {
    private ForgedCertificates() {}

    /** A key on P-256. */
    static KeyPair key() {
        return key("secp256r1");
    }

    static KeyPair key(String curve) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec(curve));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** An identity of an earlier version, which signs, receives and issues. */
    static Identity oldIdentity(String name, String dn) {
        KeyPair pair = key();
        int usage = KeyUsage.digitalSignature | KeyUsage.keyAgreement | KeyUsage.keyCertSign | KeyUsage.cRLSign;
        return new Identity(
                name,
                new SoftwareKey(pair.getPrivate(), CryptoProviders.standard()),
                List.of(certificate(new Subject(dn, pair, new BasicConstraints(0), usage), null, null)));
    }

    /** An end entity's identity of another key, with any DN, issued by this one. */
    static Identity issued(String dn, Identity issuer) {
        return issued(dn, issuer, key(), null);
    }

    /** As {@link #issued(String, Identity)}, with this key and this subject key identifier. */
    static Identity issued(String dn, Identity issuer, KeyPair pair, byte @Nullable [] identifier) {
        Subject subject =
                new Subject(dn, pair, new BasicConstraints(false), KeyUsage.digitalSignature | KeyUsage.keyAgreement);
        List<X509Certificate> chain = new ArrayList<>(List.of(certificate(subject, issuer, identifier)));
        chain.addAll(issuer.chain());
        return new Identity("forged", new SoftwareKey(pair.getPrivate(), CryptoProviders.standard()), chain);
    }

    /** An issuer of certificates, itself issued by the other, or by itself if that is null. */
    static Identity authority(String dn, @Nullable Identity issuer) {
        KeyPair pair = key();
        Subject subject = new Subject(dn, pair, new BasicConstraints(true), KeyUsage.keyCertSign);
        List<X509Certificate> chain = new ArrayList<>(List.of(certificate(subject, issuer, null)));
        if (issuer != null) {
            chain.addAll(issuer.chain());
        }
        return new Identity("authority", new SoftwareKey(pair.getPrivate(), CryptoProviders.standard()), chain);
    }

    private record Subject(String dn, KeyPair pair, BasicConstraints constraints, int usage) {}

    private static X509Certificate certificate(
            Subject subject, @Nullable Identity issuer, byte @Nullable [] identifier) {
        X500Name name = new X500Name(subject.dn());
        PublicKey key = subject.pair().getPublic();
        try {
            return Certificates.of(name, key)
                    .by(issuer == null ? name : Certificates.subject(issuer.certificate()))
                    .with(Extension.basicConstraints, true, subject.constraints())
                    .usage(subject.usage())
                    .with(
                            Extension.subjectKeyIdentifier,
                            false,
                            identifier == null
                                    ? new JcaX509ExtensionUtils().createSubjectKeyIdentifier(key)
                                    : new SubjectKeyIdentifier(identifier))
                    .signed(issuer == null ? subject.pair().getPrivate() : SoftwareKey.exported(issuer));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Adds a partner's certificate to recipients and trust. */
    static void pin(Home home, String name, X509Certificate certificate) {
        write(home.trust(), name, certificate);
        write(home.recipients(), name, certificate);
    }

    static void write(Path folder, String name, X509Certificate certificate) {
        try {
            Files.createDirectories(folder);
            Files.writeString(folder.resolve(name + ".pem"), Pem.certificatePem(certificate));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The same signed message with these certificates, which no signature covers. */
    static byte[] carrying(byte[] envelope, List<X509Certificate> certificates) {
        try {
            SignedData data =
                    SignedData.getInstance(ContentInfo.getInstance(envelope).getContent());
            ASN1EncodableVector carried = new ASN1EncodableVector();
            for (X509Certificate certificate : certificates) {
                carried.add(Certificate.getInstance(certificate.getEncoded()));
            }
            SignedData changed = new SignedData(
                    data.getDigestAlgorithms(),
                    data.getEncapContentInfo(),
                    new DERSet(carried),
                    data.getCRLs(),
                    data.getSignerInfos());
            return new ContentInfo(ContentInfo.getInstance(envelope).getContentType(), changed)
                    .getEncoded(ASN1Encoding.DER);
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
