/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.cms;

import static org.signetmq.envelope.internal.der.DerReader.SEQUENCE;
import static org.signetmq.envelope.internal.der.DerReader.constructed;
import static org.signetmq.envelope.internal.der.DerWriter.element;
import static org.signetmq.envelope.internal.der.DerWriter.oid;

/** The object identifiers of the format, encoded. */
public final class Oids {
    public static final byte[] DATA = oid("1.2.840.113549.1.7.1");
    public static final byte[] SIGNED_DATA = oid("1.2.840.113549.1.7.2");
    public static final byte[] AUTH_ENVELOPED_DATA = oid("1.2.840.113549.1.9.16.1.23");

    static final byte[] AES_256_GCM = oid("2.16.840.1.101.3.4.1.46");
    /** AlgorithmIdentifier of AES-256 key wrap, without parameters (RFC 3565 section 2.3.2). */
    public static final byte[] AES_256_WRAP = element(SEQUENCE, oid("2.16.840.1.101.3.4.1.45"));

    public static final byte[] EC_PUBLIC_KEY = oid("1.2.840.10045.2.1");
    /** AlgorithmIdentifier of an EC key, without its curve. */
    public static final byte[] EC_WITHOUT_CURVE = element(SEQUENCE, EC_PUBLIC_KEY);

    public static final byte[] RSA_ENCRYPTION = oid("1.2.840.113549.1.1.1");
    static final byte[] RSA_OAEP = oid("1.2.840.113549.1.1.7");
    static final byte[] MGF1 = oid("1.2.840.113549.1.1.8");

    static final byte[] ECDH_SHA1_KDF = oid("1.3.133.16.840.63.0.2");
    public static final byte[] ECDH_SHA256_KDF = oid("1.3.132.1.11.1");
    static final byte[] ECDH_SHA384_KDF = oid("1.3.132.1.11.2");
    static final byte[] ECDH_SHA512_KDF = oid("1.3.132.1.11.3");

    /** The type of a KEMRecipientInfo (RFC 9629 section 3). */
    public static final byte[] KEM_RECIPIENT = oid("1.2.840.113549.1.9.16.13.3");

    /** AlgorithmIdentifiers without parameters: of ML-KEM (RFC 9936) and of HKDF with SHA-256 (RFC 8619). */
    public static final byte[] ML_KEM_768 = element(SEQUENCE, oid("2.16.840.1.101.3.4.4.2"));

    public static final byte[] ML_KEM_1024 = element(SEQUENCE, oid("2.16.840.1.101.3.4.4.3"));
    public static final byte[] HKDF_SHA_256 = element(SEQUENCE, oid("1.2.840.113549.1.9.16.3.28"));

    static final byte[] SHA_256 = oid("2.16.840.1.101.3.4.2.1");
    static final byte[] SHA_384 = oid("2.16.840.1.101.3.4.2.2");
    public static final byte[] SHA_512 = oid("2.16.840.1.101.3.4.2.3");

    public static final byte[] CONTENT_TYPE = oid("1.2.840.113549.1.9.3");
    public static final byte[] MESSAGE_DIGEST = oid("1.2.840.113549.1.9.4");
    public static final byte[] SIGNING_TIME = oid("1.2.840.113549.1.9.5");
    public static final byte[] SIGNING_CERTIFICATE_V2 = oid("1.2.840.113549.1.9.16.2.47");

    /** The arc of Signet's own identifiers: a random number (X.667). */
    private static final String SIGNET = "2.25.177231365199886292004068602655294470755";

    /** The content type of a {@link HashList}. */
    public static final byte[] HASH_LIST = oid(SIGNET + ".1");
    /** The unsigned attribute with the entity that a {@link HashList} covers. */
    public static final byte[] LISTED_ENTITY = oid(SIGNET + ".2");

    public static final byte[] NULL = element(0x05);

    /** RSAES-OAEP as Signet and OpenSSL write it: the hash without parameters (RFC 5754 section 2). */
    public static final byte[] OAEP_SHA_256 = oaep(new byte[0]);

    static final byte[] SHA_1 = oid("1.3.14.3.2.26");

    /** The label of OAEP, as a value (RFC 4055 section 4.1). */
    static final byte[] P_SPECIFIED = oid("1.2.840.113549.1.1.9");

    /** RSAES-OAEP as other software writes it: the hash with NULL (RFC 4055 section 2.1). */
    static final byte[] OAEP_SHA_256_NULL = oaep(NULL);

    private Oids() {}

    /** RSAES-OAEP-params (RFC 4055 section 4.1): SHA-256 for both hash and mask, no label. */
    private static byte[] oaep(byte[] hashParameters) {
        byte[] hash = element(SEQUENCE, SHA_256, hashParameters);
        byte[] mask = element(SEQUENCE, MGF1, hash);
        byte[] parameters = element(SEQUENCE, element(constructed(0), hash), element(constructed(1), mask));
        return element(SEQUENCE, RSA_OAEP, parameters);
    }
}
