/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.trust;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1Enumerated;
import org.bouncycastle.asn1.ASN1InputStream;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1Primitive;
import org.bouncycastle.asn1.ASN1Sequence;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.asn1.x509.CertificateList;
import org.bouncycastle.asn1.x509.DistributionPointName;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.IssuingDistributionPoint;
import org.bouncycastle.asn1.x509.TBSCertList;
import org.bouncycastle.asn1.x509.TBSCertList.CRLEntry;
import org.bouncycastle.asn1.x509.Time;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.internal.x509.CertificateProviders.StructureSignature;

/**
 * One X.509 revocation list (RFC 5280 section 5). It keeps its signed part and eight bytes for each entry, and finds a
 * serial number by a binary search. A list of 100,000 entries takes about five megabytes. Thread-safe.
 */
public final class RevocationList {
    /** The greatest length of a list in bytes. */
    static final int MOST_BYTES = 16 << 20;

    private final int length;

    /** The part that is signed, with the entries. */
    private final byte[] signed;

    private final StructureSignature signature;
    private final X500Principal issuer;
    private final Instant thisUpdate;
    private final @Nullable Instant nextUpdate;
    private final Scope scope;

    private final Index index;

    /** The last key whose signature the list proved to have. */
    private volatile @Nullable PublicKeyInfo signer;

    private RevocationList(byte[] der) throws IOException {
        CertificateList list = CertificateList.getInstance(new ASN1InputStream(der, true).readObject()); // lazily
        TBSCertList content = list.getTBSCertList();
        require(Arrays.equals(der, list.getEncoded())
                && list.getSignatureAlgorithm().equals(content.getSignature()));
        this.length = der.length;
        this.signed = content.getEncoded();
        this.signature = new StructureSignature(
                list.getSignatureAlgorithm(), list.getSignature().getOctets());
        this.issuer = new X500Principal(content.getIssuer().getEncoded());
        this.thisUpdate = time(content.getThisUpdate());
        this.nextUpdate = content.getNextUpdate() == null ? null : time(content.getNextUpdate());
        this.scope = Scope.of(content.getExtensions());
        this.index = Index.of(content, issuer, signed);
    }

    /**
     * Reads a list. The caller gives up the array.
     *
     * @throws KeystoreUnusableException if the bytes are no list in DER, or too many
     */
    public static RevocationList fromDer(byte[] der) {
        if (der.length > MOST_BYTES) {
            throw new KeystoreUnusableException("revocation list: larger than " + MOST_BYTES + " bytes");
        }
        try {
            return new RevocationList(der);
        } catch (IOException | RuntimeException | StackOverflowError malformed) { // of parsers, by any nesting
            throw new KeystoreUnusableException("not a revocation list in DER", malformed);
        }
    }

    private static void require(boolean holds) {
        if (!holds) {
            throw new IllegalArgumentException("not DER of the expected structure");
        }
    }

    /**
     * The certificates whose absence from a list proves something (RFC 5280 section 5.2.5).
     *
     * @param complete whether the list has all reasons and no unknown limit
     * @param authorities whether it has issuers
     * @param others whether it has other certificates
     * @param points the addresses of this part of a list in several parts; empty for a whole list
     */
    private record Scope(boolean complete, boolean authorities, boolean others, Set<String> points) {
        static Scope of(@Nullable Extensions extensions) {
            if (extensions == null) {
                return new Scope(true, true, true, Set.of());
            }
            // a delta list has changes alone, critical or not
            boolean known = extensions.getExtension(Extension.deltaCRLIndicator) == null;
            for (ASN1ObjectIdentifier critical : extensions.getCriticalExtensionOIDs()) {
                known &= critical.equals(Extension.issuingDistributionPoint);
            }
            ASN1Encodable value = extensions.getExtensionParsedValue(Extension.issuingDistributionPoint);
            if (value == null) {
                return new Scope(known, true, true, Set.of());
            }
            IssuingDistributionPoint part = IssuingDistributionPoint.getInstance(value);
            Set<String> points = new HashSet<>();
            DistributionPointName name = part.getDistributionPoint();
            if (name != null && name.getType() == DistributionPointName.FULL_NAME) {
                for (GeneralName each : GeneralNames.getInstance(name.getName()).getNames()) {
                    if (each.getTagNo() == GeneralName.uniformResourceIdentifier) {
                        points.add(each.getName().toString());
                    }
                }
            }
            boolean complete = known
                    && !part.isIndirectCRL()
                    && !part.onlyContainsAttributeCerts()
                    && part.getOnlySomeReasons() == null
                    && (name == null || !points.isEmpty());
            return new Scope(complete, !part.onlyContainsUserCerts(), !part.onlyContainsCACerts(), Set.copyOf(points));
        }

