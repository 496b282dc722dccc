/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.cms;

import static org.signetmq.envelope.internal.der.DerReader.INTEGER;
import static org.signetmq.envelope.internal.der.DerReader.SEQUENCE;
import static org.signetmq.envelope.internal.der.DerReader.constructed;
import static org.signetmq.envelope.internal.der.DerWriter.element;
import static org.signetmq.envelope.internal.der.DerWriter.oid;

import java.util.ArrayList;
import java.util.List;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.internal.der.DerReader;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.keystore.SignatureScheme;

/** Maps signature algorithms to their identifiers in CMS. */
public final class SignatureOids {
    /** An accepted AlgorithmIdentifier. */
    record Known(byte[] encoded, SignatureScheme scheme, String digest) {}

    private static final String OURS = "SHA-512";
    private static final List<Known> KNOWN = new ArrayList<>();

    static {
        known("SHA-256", Oids.SHA_256, "1.2.840.113549.1.1.11", "1.2.840.10045.4.3.2");
        known("SHA-384", Oids.SHA_384, "1.2.840.113549.1.1.12", "1.2.840.10045.4.3.3");
        known("SHA-512", Oids.SHA_512, "1.2.840.113549.1.1.13", "1.2.840.10045.4.3.4");
        KNOWN.add(new Known(element(SEQUENCE, oid("1.3.101.112")), SignatureScheme.ED25519, "SHA-512"));
        KNOWN.add(new Known(element(SEQUENCE, oid("2.16.840.1.101.3.4.3.18")), SignatureScheme.ML_DSA_65, "SHA-512"));
        KNOWN.add(new Known(element(SEQUENCE, oid("2.16.840.1.101.3.4.3.19")), SignatureScheme.ML_DSA_87, "SHA-512"));
    }

    private SignatureOids() {}

    private static void known(String digest, byte[] digestOid, String rsa, String ecdsa) {
        KNOWN.add(new Known(element(SEQUENCE, oid(rsa), Oids.NULL), SignatureScheme.RSA, digest));
        KNOWN.add(new Known(element(SEQUENCE, Oids.RSA_ENCRYPTION, Oids.NULL), SignatureScheme.RSA, digest));
        KNOWN.add(new Known(element(SEQUENCE, oid(ecdsa)), SignatureScheme.ECDSA, digest));
        KNOWN.add(new Known(pss(digestOid, digest, new byte[] {}), SignatureScheme.RSA_PSS, digest));
        KNOWN.add(new Known(pss(digestOid, digest, Oids.NULL), SignatureScheme.RSA_PSS, digest));
    }

    /** RSASSA-PSS-params (RFC 4055 section 3.1); the hash's parameters are absent or NULL. */
    private static byte[] pss(byte[] digestOid, String digest, byte[] hashParameters) {
        byte[] hash = element(SEQUENCE, digestOid, hashParameters);
        byte[] saltLength = {INTEGER, 1, (byte) (Integer.parseInt(digest.substring(4)) / Byte.SIZE)};
        byte[] parameters = element(
                SEQUENCE,
                element(constructed(0), hash),
                element(constructed(1), element(SEQUENCE, Oids.MGF1, hash)),
                element(constructed(2), saltLength));
        return element(SEQUENCE, oid("1.2.840.113549.1.1.10"), parameters);
    }

    /** Returns the AlgorithmIdentifier that Signet writes for a scheme with SHA-512. */
    public static byte[] of(SignatureScheme scheme) {
        return KNOWN.stream()
                .filter(known -> known.scheme() == scheme && known.digest().equals(OURS))
                .findFirst()
                .orElseThrow()
                .encoded();
    }

    /** Returns the scheme of an AlgorithmIdentifier that is used with this digest. */
    static SignatureScheme read(Slice encoded, String digest) {
        for (Known known : KNOWN) {
            if (known.digest().equals(digest) && encoded.contentEquals(known.encoded())) {
                return known.scheme();
            }
        }
        throw new MalformedEnvelopeException("envelope: unsupported signature algorithm");
    }

    /** Returns the digest of an AlgorithmIdentifier. Its parameters may be absent or NULL (RFC 5754 section 2). */
    static String readDigest(Slice encoded) {
        DerReader algorithm = new DerReader(encoded).enter(SEQUENCE);
        Slice oid = algorithm.element();
        if (algorithm.hasMore()) {
            algorithm.expect(Oids.NULL, "digest parameters");
            algorithm.end();
        }
        if (oid.contentEquals(Oids.SHA_512)) {
            return "SHA-512";
        }
        if (oid.contentEquals(Oids.SHA_384)) {
            return "SHA-384";
        }
        if (oid.contentEquals(Oids.SHA_256)) {
            return "SHA-256";
        }
        throw new MalformedEnvelopeException("envelope: unsupported digest algorithm; use SHA-512");
    }
}
