/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.crl;

import java.io.IOException;
import java.math.BigInteger;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.ASN1BitString;
import org.bouncycastle.asn1.ASN1Enumerated;
import org.bouncycastle.asn1.ASN1Primitive;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.Time;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PublicKeyInfo;

/**
 * One X.509 revocation list (RFC 5280 section 5). It keeps its bytes and eight bytes for each entry, and finds a serial
 * number by a binary search. A list of 100,000 entries takes about five megabytes. Thread-safe.
 */
public final class RevocationList {
    /** The greatest length of a list in bytes. */
    public static final int MOST_BYTES = 16 << 20;

    private final byte[] der;
    private final DerCursor.Element signed;
    private final StructureSignature signature;
    private final X500Principal issuer;
    private final Instant thisUpdate;
    private final @Nullable Instant nextUpdate;
    private final ListScope scope;

    /** For each entry the hash of its serial number, and below that the place of the entry. Sorted. */
    private final long[] index;

    /** The last key whose signature the list proved to have. */
    private volatile @Nullable PublicKeyInfo signer;

    private RevocationList(byte[] der) throws IOException {
        this.der = der;
        DerCursor file = new DerCursor(der);
        DerCursor list = file.inside(file.next(DerCursor.SEQUENCE));
        file.requireEnd();
        this.signed = list.next(DerCursor.SEQUENCE);
        byte[] algorithm = list.next(DerCursor.SEQUENCE).encoded(der);
        byte[] bits = list.next(DerCursor.BIT_STRING).encoded(der);
        list.requireEnd();
        this.signature = new StructureSignature(
                AlgorithmIdentifier.getInstance(algorithm),
                ASN1BitString.getInstance(bits).getOctets());
        DerCursor content = list.inside(signed);
        if (content.isNext(DerCursor.INTEGER)) {
            content.next();
        }
        DerCursor.require(
                Arrays.equals(algorithm, content.next(DerCursor.SEQUENCE).encoded(der)));
        this.issuer = new X500Principal(content.next(DerCursor.SEQUENCE).encoded(der));
        this.thisUpdate = time(content.next());
        this.nextUpdate = content.isNext(DerCursor.UTC_TIME) || content.isNext(DerCursor.GENERALIZED_TIME)
                ? time(content.next())
                : null;
        this.index = content.isNext(DerCursor.SEQUENCE) ? index(content.inside(content.next())) : new long[0];
        Extensions extensions = null;
        if (content.isNext(DerCursor.EXPLICIT_0)) {
            DerCursor wrapped = content.inside(content.next());
            extensions = Extensions.getInstance(wrapped.next(DerCursor.SEQUENCE).encoded(der));
            wrapped.requireEnd();
        }
        content.requireEnd();
        this.scope = ListScope.of(extensions);
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
        } catch (IOException | RuntimeException malformed) { // the parsers throw many exceptions
            throw new KeystoreUnusableException("not a revocation list in DER", malformed);
        }
    }

    private long[] index(DerCursor entries) {
        long[] places = new long[64];
        int count = 0;
        boolean own = true; // an indirect list names the issuer of an entry and of those behind it
        while (entries.hasNext()) {
            DerCursor.Element entry = entries.next(DerCursor.SEQUENCE);
            DerCursor parts = entries.inside(entry);
            DerCursor.Element serial = parts.next(DerCursor.INTEGER);
            DerCursor.require(serial.end() > serial.content() && parts.next().isTime());
            boolean removed = false;
            if (parts.hasNext()) {
                Extensions extensions =
                        Extensions.getInstance(parts.next(DerCursor.SEQUENCE).encoded(der));
                own = isOwn(extensions, own);
                removed = isRemoval(extensions);
            }
            parts.requireEnd();
            if (own && !removed) {
                if (count == places.length) {
                    places = Arrays.copyOf(places, count * 2);
                }
                int hash = hash(der, minimal(serial), serial.end());
                places[count++] = (long) hash << Integer.SIZE | entry.start();
            }
        }
        long[] sorted = Arrays.copyOf(places, count);
        Arrays.sort(sorted);
        return sorted;
    }

    private boolean isOwn(Extensions extensions, boolean before) {
        Extension named = extensions.getExtension(Extension.certificateIssuer);
        if (named == null) {
            return before;
        }
        try {
            for (GeneralName name :
                    GeneralNames.getInstance(named.getParsedValue()).getNames()) {
                if (name.getTagNo() == GeneralName.directoryName
                        && new X500Principal(name.getName().toASN1Primitive().getEncoded()).equals(issuer)) {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            throw new IllegalArgumentException("certificate issuer: malformed", e);
        }
    }

    private static boolean isRemoval(Extensions extensions) {
        Extension reason = extensions.getExtension(Extension.reasonCode);
        return reason != null
                && ASN1Enumerated.getInstance(reason.getParsedValue()).intValueExact() == CRLReason.removeFromCRL;
    }

    private Instant time(DerCursor.Element element) throws IOException {
        DerCursor.require(element.isTime());
        return Time.getInstance(ASN1Primitive.fromByteArray(element.encoded(der)))
                .getDate()
                .toInstant();
    }

    /** Returns the place of an integer's content without superfluous zeros, which some issuers write. */
    private int minimal(DerCursor.Element integer) {
        int at = integer.content();
        while (at < integer.end() - 1 && der[at] == 0 && der[at + 1] >= 0) {
            at++;
        }
        return at;
    }

    /** Returns a hash that spreads serial numbers, which may be random or count up. */
    private static int hash(byte[] bytes, int from, int to) {
        int hash = 1;
        for (int i = from; i < to; i++) {
            hash = 31 * hash + bytes[i];
        }
        return hash;
    }

    public X500Principal issuer() {
        return issuer;
    }

    public Instant thisUpdate() {
        return thisUpdate;
    }

    /** Returns the time before which the issuer promises a newer list; empty if it promises none. */
    public Optional<Instant> nextUpdate() {
        return Optional.ofNullable(nextUpdate);
    }

    /** Returns the number of entries that revoke a certificate of the list's issuer. */
    public int size() {
        return index.length;
    }

    /** Returns the time of the revocation of a serial number; empty if the list does not revoke it. */
    public Optional<Instant> revocation(BigInteger serialNumber) {
        return entry(serialNumber).map(entry -> {
            entry.next();
            return revocationTime(entry.next());
        });
    }

    /**
     * Tells whether the list revokes a serial number for a reason that concerns the key: its loss, or none that says
     * that the key is still right.
     */
    public boolean revokesKey(BigInteger serialNumber) {
        return entry(serialNumber).map(this::concernsKey).orElse(false);
    }

    private boolean concernsKey(DerCursor entry) {
        entry.next();
        entry.next();
        if (!entry.hasNext()) {
            return true;
        }
        try {
            Extension reason = Extensions.getInstance(
                            entry.next(DerCursor.SEQUENCE).encoded(der))
                    .getExtension(Extension.reasonCode);
            return reason == null
                    || concernsKey(
                            ASN1Enumerated.getInstance(reason.getParsedValue()).intValueExact());
        } catch (RuntimeException malformed) {
            return true;
        }
    }

    /** Tells whether a reason of RFC 5280 section 5.3.1 leaves no trust in the key. */
    public static boolean concernsKey(int reason) {
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

    /** Returns the inside of the entry of a serial number; empty if there is none. */
    private Optional<DerCursor> entry(BigInteger serialNumber) {
        byte[] wanted = serialNumber.toByteArray();
        long hash = (long) hash(wanted, 0, wanted.length) << Integer.SIZE;
        int found = Arrays.binarySearch(index, hash);
        for (int i = found < 0 ? -found - 1 : found;
                i < index.length && index[i] >> Integer.SIZE == hash >> Integer.SIZE;
                i++) {
            DerCursor place = new DerCursor(der, (int) index[i]);
            DerCursor.Element whole = place.next();
            DerCursor.Element serial = place.inside(whole).next();
            if (Arrays.equals(der, minimal(serial), serial.end(), wanted, 0, wanted.length)) {
                return Optional.of(place.inside(whole));
            }
        }
        return Optional.empty();
    }

    private Instant revocationTime(DerCursor.Element element) {
        try {
            return time(element);
        } catch (IOException | RuntimeException malformed) {
            return thisUpdate; // the entry counts all the same
        }
    }

    /**
     * Tells whether the absence of this certificate proves that it is not revoked: the list is complete, its signature
     * is strong, and it is the one that the certificate names.
     *
     * @param points the addresses of lists that the certificate names
     */
    boolean covers(X509Certificate certificate, Set<String> points) {
        return signature.isStrong() && isCompleteFor(certificate, points);
    }

    /** Tells whether a list of this scope has the certificate if it is revoked, whatever the signature is worth. */
    public boolean isCompleteFor(X509Certificate certificate, Set<String> points) {
        return scope.covers(certificate, points);
    }

    /** Tells whether this key signed the list, without a computation if it did before. */
    public boolean isSignedBy(PublicKeyInfo key, X509Certificate owner) {
        if (isKnownBy(key)) {
            return true;
        }
        boolean signs = signature.isBy(owner.getPublicKey(), der, signed.start(), signed.end() - signed.start());
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
    public int length() {
        return der.length;
    }

    /** Returns whether the two lists have the same bytes. */
    public boolean hasBytesOf(RevocationList other) {
        return Arrays.equals(der, other.der);
    }
}
