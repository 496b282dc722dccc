/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.cms;

import static org.signetmq.envelope.internal.der.DerReader.INTEGER;
import static org.signetmq.envelope.internal.der.DerReader.SEQUENCE;
import static org.signetmq.envelope.internal.der.DerWriter.element;

import java.io.IOException;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.cms.IssuerAndSerialNumber;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.internal.der.DerReader;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.format.Limits;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.PrintableText;

/**
 * The identifier of a recipient or signer. Signet writes a subject key identifier; other software also writes issuer
 * and serial number.
 *
 * @param keyIdentifier the content of the identifier, or null
 * @param issuerAndSerial the whole IssuerAndSerialNumber, or null
 */
public record PartyIdentifier(
        @Nullable Slice keyIdentifier, @Nullable Slice issuerAndSerial) {
    /** Reads IssuerAndSerialNumber, or the key identifier in an element of this tag. */
    static PartyIdentifier read(DerReader reader, int keyIdentifierTag) {
        if (reader.nextIs(keyIdentifierTag)) {
            Slice identifier = reader.content(keyIdentifierTag);
            Limits.require(identifier.length(), Limits.KEY_IDENTIFIER, "a key identifier");
            return new PartyIdentifier(identifier, null);
        }
        return issuerAndSerial(reader);
    }

    /** Reads IssuerAndSerialNumber. */
    static PartyIdentifier issuerAndSerial(DerReader reader) {
        if (reader.nextIs(DerReader.SEQUENCE)) {
            Slice whole = reader.element();
            DerReader parts = new DerReader(whole).enter(DerReader.SEQUENCE);
            Limits.require(parts.element().length(), Limits.ISSUER, "an issuer's name");
            Limits.require(parts.content(DerReader.INTEGER).length(), Limits.SERIAL_NUMBER, "a serial number");
            parts.end();
            return new PartyIdentifier(null, whole);
        }
        throw new MalformedEnvelopeException("envelope: a recipient or signer has an unknown kind of identifier");
    }

    public boolean isOf(CertificateIdentifiers names) {
        if (keyIdentifier != null) {
            return keyIdentifier.contentEquals(names.keyIdentifier());
        }
        return issuerAndSerial != null && issuerAndSerial.contentEquals(names.issuerAndSerial());
    }

    /** {@code ski:HEX} or {@code issuer=DN, serial=HEX}. */
    @Override
    public String toString() {
        if (keyIdentifier != null) {
            return "ski:" + HexFormat.of().formatHex(keyIdentifier.copy());
        }
        if (issuerAndSerial == null) {
            return "none";
        }
        try {
            IssuerAndSerialNumber named = IssuerAndSerialNumber.getInstance(issuerAndSerial.copy());
            X500Principal issuer = new X500Principal(named.getName().getEncoded());
            return "issuer=" + PrintableText.of(DistinguishedName.shown(issuer)) + ", serial="
                    + named.getSerialNumber().getValue().toString(16);
        } catch (IOException | IllegalArgumentException notDer) {
            return "unreadable issuer and serial number";
        }
    }

    /**
     * The two identifiers of a certificate that an envelope can use, encoded once.
     *
     * @param keyIdentifier the content of the subject key identifier
     * @param issuerAndSerial the whole IssuerAndSerialNumber
     */
    public record CertificateIdentifiers(byte[] keyIdentifier, byte[] issuerAndSerial) {
        public static CertificateIdentifiers of(X509Certificate certificate) {
            byte[] issuer =
                    certificate.getIssuerX500Principal().getEncoded(); // the envelope holds the same bytes, unverified
            byte[] serial = element(INTEGER, certificate.getSerialNumber().toByteArray());
            return new CertificateIdentifiers(KeyIdentifier.of(certificate).bytes(), element(SEQUENCE, issuer, serial));
        }
    }
}
