/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.signetmq.envelope.internal.der.DerReader.INTEGER;
import static org.signetmq.envelope.internal.der.DerReader.OCTET_STRING;
import static org.signetmq.envelope.internal.der.DerReader.SEQUENCE;
import static org.signetmq.envelope.internal.der.DerReader.SET;
import static org.signetmq.envelope.internal.der.DerReader.constructed;
import static org.signetmq.envelope.internal.der.DerReader.primitive;
import static org.signetmq.envelope.internal.der.DerWriter.concat;
import static org.signetmq.envelope.internal.der.DerWriter.element;
import static org.signetmq.envelope.internal.der.DerWriter.oid;
import static org.signetmq.envelope.internal.der.DerWriter.sorted;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateEncodingException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.internal.cms.Oids;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.SignatureScheme;

/** Writes SignedData with a hash list, part by part, as an attacker or another writer does. All by docs/format.md. */
final class SharedForge {
    private static final byte[] VERSION_3 = {INTEGER, 1, 3};
    private static final byte[] SHA_512 = element(SEQUENCE, Oids.SHA_512);
    private static final byte[] ECDSA_SHA_512 = element(SEQUENCE, oid("1.2.840.10045.4.3.4"));
    private static final byte[] UTC_TIME = element(0x17, "261121120000Z".getBytes(UTF_8));

    private final Identity signer;

    /** The type of the content, and the value of the signed attribute content-type. */
    byte[] type = Oids.HASH_LIST;

    byte[] signedType = Oids.HASH_LIST;

    /** The content that the signature covers. */
    byte[] covered;

    /** The unsigned attributes; null for none. */
    byte @Nullable [] unsigned;

    /** The certificates in the message, as [0]; empty for none. */
    byte[] certificates = {};

    private @Nullable Signature signature;

    private record Signature(byte[] attributes, byte[] value) {}

    /** Writes an envelope with an entity that the list has. */
    SharedForge(Identity signer, byte[] entity, byte[]... otherHashes) {
        this.signer = signer;
        byte[][] hashes = new byte[otherHashes.length + 1][];
        System.arraycopy(otherHashes, 0, hashes, 0, otherHashes.length);
        hashes[otherHashes.length] = sha256(entity);
        this.covered = concat(sorted(hashes));
        this.unsigned = attributes(attribute(entity));
    }

    /** Returns the list with the hash of another entity in place of a hash. */
    static byte[] relisted(byte[] list, byte[] hash, byte[] entity) {
        byte[][] hashes = new byte[list.length / hash.length][];
        for (int i = 0; i < hashes.length; i++) {
            byte[] old = Arrays.copyOfRange(list, i * hash.length, (i + 1) * hash.length);
            hashes[i] = Arrays.equals(old, hash) ? sha256(entity) : old;
        }
        return concat(sorted(hashes));
    }

    static byte[] sha256(byte[] bytes) {
        return digest("SHA-256", bytes);
    }

    private static byte[] digest(String algorithm, byte[] bytes) {
        try {
            return MessageDigest.getInstance(algorithm).digest(bytes);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Returns an entity for an address. The number is its Message-ID. */
    static byte[] entity(String address, int number, String payload) {
        return ("Signet-Version: 1\r\nContent-Transfer-Encoding: binary\r\n"
                        + "Content-Type: text/plain; charset=utf-8\r\nMessage-ID: <%032x>\r\n".formatted(number)
                        + "Signet-Address: " + address + "\r\nSignet-Body: jms/text\r\n\r\n" + payload)
                .getBytes(UTF_8);
    }

    static byte[] attribute(byte[] entity) {
        return element(SEQUENCE, Oids.LISTED_ENTITY, element(SET, element(OCTET_STRING, entity)));
    }

    static byte[] attributes(byte[]... attributes) {
        return element(constructed(1), attributes);
    }

    SharedForge withCertificate() {
        try {
            certificates = element(constructed(0), signer.certificate().getEncoded());
        } catch (CertificateEncodingException impossible) {
            throw new IllegalStateException(impossible);
        }
        return this;
    }

    private Signature sign() {
        byte[] certificate;
        try {
            certificate = sha256(signer.certificate().getEncoded());
        } catch (CertificateEncodingException impossible) {
            throw new IllegalStateException(impossible);
        }
        byte[] certIds = element(SEQUENCE, element(SEQUENCE, element(OCTET_STRING, certificate)));
        byte[] attributes = element(
                SET,
                sorted(
                        element(SEQUENCE, Oids.CONTENT_TYPE, element(SET, signedType)),
                        element(SEQUENCE, Oids.SIGNING_TIME, element(SET, UTC_TIME)),
                        element(
                                SEQUENCE,
                                Oids.MESSAGE_DIGEST,
                                element(SET, element(OCTET_STRING, digest("SHA-512", covered)))),
                        element(SEQUENCE, Oids.SIGNING_CERTIFICATE_V2, element(SET, element(SEQUENCE, certIds)))));
        return new Signature(attributes, signer.privateKey().sign(SignatureScheme.ECDSA, "SHA-512", attributes));
    }

    /** Signs what the fields have now. Without this call, each envelope is signed anew. */
    SharedForge signed() {
        signature = sign();
        return this;
    }

    byte[] envelope() {
        Signature made = signature == null ? sign() : signature;
        byte[] signedAttributes = made.attributes().clone();
        signedAttributes[0] = (byte) constructed(0);
        byte[] info = element(
                SEQUENCE,
                VERSION_3,
                element(primitive(0), signer.keyIdentifier().bytes()),
                SHA_512,
                signedAttributes,
                ECDSA_SHA_512,
                element(OCTET_STRING, made.value()),
                unsigned == null ? new byte[0] : unsigned);
        byte[] data = element(
                SEQUENCE,
                VERSION_3,
                element(SET, SHA_512),
                element(SEQUENCE, type, element(constructed(0), element(OCTET_STRING, covered))),
                certificates,
                element(SET, info));
        return element(SEQUENCE, Oids.SIGNED_DATA, element(constructed(0), data));
    }
}
