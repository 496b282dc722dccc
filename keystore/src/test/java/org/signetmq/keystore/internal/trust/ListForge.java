/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.trust;

import static org.signetmq.keystore.internal.x509.TestCertificates.START;

import java.io.IOException;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.DERBitString;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.DERTaggedObject;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.asn1.x509.Time;
import org.bouncycastle.operator.ContentSigner;
import org.signetmq.keystore.internal.x509.TestCertificates.Party;
import org.signetmq.testkit.Certificates;

/** Makes revocation lists of any size and kind, also wrong ones. */
public final class ListForge {
    private final Party issuer;
    private final ASN1EncodableVector entries = new ASN1EncodableVector();
    private final List<Extension> extensions = new ArrayList<>();
    private Party signer;
    private Instant thisUpdate = START;
    private Instant nextUpdate;

    private ListForge(Party issuer, Instant nextUpdate) {
        this.issuer = issuer;
        this.signer = issuer;
        this.nextUpdate = nextUpdate;
    }

    public static ListForge of(Party issuer, Instant nextUpdate) {
        return new ListForge(issuer, nextUpdate);
    }

    public ListForge from(Instant time) {
        thisUpdate = time;
        return this;
    }

    public ListForge until(Instant time) {
        nextUpdate = time;
        return this;
    }

    /** Lets another party sign in the name of the issuer. */
    public ListForge signedBy(Party other) {
        signer = other;
        return this;
    }

    public ListForge revoking(BigInteger... serialNumbers) {
        for (BigInteger serial : serialNumbers) {
            entries.add(new DERSequence(new ASN1Encodable[] {new ASN1Integer(serial), new Time(Date.from(START))}));
        }
        return this;
    }

    /** Adds an entry with this reason, as {@link CRLReason} has them. */
    public ListForge revoking(BigInteger serialNumber, int reason) throws IOException {
        Extensions ofEntry = new Extensions(new Extension(
                Extension.reasonCode, false, CRLReason.lookup(reason).getEncoded()));
        entries.add(new DERSequence(
                new ASN1Encodable[] {new ASN1Integer(serialNumber), new Time(Date.from(START)), ofEntry}));
        return this;
    }

    public ListForge with(Extension extension) {
        extensions.add(extension);
        return this;
    }

    public byte[] der() {
        try {
            ContentSigner by = Certificates.signer(signer.pair().getPrivate());
            AlgorithmIdentifier algorithm = by.getAlgorithmIdentifier();
            ASN1EncodableVector content = new ASN1EncodableVector();
            content.add(new ASN1Integer(1));
            content.add(algorithm);
            content.add(X500Name.getInstance(
                    issuer.certificate().getSubjectX500Principal().getEncoded()));
            content.add(new Time(Date.from(thisUpdate)));
            content.add(new Time(Date.from(nextUpdate)));
            if (entries.size() > 0) {
                content.add(new DERSequence(entries));
            }
            if (!extensions.isEmpty()) {
                content.add(new DERTaggedObject(true, 0, new Extensions(extensions.toArray(Extension[]::new))));
            }
            DERSequence signed = new DERSequence(content);
            by.getOutputStream().write(signed.getEncoded());
            return new DERSequence(new ASN1Encodable[] {signed, algorithm, new DERBitString(by.getSignature())})
                    .getEncoded();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    public RevocationList make() {
        return RevocationList.fromDer(der());
    }
}
