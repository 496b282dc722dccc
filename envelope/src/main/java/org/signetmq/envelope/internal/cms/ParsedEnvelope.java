/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.cms;

import static org.signetmq.envelope.internal.der.DerReader.OCTET_STRING;
import static org.signetmq.envelope.internal.der.DerReader.SEQUENCE;
import static org.signetmq.envelope.internal.der.DerReader.SET;
import static org.signetmq.envelope.internal.der.DerReader.constructed;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.ResolverStyle;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.internal.der.DerReader;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.format.Limits;
import org.signetmq.envelope.internal.format.Malformed;
import org.signetmq.keystore.SignatureScheme;

/** A parsed envelope, not verified. */
public sealed interface ParsedEnvelope {
    /**
     * SignedData.
     *
     * @param content the entity
     * @param list the list that the signature covers in place of the entity; null if each message has its own signature
     * @param certificates the encoded certificates
     * @param signer the only signer, or the one with the classical key
     * @param postQuantum the signer with an ML-DSA key beside the other one; null if there is one signer
     */
    record Signed(
            Slice content,
            @Nullable HashList list,
            List<Slice> certificates,
            Signer signer,
            @Nullable Signer postQuantum)
            implements ParsedEnvelope {
        /** The content that the signature covers. */
        public Slice covered() {
            return list == null ? content : list.encoded();
        }
    }

    /**
     * SignerInfo.
     *
     * @param digest SHA-256, SHA-384 or SHA-512
     * @param attributes the signed attributes, in the encoding that is signed
     */
    record Signer(PartyIdentifier identifier, String digest, SignedAttributes attributes, Signature signature) {
        boolean isPostQuantum() {
            return signature.scheme().isMlDsa();
        }
    }

    /** A signature. */
    record Signature(SignatureScheme scheme, byte[] value) {}

    /**
     * AuthEnvelopedData.
     *
     * @param recipientInfos the content of their SET
     * @param recipients the same, parsed; of known ones, only those under old algorithms
     * @param known the source of the parsed ones; null if they were parsed now
     */
    record Encrypted(
            Slice recipientInfos,
            List<RecipientInfo> recipients,
            RecipientInfoCache.@Nullable Known known,
            Content content)
            implements ParsedEnvelope {
        /** Returns the key by which the sender claims to have agreed on the data key; null if there is none. */
        public @Nullable SenderKey sender() {
            return known == null ? SenderKey.claimed(recipients) : known.sender();
        }

        /** Returns the same envelope with all its recipient infos, parsed now. */
        public Encrypted withAllRecipients() {
            return new Encrypted(recipientInfos, RecipientInfoParser.all(recipientInfos), null, content);
        }
    }

    /** The input of AES-GCM: a nonce of 12 bytes, the ciphertext without tag, and a tag of 16 bytes. */
    record Content(Slice nonce, Slice ciphertext, Slice tag) {}

    /**
     * The signed attributes of a signature (RFC 5652 section 11).
     *
     * @param encoded the attributes as SET OF, which the signature covers
     * @param messageDigest the digest of the content
     * @param certificateHash SHA-256 of the signer's certificate, or null if the attributes have none
     */
    record SignedAttributes(byte[] encoded, byte[] messageDigest, byte @Nullable [] certificateHash) {
        private static final int UTC_TIME = 0x17;
        private static final int GENERALIZED_TIME = 0x18;
        private static final DateTimeFormatter TIME =
                DateTimeFormatter.ofPattern("uuuuMMddHHmmss'Z'").withResolverStyle(ResolverStyle.STRICT);

        /**
         * Returns the signing time in seconds since 1970; empty if no attribute states it.
         *
         * @throws MalformedEnvelopeException if the attribute states no time
         */
        public OptionalLong signingTime() {
            DerReader attributes = new DerReader(Slice.of(encoded)).enter(SET);
            while (attributes.hasMore()) {
                DerReader attribute = attributes.enter(SEQUENCE);
                if (attribute.element().contentEquals(Oids.SIGNING_TIME)) {
                    DerReader values = attribute.enter(SET);
                    OptionalLong time = OptionalLong.of(time(values));
                    values.end();
                    return time;
                }
            }
            return OptionalLong.empty();
        }

        /** Reads a time of two digits of the year, from 1950 to 2049, or of four (RFC 5652 section 11.3). */
        private static long time(DerReader values) {
            boolean late = values.nextIs(GENERALIZED_TIME);
            Slice content = values.content(late ? GENERALIZED_TIME : UTC_TIME);
            String text = new String(content.copy(), StandardCharsets.US_ASCII);
            try {
                String century = late ? "" : text.compareTo("50") < 0 ? "20" : "19";
                return LocalDateTime.parse(century + text, TIME).toEpochSecond(ZoneOffset.UTC);
            } catch (DateTimeException other) {
                throw new MalformedEnvelopeException("envelope: its signing time is not a time in UTC");
            }
        }

        /** Reads the signed attributes of content of this type. */
        static SignedAttributes read(Slice element, byte[] contentType) {
            Malformed.when(
                    (element.array()[element.offset()] & 0xFF) != constructed(0), "envelope: no signed attributes");
            Limits.require(element.length(), Limits.SIGNED_ATTRIBUTES_BYTES, "signed attributes");
            byte[] encoded = element.copy();
            encoded[0] = SET;
            DerReader attributes = new DerReader(Slice.of(encoded)).enter(SET);
            List<Slice> seen = new ArrayList<>();
            byte[] digest = null;
            byte[] hash = null;
            boolean typed = false;
            while (attributes.hasMore()) {
                DerReader attribute = attributes.enter(SEQUENCE);
                Slice type = attribute.element();
                rejectSecond(seen, type);
                DerReader values = attribute.enter(SET);
                attribute.end();
                if (type.contentEquals(Oids.CONTENT_TYPE)) {
                    values.expect(contentType, "content type");
                    values.end();
                    typed = true;
                } else if (type.contentEquals(Oids.MESSAGE_DIGEST)) {
                    digest = values.content(OCTET_STRING).copy();
                    values.end();
                } else if (type.contentEquals(Oids.SIGNING_CERTIFICATE_V2)) {
                    hash = certificateHash(values);
                }
            }
            if (!typed || digest == null) {
                throw new MalformedEnvelopeException("envelope: signed attributes without content type or digest");
            }
            return new SignedAttributes(encoded, digest, hash);
        }

        private static void rejectSecond(List<Slice> seen, Slice type) {
            Malformed.when(
                    seen.size() == Limits.SIGNED_ATTRIBUTES,
                    "envelope: more than " + Limits.SIGNED_ATTRIBUTES + " signed attributes");
            for (Slice earlier : seen) {
                Malformed.when(type.contentEquals(earlier), "envelope: a signed attribute is repeated");
            }
            seen.add(type);
        }

        /** Returns the SHA-256 of the first certificate in signing-certificate-v2 (RFC 5035), or null for others. */
        private static byte @Nullable [] certificateHash(DerReader values) {
            DerReader signing = values.enter(SEQUENCE);
            values.end(); // another value could name another certificate
            DerReader first = signing.enter(SEQUENCE).enter(SEQUENCE);
            if (first.nextIs(SEQUENCE)) {
                Slice algorithm = first.element(); // some software writes the default, SHA-256
                if (!SignatureOids.readDigest(algorithm).equals("SHA-256")) {
                    return null;
                }
            }
            return first.content(OCTET_STRING).copy();
        }
    }
}
