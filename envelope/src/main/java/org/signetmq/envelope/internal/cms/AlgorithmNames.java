/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.cms;

import java.util.Map;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.internal.der.DerReader;
import org.signetmq.envelope.internal.der.Slice;

/** Names the algorithms of other software that Signet does not use, for the texts of rejections. */
final class AlgorithmNames {
    private static final String SHA_1 = "SHA-1";
    private static final int LONGEST = 64; // bytes of an identifier

    private static final Map<String, String> NAMES = Map.ofEntries(
            Map.entry("1.3.14.3.2.7", "DES-CBC"),
            Map.entry("1.2.840.113549.3.2", "RC2-CBC"),
            Map.entry("1.2.840.113549.3.7", "3DES-CBC"),
            Map.entry("2.16.840.1.101.3.4.1.2", "AES-128-CBC"),
            Map.entry("2.16.840.1.101.3.4.1.22", "AES-192-CBC"),
            Map.entry("2.16.840.1.101.3.4.1.42", "AES-256-CBC"),
            Map.entry("2.16.840.1.101.3.4.1.6", "AES-128-GCM"),
            Map.entry("2.16.840.1.101.3.4.1.26", "AES-192-GCM"),
            Map.entry("2.16.840.1.101.3.4.1.7", "AES-128-CCM"),
            Map.entry("2.16.840.1.101.3.4.1.27", "AES-192-CCM"),
            Map.entry("2.16.840.1.101.3.4.1.47", "AES-256-CCM"),
            Map.entry("1.2.840.113549.1.9.16.3.18", "ChaCha20-Poly1305"),
            Map.entry("2.16.840.1.101.3.4.1.5", "AES-128 key wrap"),
            Map.entry("2.16.840.1.101.3.4.1.25", "AES-192 key wrap"),
            Map.entry("2.16.840.1.101.3.4.1.45", "AES-256 key wrap"),
            Map.entry("1.2.840.113549.1.9.16.3.28", "HKDF with SHA-256"),
            Map.entry("1.2.840.113549.1.9.16.3.29", "HKDF with SHA-384"),
            Map.entry("1.2.840.113549.1.9.16.3.30", "HKDF with SHA-512"),
            Map.entry("1.2.840.113549.1.9.16.3.6", "3DES key wrap"),
            Map.entry("1.2.840.113549.1.1.1", "RSA PKCS#1 v1.5"),
            Map.entry("1.3.132.1.11.0", "key derivation with SHA-224"),
            Map.entry("1.3.14.3.2.26", SHA_1),
            Map.entry("2.16.840.1.101.3.4.2.4", "SHA-224"),
            Map.entry("2.16.840.1.101.3.4.2.1", "SHA-256"),
            Map.entry("2.16.840.1.101.3.4.2.2", "SHA-384"),
            Map.entry("2.16.840.1.101.3.4.2.3", "SHA-512"));

    private AlgorithmNames() {}

    /** Returns the name of an algorithm, or its identifier in digits. */
    static String of(Slice identifier) {
        if (identifier.length() > LONGEST) {
            return "an unknown algorithm";
        }
        try {
            String id = ASN1ObjectIdentifier.getInstance(identifier.copy()).getId();
            return NAMES.getOrDefault(id, "the algorithm " + id);
        } catch (IllegalArgumentException notAnIdentifier) {
            return "an unknown algorithm";
        }
    }

    /**
     * Returns words for RSAES-OAEP (RFC 4055 section 4.1), where an absent part means SHA-1, or no label.
     *
     * @param algorithm the parameters, behind the identifier
     * @throws MalformedEnvelopeException if they are none of OAEP
     */
    static String oaep(DerReader algorithm) {
        String digest = SHA_1;
        String mask = SHA_1;
        boolean hasLabel = false;
        if (algorithm.hasMore()) {
            DerReader parameters = algorithm.enter(DerReader.SEQUENCE);
            algorithm.end();
            if (parameters.nextIs(DerReader.constructed(0))) {
                digest = digest(parameters.enter(DerReader.constructed(0)));
            }
            if (parameters.nextIs(DerReader.constructed(1))) {
                DerReader function = parameters.enter(DerReader.constructed(1)).enter(DerReader.SEQUENCE);
                function.expect(Oids.MGF1, "mask of RSA OAEP");
                mask = digest(function);
            }
            if (parameters.hasMore()) {
                DerReader source = parameters.enter(DerReader.constructed(2)).enter(DerReader.SEQUENCE);
                hasLabel = source.element().length() == 0
                        || source.content(DerReader.OCTET_STRING).length() > 0;
            }
            parameters.end();
        }
        return "RSA OAEP with " + digest + (mask.equals(digest) ? "" : " and MGF1 with " + mask)
                + (hasLabel ? " and a label" : "");
    }

    private static String digest(DerReader reader) {
        return of(reader.enter(DerReader.SEQUENCE).element());
    }
}
