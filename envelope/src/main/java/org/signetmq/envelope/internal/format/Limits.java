/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.format;

import org.signetmq.envelope.exception.MalformedEnvelopeException;

/** The limits on data of a sender, as in {@code docs/format.md}. Comments name the enforcing classes. */
public final class Limits {
    /** Private-key operations for one message, and again for each full segment: {@code OperationBudget}. */
    public static final int PRIVATE_KEY_OPERATIONS = 2;

    /** Data keys that may fail to unwrap for one key of the reader: {@code DataKeyFinder}. */
    public static final int TRIES_PER_KEY = 2;

    /**
     * Signatures of content that are verified for one message, and again for each full segment:
     * {@code OperationBudget}. Certificates have their own budget of five.
     */
    public static final int SIGNATURES = 3;

    /** Recipients of an envelope, each wrapped key and each recipient info counted: {@code RecipientInfoParser}. */
    public static final int RECIPIENTS = 1000;

    /** Recipients beside those of the policy, where it allows some: {@code EnvelopeCheck}. */
    public static final int EXTRA_RECIPIENTS = 64;

    /** Bytes of a wrapped data key, that of an RSA key of 8,192 bits: {@code RecipientInfoParser}. */
    public static final int WRAPPED_KEY = 1024;

    /** Bytes of the user keying material of a key agreement: {@code RecipientInfoParser}. */
    public static final int USER_KEYING_MATERIAL = 64;

    /** Bytes of an ephemeral public key with its algorithm: {@code RecipientInfoParser}. */
    public static final int ORIGINATOR_KEY = 256;

    /** Bytes of an encapsulated secret, that of ML-KEM-1024: {@code RecipientInfoParser}. */
    public static final int ENCAPSULATION = 1568;

    /** Bytes of a subject key identifier: {@code PartyIdentifier}. */
    public static final int KEY_IDENTIFIER = 64;

    /** Bytes of the name of an issuer: {@code PartyIdentifier}. */
    public static final int ISSUER = 4096;

    /** Bytes of a serial number: {@code PartyIdentifier}. */
    public static final int SERIAL_NUMBER = 32;

    /** Certificates in a message, the signer's among them: {@code EnvelopeParser}. */
    public static final int CERTIFICATES = 5;

    /** Bytes of a certificate, with all of its extensions: {@code EnvelopeParser}. */
    public static final int CERTIFICATE = 8192;

    /** Elements of a certificate, those of its extensions included: {@code SignerCertificates}. */
    public static final int CERTIFICATE_ELEMENTS = 512;

    /** Elements inside each other in a certificate: {@code SignerCertificates}. */
    public static final int CERTIFICATE_DEPTH = 24;

    /** Attributes of all names in a certificate: {@code SignerCertificates}. */
    public static final int CERTIFICATE_ATTRIBUTES = 24;

    /** Signed attributes: {@code ParsedEnvelope}. */
    public static final int SIGNED_ATTRIBUTES = 16;

    /** Bytes of all signed attributes: {@code ParsedEnvelope}. */
    public static final int SIGNED_ATTRIBUTES_BYTES = 16_384;

    /** Bytes of a signature, that of an ML-DSA-87 key: {@code EnvelopeParser}. */
    public static final int SIGNATURE = 4627;

    /** Signers of an envelope, where the policy requires both kinds of keys; one elsewhere: {@code EnvelopeParser}. */
    public static final int SIGNERS = 2;

    /** Hashes in the list of a shared signature: {@code HashList}. A writer writes at most half as many. */
    public static final int LISTED_HASHES = 32;

    /** Shared signatures that an opener or a check remembers, each by a digest: {@code SignatureVerifier}. */
    public static final int SHARED_SIGNATURES_KEPT = 4096;

    /** Elements inside each other where an envelope is not DER: {@code BerTranscoder}. */
    public static final int DEPTH = 32;

    /** Elements of an envelope that is not DER: {@code BerTranscoder}. */
    public static final int ELEMENTS = 100_000;

    /** Bytes of a set with elements in another order than that of DER: {@code BerTranscoder}. */
    public static final int UNSORTED_SET = 65_536;

    /** Bytes of the ciphertext of an encrypted segment, its header and signature included: {@code EnvelopeChain}. */
    public static final int ENCRYPTED_SEGMENT = 1_179_648;

    /** Bytes of a header: {@code EntityReader}. */
    static final int HEADER = HeaderName.MOST_HEADER_BYTES;

    /** Lines of a header: {@code EntityReader}. */
    public static final int HEADER_LINES = 128;

    /** Sets with elements in another order than that of DER: {@code BerTranscoder}. */
    public static final int UNSORTED_SETS = 16;

    /** Segments that are not full, and again behind each full one: {@code SegmentSequence}. */
    public static final int SHORT_SEGMENTS = 16;

    /** Bytes of the recipient infos of a message, to compare with those of later ones: {@code RecipientInfoCache}. */
    public static final int KNOWN_RECIPIENTS = 8192;

    /** Bytes of all recipient infos that an opener compares with later ones: {@code RecipientInfoCache}. */
    public static final int ALL_KNOWN_RECIPIENTS = 2_097_152;

    /** Data keys, and agreed keys, that an opener remembers, each by a digest: {@code DataKeyFinder}. */
    public static final int KEYS_KEPT = 10_000;

    /** Bytes of all certificates of signers that an opener or a check remembers: {@code SignerCertificates}. */
    public static final int CERTIFICATES_KEPT = 1 << 20;

    private Limits() {}

    /** Rejects a length in bytes beyond its limit. */
    public static void require(int length, int most, String what) {
        require(length, most, what, "bytes");
    }

    /** Rejects a count of this unit beyond its limit. */
    public static void require(int count, int most, String what, String unit) {
        if (count > most) {
            throw new MalformedEnvelopeException(
                    "envelope: " + what + " of more than " + most + " " + unit + "; docs/format.md lists the limits");
        }
    }
}
