/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.util.ArrayList;
import java.util.List;
import org.signetmq.envelope.internal.cms.EnvelopeParser;
import org.signetmq.envelope.internal.cms.ParsedEnvelope;
import org.signetmq.envelope.internal.cms.RecipientInfo;
import org.signetmq.envelope.internal.der.Slice;

/** Describes envelopes. */
final class EnvelopeDescriber {
    private EnvelopeDescriber() {}

    static EnvelopeDescription describe(byte[] bytes) {
        ParsedEnvelope envelope = EnvelopeParser.parse(Slice.of(bytes));
        if (envelope instanceof ParsedEnvelope.Signed signed) {
            return new EnvelopeDescription("SignedData", null, List.of(), signature(signed), bytes.length);
        }
        List<EnvelopeDescription.RecipientDescription> recipients = new ArrayList<>();
        for (RecipientInfo entry : ((ParsedEnvelope.Encrypted) envelope).recipients()) {
            describe(entry, recipients);
        }
        return new EnvelopeDescription("AuthEnvelopedData", "AES-256-GCM", recipients, null, bytes.length);
    }

    private static void describe(RecipientInfo entry, List<EnvelopeDescription.RecipientDescription> into) {
        if (entry instanceof RecipientInfo.Transport transport) {
            into.add(new EnvelopeDescription.RecipientDescription(
                    transport.recipient().toString(), transport.padding().label()));
        } else if (entry instanceof RecipientInfo.Agreement recipient) {
            String derivation = recipient.kdf().name().replace('_', '-');
            for (RecipientInfo.WrappedKey key : recipient.keys()) {
                into.add(new EnvelopeDescription.RecipientDescription(
                        key.recipient().toString(),
                        "ECDH " + curve(recipient) + ", " + derivation + " derivation, AES-256 key wrap"));
            }
        } else {
            into.add(new EnvelopeDescription.RecipientDescription("unknown", "unknown"));
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

    private static EnvelopeDescription.SignatureDescription signature(ParsedEnvelope.Signed signed) {
        ParsedEnvelope.Signer signer = signed.signer();
        String scheme = signer.signature().scheme().name().replace('_', '-');
        return new EnvelopeDescription.SignatureDescription(
                signer.identifier().toString(), scheme + "-" + signer.digest());
    }
}