        boolean covers(X509Certificate certificate, Set<String> named) {
            boolean authority = certificate.getBasicConstraints() >= 0;
            return complete
                    && (authority ? authorities : others)
                    && (points.isEmpty() || points.stream().anyMatch(named::contains));
        }
    }

    /**
     * Finds entries without an object for each.
     *
     * @param entries for each entry the hash of its serial number, and below that its place in the signed part; sorted
     */
    private record Index(long[] entries) {
        /** Reads the entries of the issuer, one after the other. */
        static Index of(TBSCertList list, X500Principal issuer, byte[] signed) throws IOException {
            if (!list.getRevokedCertificateEnumeration().hasMoreElements()) {
                return new Index(new long[0]);
            }
            ASN1Sequence parts = ASN1Sequence.getInstance(list.toASN1Primitive());
            boolean isLast = list.getExtensions() == null;
            int behind = isLast
                    ? 0
                    : parts.getObjectAt(parts.size() - 1).toASN1Primitive().getEncoded().length;
            int length = parts.getObjectAt(parts.size() - (isLast ? 1 : 2))
                    .toASN1Primitive()
                    .getEncoded()
                    .length;
            InputStream bytes = new ByteArrayInputStream(signed, signed.length - behind - length, length);
            bytes.read(); // the tag of the sequence
            int longForm = bytes.read() - 0x80;
            bytes.readNBytes(Math.max(0, longForm));

            ASN1InputStream objects = new ASN1InputStream(bytes);
            long[] entries = new long[64];
            int count = 0;
            boolean own = true; // an indirect list names the issuer of an entry and of those behind it
            int place = signed.length - behind - bytes.available();
            for (ASN1Primitive next = objects.readObject(); next != null; next = objects.readObject()) {
                CRLEntry entry = CRLEntry.getInstance(next);
                Time unused = entry.getRevocationDate(); // checks its type
                Extensions extensions = entry.getExtensions();
                if (extensions != null) {
                    own = isOf(issuer, extensions, own);
                }
                if (own && reason(extensions) != CRLReason.removeFromCRL) {
                    if (count == entries.length) {
                        entries = Arrays.copyOf(entries, count * 2);
                    }
                    entries[count++] = hash(entry.getUserCertificate().getValue()) | place;
                }
                place = signed.length - behind - bytes.available();
            }
            long[] sorted = Arrays.copyOf(entries, count);
            Arrays.sort(sorted);
            return new Index(sorted);
        }

        private static boolean isOf(X500Principal issuer, Extensions extensions, boolean before) throws IOException {
            ASN1Encodable named = extensions.getExtensionParsedValue(Extension.certificateIssuer);
            if (named == null) {
                return before;
            }
            for (GeneralName name : GeneralNames.getInstance(named).getNames()) {
                if (name.getTagNo() == GeneralName.directoryName
                        && new X500Principal(name.getName().toASN1Primitive().getEncoded()).equals(issuer)) {
                    return true;
                }
            }
            return false;
        }

        /** Returns a hash in the upper half that spreads serial numbers, which may be random or count up. */
        static long hash(BigInteger serialNumber) {
            int hash = 1;
            for (byte each : serialNumber.toByteArray()) {
                hash = 31 * hash + each;
            }
            return (long) hash << Integer.SIZE;
        }

