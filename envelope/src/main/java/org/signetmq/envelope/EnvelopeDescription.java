/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.io.IOException;
import java.io.InputStream;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.internal.cms.ContentInfoHead;
import org.signetmq.envelope.internal.cms.EnvelopeParser;
import org.signetmq.envelope.internal.cms.EnvelopeSplitter;
import org.signetmq.envelope.internal.cms.HashList;
import org.signetmq.envelope.internal.cms.ParsedEnvelope;
import org.signetmq.envelope.internal.cms.RecipientInfo;
import org.signetmq.envelope.internal.cms.SenderKey;
import org.signetmq.envelope.internal.der.OutputBuffer;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.keystore.SignatureScheme;
import org.signetmq.keystore.keys.CryptoProviders;

/**
 * The visible properties of an envelope, without any key and without verification.
 *
 * @param structure {@code SignedData} or {@code AuthEnvelopedData}
 * @param contentAlgorithm {@code AES-256-GCM}, or null if not encrypted
 * @param recipients the recipients of the data key
 * @param signature the signature, or null if none is visible
 * @param sender the key by which the sender claims to have agreed on the data key, {@code ski:HEX}, or null
 * @param length the length of the envelope in bytes
 */
public record EnvelopeDescription(
        String structure,
        @Nullable String contentAlgorithm,
        List<RecipientDescription> recipients,
        @Nullable SignatureDescription signature,
        @Nullable String sender,
        long length) {

    /**
     * One recipient.
     *
     * @param identifier {@code ski:HEX} or {@code issuer=DN, serial=HEX}
     * @param keyEncryption such as {@code ECDH P-256, AES-256 key wrap} or {@code RSA-OAEP-SHA-256}
     */
    public record RecipientDescription(String identifier, String keyEncryption) {}

    /**
     * The signature, not verified. It leaves out the unproved names in certificates of the message.
     *
     * @param identifiers of the signer, or of both where two kinds of keys sign: {@code ski:HEX} or {@code issuer=DN,
     *     serial=HEX}
     * @param algorithm such as {@code ECDSA-SHA-512}
     * @param messages the number of messages that share it; 1 for a signature of this message alone
     */
    public record SignatureDescription(List<String> identifiers, String algorithm, int messages) {
        public SignatureDescription {
            identifiers = List.copyOf(identifiers);
        }

        /** Returns the algorithm, and the number of messages if several share the signature. */
        public String inWords() {
            return algorithm + (messages == 1 ? "" : ", shared by " + messages + " messages");
        }
    }

    /** The visible quality: integrity, authenticity, or one of privacy and confidentiality. */
    public String quality() {
        if (sender != null) {
            return "authenticity";
        }
        return structure.equals("SignedData") ? "integrity" : "privacy or confidentiality";
    }

    /** The key that the sender claims, or empty if the envelope claims none. Its recipients alone have the proof. */
    public Optional<String> senderIfClaimed() {
        return Optional.ofNullable(sender);
    }

    /** The signature, or empty if none is visible. */
    public Optional<SignatureDescription> signatureIfVisible() {
        return Optional.ofNullable(signature);
    }

    /**
     * Describes an envelope.
     *
     * @throws MalformedEnvelopeException if the bytes are no envelope
     */
    public static EnvelopeDescription of(byte[] envelope) {
        ParsedEnvelope parsed = EnvelopeParser.parse(Slice.of(envelope));
        if (parsed instanceof ParsedEnvelope.Signed signed) {
            return new EnvelopeDescription("SignedData", null, List.of(), signature(signed), null, envelope.length);
        }
        ParsedEnvelope.Encrypted encrypted = (ParsedEnvelope.Encrypted) parsed;
        SenderKey sender = encrypted.sender();
        List<RecipientDescription> recipients = new ArrayList<>();
        for (RecipientInfo entry : encrypted.recipients()) {
            describe(entry, sender == null ? "ECDH" : "static ECDH", recipients);
        }
        return new EnvelopeDescription(
                "AuthEnvelopedData",
                "AES-256-GCM",
                recipients,
                null,
                sender == null ? null : sender.toString(),
                envelope.length);
    }

    private static void describe(RecipientInfo entry, String agreement, List<RecipientDescription> into) {
        if (entry instanceof RecipientInfo.Transport transport) {
            into.add(new RecipientDescription(
                    transport.recipient().toString(), transport.padding().label()));
        } else if (entry instanceof RecipientInfo.Encapsulation secret) {
            into.add(
                    new RecipientDescription(secret.recipient().toString(), secret.algorithm() + ", AES-256 key wrap"));
        } else if (entry instanceof RecipientInfo.Agreement recipient) {
            String derivation = recipient.kdf().name().replace('_', '-');
            for (RecipientInfo.WrappedKey key : recipient.keys()) {
                into.add(new RecipientDescription(
                        key.recipient().toString(),
                        agreement + " " + curve(recipient) + ", " + derivation + " derivation, AES-256 key wrap"));
            }
        } else {
            RecipientInfo.Unknown other = (RecipientInfo.Unknown) entry;
            List<String> named =
                    other.recipients().stream().map(Object::toString).toList();
            (named.isEmpty() ? List.of("unknown") : named)
                    .forEach(recipient -> into.add(new RecipientDescription(recipient, other.algorithm())));
        }
    }

    /** The curve by the length of an uncompressed point, because the envelope need not name it. */
    private static String curve(RecipientInfo.Agreement agreement) {
        return switch (agreement.originator().point().length() - 1) {
            case 65 -> "P-256";
            case 97 -> "P-384";
            case 133 -> "P-521";
            default -> "unknown curve";
        };
    }

    private static SignatureDescription signature(ParsedEnvelope.Signed signed) {
        ParsedEnvelope.Signer second = signed.postQuantum();
        HashList list = signed.list();
        return new SignatureDescription(
                Stream.of(signed.signer(), second)
                        .filter(Objects::nonNull)
                        .map(signer -> signer.identifier().toString())
                        .toList(),
                algorithm(signed.signer()) + (second == null ? "" : " and " + algorithm(second)),
                list == null ? 1 : list.size());
    }

    private static String algorithm(ParsedEnvelope.Signer signer) {
        SignatureScheme scheme = signer.signature().scheme();
        String name = scheme.name().replace('_', '-');
        return scheme.isMlDsa() ? name : name + "-" + signer.digest();
    }

    /**
     * The visible properties of a message of any length, without any key and without verification.
     *
     * @param first its envelope, or that of its first segment
     * @param envelopes the number of envelopes
     * @param length the length of the message in bytes
     * @param sha256 the SHA-256 digest of all bytes of the message in hex
     */
    public record MessageDescription(EnvelopeDescription first, int envelopes, long length, String sha256) {
        /**
         * Describes a message, in the memory of one segment.
         *
         * @throws MalformedEnvelopeException if the message is neither an envelope nor several
         * @throws IOException if the stream fails
         */
        public static MessageDescription of(InputStream in) throws IOException {
            MessageDigest digest = CryptoProviders.digest("SHA-256");
            EnvelopeSplitter input = new EnvelopeSplitter(new DigestInputStream(in, digest));
            OutputBuffer buffer = new OutputBuffer();
            EnvelopeDescription first = null;
            int envelopes = 0;
            long length = 0;
            for (Slice envelope = input.next(buffer); envelope != null; envelope = input.next(buffer)) {
                if (!input.isSealed()) {
                    ContentInfoHead.rejectOther(envelope);
                    throw new MalformedEnvelopeException("message: not an envelope");
                }
                if (first == null) {
                    first = EnvelopeDescription.of(envelope.copy());
                } else {
                    EnvelopeParser.parse(envelope);
                }
                envelopes++;
                length += envelope.length();
            }
            if (first == null) {
                throw new MalformedEnvelopeException("message: empty");
            }
            return new MessageDescription(
                    first, envelopes, length, HexFormat.of().formatHex(digest.digest()));
        }
    }
}
