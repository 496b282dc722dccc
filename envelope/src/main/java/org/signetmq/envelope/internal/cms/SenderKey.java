/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.cms;

import static org.signetmq.envelope.internal.der.DerReader.OCTET_STRING;
import static org.signetmq.envelope.internal.der.DerReader.constructed;
import static org.signetmq.envelope.internal.der.DerWriter.element;

import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.util.Arrays;
import java.util.List;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.internal.der.DerWriter;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.keys.KeyEncryptionKey.KeyDerivation;

/**
 * The certified EC key by which a sender agreed on data keys (RFC 6278). An envelope claims it. A recipient that
 * unwraps the data key has the proof. Immutable.
 *
 * <p>The secret of two static keys is the same in both directions. So the user keying material, which goes into each
 * key-encryption key, names the originator: 16 random bytes, and 16 of a digest of these and the originator's point. An
 * envelope whose originator was exchanged for its recipient does not unwrap.
 */
public final class SenderKey {
    /** The random part of user keying material, in bytes. */
    public static final int RANDOM_BYTES = 16;

    private static final int MATERIAL_BYTES = 32;
    private static final byte[] PURPOSE = "Signet originator".getBytes(StandardCharsets.US_ASCII);

    private static final DigestPool DIGESTS = new DigestPool();

    private final byte[] point;
    private final int hash;

    private SenderKey(byte[] point) {
        this.point = point;
        this.hash = Arrays.hashCode(point);
    }

    /** Returns the key of a certificate, which must be an EC key. */
    public static SenderKey of(X509Certificate certificate) {
        return new SenderKey(pointOf(certificate));
    }

    private static byte[] pointOf(X509Certificate certificate) {
        return SubjectPublicKeyInfo.getInstance(certificate.getPublicKey().getEncoded())
                .getPublicKeyData()
                .getBytes();
    }

    /**
     * Returns the key that an envelope claims for its sender. All recipients see the same sender: there is one
     * recipient info, with user keying material for its originator.
     *
     * @return null if the envelope claims none
     */
    static @Nullable SenderKey claimed(List<RecipientInfo> recipients) {
        if (recipients.size() != 1
                || !(recipients.get(0) instanceof RecipientInfo.Agreement agreement)
                || agreement.kdf() == KeyDerivation.SHA_1) {
            return null;
        }
        return named(agreement.originator().point().copy(), agreement.userKeyingMaterial());
    }

    /**
     * Returns the originator key if the user keying material names it; null if not.
     *
     * @param bits the content of the BIT STRING of the originator key
     */
    public static @Nullable SenderKey named(byte[] bits, byte[] material) {
        if (bits.length == 0 || material.length != MATERIAL_BYTES) {
            return null;
        }
        byte[] point = Arrays.copyOfRange(bits, 1, bits.length); // behind the number of unused bits
        return Arrays.equals(material(material, point), material) ? new SenderKey(point) : null;
    }

    /** Returns user keying material for this originator. Its first 16 bytes are those of the array. */
    public byte[] material(byte[] random) {
        return material(random, point);
    }

    private static byte[] material(byte[] random, byte[] point) {
        byte[] chosen = Arrays.copyOf(random, RANDOM_BYTES);
        byte[] digest = DIGESTS.of("SHA-256", Slice.of(DerWriter.concat(PURPOSE, chosen, point)));
        return DerWriter.concat(chosen, Arrays.copyOf(digest, MATERIAL_BYTES - RANDOM_BYTES));
    }

    /** Encodes the field {@code ukm} of a KeyAgreeRecipientInfo. */
    public static byte[] field(byte[] material) {
        return material.length == 0 ? material : element(constructed(1), element(OCTET_STRING, material));
    }

    /** Tells whether a certificate has this key. */
    public boolean isOf(X509Certificate certificate) {
        return certificate.getPublicKey() instanceof ECPublicKey && Arrays.equals(point, pointOf(certificate));
    }

    /** Returns the selector of certificates with this key. */
    public String selector() {
        return "ski:" + KeyIdentifier.ofKeyBits(point);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other || (other instanceof SenderKey that && Arrays.equals(point, that.point));
    }

    @Override
    public int hashCode() {
        return hash;
    }

    /** Returns the selector, which names the key and proves nothing. */
    @Override
    public String toString() {
        return selector();
    }
}