        Optional<CRLEntry> find(BigInteger serialNumber, byte[] signed) {
            long hash = hash(serialNumber);
            int found = Arrays.binarySearch(entries, hash);
            for (int i = found < 0 ? -found - 1 : found;
                    i < entries.length && entries[i] >> Integer.SIZE == hash >> Integer.SIZE;
                    i++) {
                CRLEntry entry = at(signed, (int) entries[i]);
                if (entry.getUserCertificate().hasValue(serialNumber)) {
                    return Optional.of(entry);
                }
            }
            return Optional.empty();
        }

        private static CRLEntry at(byte[] signed, int place) {
            try {
                return CRLEntry.getInstance(
                        new ASN1InputStream(new ByteArrayInputStream(signed, place, signed.length - place))
                                .readObject());
            } catch (IOException e) {
                throw new UncheckedIOException(e); // it was read before
            }
        }
    }

    /** Returns the reason of an entry as RFC 5280 section 5.3.1 numbers them, unspecified for none. */
    private static int reason(@Nullable Extensions ofEntry) {
        ASN1Encodable reason = ofEntry == null ? null : ofEntry.getExtensionParsedValue(Extension.reasonCode);
        return reason == null
                ? CRLReason.unspecified
                : ASN1Enumerated.getInstance(reason).intValueExact();
    }

    private static Instant time(Time time) {
        return time.getDate().toInstant();
    }

    X500Principal issuer() {
        return issuer;
    }

    Instant thisUpdate() {
        return thisUpdate;
    }

    /** Returns the time before which the issuer promises a newer list; empty if it promises none. */
    Optional<Instant> nextUpdate() {
        return Optional.ofNullable(nextUpdate);
    }

    /** Returns the number of entries that revoke a certificate of the list's issuer. */
    int size() {
        return index.entries().length;
    }

    /** Returns the time of the revocation of a serial number; empty if the list does not revoke it. */
    Optional<Instant> revocation(BigInteger serialNumber) {
        return index.find(serialNumber, signed).map(entry -> {
            try {
                return time(entry.getRevocationDate());
            } catch (RuntimeException malformed) {
                return thisUpdate; // the entry counts all the same
            }
        });
    }

    /**
     * Tells whether the list revokes a serial number for a reason that concerns the key: its loss, or none that says
     * that the key is still right.
     */
    boolean revokesKey(BigInteger serialNumber) {
        return index.find(serialNumber, signed)
                .map(entry -> concernsKey(reason(entry.getExtensions())))
                .orElse(false);
    }

    /** Tells whether a reason of RFC 5280 section 5.3.1 leaves no trust in the key. */
    static boolean concernsKey(int reason) {
        return switch (reason) {
            case CRLReason.affiliationChanged,
                    CRLReason.superseded,
                    CRLReason.cessationOfOperation,
                    CRLReason.certificateHold,
                    CRLReason.removeFromCRL,
                    CRLReason.privilegeWithdrawn -> false;
            default -> true;
        };
    }

    /**
     * Tells whether the absence of this certificate proves that it is not revoked: the list is complete, its signature
     * is strong, and it is the one that the certificate names.
     *
     * @param points the addresses of lists that the certificate names
     */
    boolean covers(X509Certificate certificate, Set<String> points) {
        return signature.isStrong() && scope.covers(certificate, points);
    }

    /** Tells whether a list of this scope has the certificate if it is revoked, whatever the signature is worth. */
    boolean isCompleteFor(Issued issued) {
        return scope.covers(
                issued.certificate(), RevocationPoints.of(issued.certificate()).listNames());
    }

    /** Tells whether this key signed the list, without a computation if it did before. */
    boolean isSignedBy(PublicKeyInfo key, X509Certificate owner) {
        if (isKnownBy(key)) {
            return true;
        }
        boolean signs = signature.isBy(owner.getPublicKey(), signed);
        if (signs) {
            signer = key;
        }
        return signs;
    }

    /** Tells whether the list proved before to have the signature of this key. */
    boolean isKnownBy(PublicKeyInfo key) {
        return Objects.equals(signer, key);
    }

    /** Returns the length of the encoded list in bytes. */
    int length() {
        return length;
    }

    /** Returns whether the two lists have the same bytes. */
    boolean hasBytesOf(RevocationList other) {
        return Arrays.equals(signed, other.signed) && Arrays.equals(signature.value(), other.signature.value());
    }
}
