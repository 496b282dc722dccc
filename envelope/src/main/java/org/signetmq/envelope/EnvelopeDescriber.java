/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.util.ArrayList;
import java.util.List;
import org.signetmq.envelope.internal.cms.EnvelopeParser;
import org.signetmq.envelope.internal.cms.ParsedEnvelope;
import org.signetmq.envelope.internal.cms.RecipientEntry;
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
        for (RecipientEntry entry : ((ParsedEnvelope.Encrypted) envelope).recipients()) {
            describe(entry, recipients);
        }
        return new EnvelopeDescription("AuthEnvelopedData", "AES-256-GCM", recipients, null, bytes.length);
    }

    private static void describe(RecipientEntry entry, List<EnvelopeDescription.RecipientDescription> into) {
        if (entry instanceof RecipientEntry.Transport transport) {
            into.add(new EnvelopeDescription.RecipientDescription(
                    transport.recipient().toString(), transport.padding().label()));
        } else if (entry instanceof RecipientEntry.Agreement agreement) {
            String derivation = agreement.agreement().derivation().name().replace('_', '-');
            for (RecipientEntry.WrappedKey key : agreement.keys()) {
                into.add(new EnvelopeDescription.RecipientDescription(
                        key.recipient().toString(),
                        "ECDH " + curve(agreement) + ", " + derivation + " derivation, AES-256 key wrap"));
            }
        } else {
            into.add(new EnvelopeDescription.RecipientDescription("unknown", "unknown"));
        }
    }

    /** By the length of an uncompressed point: the message need not name the curve. */
    private static String curve(RecipientEntry.Agreement agreement) {
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
