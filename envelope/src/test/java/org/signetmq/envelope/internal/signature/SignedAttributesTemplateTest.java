/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.signature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.signetmq.envelope.internal.der.DerReader.OCTET_STRING;
import static org.signetmq.envelope.internal.der.DerReader.SEQUENCE;
import static org.signetmq.envelope.internal.der.DerReader.SET;
import static org.signetmq.envelope.internal.der.DerWriter.element;

import java.time.Instant;
import java.util.Date;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1Primitive;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.DERSet;
import org.bouncycastle.asn1.cms.Attribute;
import org.bouncycastle.asn1.cms.CMSAttributes;
import org.bouncycastle.asn1.cms.CMSObjectIdentifiers;
import org.bouncycastle.asn1.cms.Time;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.signetmq.envelope.internal.cms.Oids;
import org.signetmq.envelope.internal.signature.SignerProfile.SignedAttributesTemplate;

final class SignedAttributesTemplateTest {
    /** The order of the attributes depends on how long this one is: between all others, and after them. */
    @ParameterizedTest
    @CsvSource({
        "2026-11-22T10:20:30Z, 1",
        "2026-11-22T10:20:30Z, 32",
        "2026-11-22T10:20:30Z, 200",
        "2049-12-31T23:59:59.999Z, 32",
        "2050-01-01T00:00:00Z, 32"
    })
    void attributes_areThoseThatBouncyCastleWrites(Instant time, int hashLength) throws Exception {
        byte[] hash = new byte[hashLength];
        byte[] value = element(SEQUENCE, element(SEQUENCE, element(SEQUENCE, element(OCTET_STRING, hash))));
        byte[] certificate = element(SEQUENCE, Oids.SIGNING_CERTIFICATE_V2, element(SET, value));
        byte[] digest = new byte[64];
        digest[0] = -1;
        digest[63] = 1;

        byte[] encoded =
                SignedAttributesTemplate.of(Oids.DATA, certificate, time).with(digest);

        ASN1EncodableVector expected = new ASN1EncodableVector();
        expected.add(attribute(CMSAttributes.contentType, CMSObjectIdentifiers.data));
        expected.add(attribute(CMSAttributes.signingTime, new Time(Date.from(time))));
        expected.add(attribute(CMSAttributes.messageDigest, new DEROctetString(digest)));
        expected.add(attribute(PKCSObjectIdentifiers.id_aa_signingCertificateV2, ASN1Primitive.fromByteArray(value)));
        assertThat(encoded).isEqualTo(new DERSet(expected).getEncoded("DER"));
    }

    private static Attribute attribute(ASN1ObjectIdentifier type, ASN1Encodable value) {
        return new Attribute(type, new DERSet(value));
    }
}
