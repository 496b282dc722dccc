/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.x509;

import static org.signetmq.keystore.internal.x509.TestCertificates.END;
import static org.signetmq.keystore.internal.x509.TestCertificates.START;

import java.security.KeyPair;
import java.time.Instant;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.internal.x509.TestCertificates.Party;
import org.signetmq.testkit.Certificates;

/** Makes certificates as an attacker does: any name, any key, any extension. */
public final class CertificateForge {
    private final X500Name subject;
    private final KeyPair pair;
    private final Certificates made;
    private KeyPair signer;

    private CertificateForge(X500Name subject, KeyPair pair) {
        this.subject = subject;
        this.pair = pair;
        this.made = Certificates.of(subject, pair.getPublic()).during(START, END);
        this.signer = pair;
    }

    public static CertificateForge of(String dn) {
        return of(dn, TestCertificates.ec());
    }

    public static CertificateForge of(String dn, KeyPair pair) {
        return of(DistinguishedName.encode(dn), pair);
    }

    public static CertificateForge of(X500Name subject, KeyPair pair) {
        return new CertificateForge(subject, pair);
    }

    /** As earlier versions of Signet made every identity. */
    public static Party oldIdentity(String dn) {
        return of(dn).with(Extension.basicConstraints, true, new BasicConstraints(0))
                .usage(KeyUsage.digitalSignature | KeyUsage.keyAgreement | KeyUsage.keyCertSign | KeyUsage.cRLSign)
                .make();
    }

    public CertificateForge by(Party authority) {
        made.by(Certificates.subject(authority.certificate()));
        signer = authority.pair();
        return this;
    }

    public CertificateForge until(Instant instant) {
        made.during(START, instant);
        return this;
    }

    public CertificateForge authority() {
        made.authority(true);
        return this;
    }

    public CertificateForge usage(int bits) {
        made.usage(bits);
        return this;
    }

    public CertificateForge with(ASN1ObjectIdentifier type, boolean critical, ASN1Encodable value) {
        made.with(type, critical, value);
        return this;
    }

    /** Adds an extension with these bytes, which need not be well-formed. */
    public CertificateForge with(ASN1ObjectIdentifier type, byte[] value) {
        made.with(new Extension(type, false, value));
        return this;
    }

    public CertificateForge identifier(byte @Nullable [] bytes) {
        return bytes == null ? this : with(Extension.subjectKeyIdentifier, false, new DEROctetString(bytes));
    }

    public Party make() {
        return new Party(subject.toString(), pair, made.signed(signer.getPrivate()));
    }
}
