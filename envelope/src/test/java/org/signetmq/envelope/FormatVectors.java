/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.signetmq.keystore.Identity;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;

/**
 * Prints the positive vectors of {@code docs/format.md}, from a folder with the PEM files of the document. Run by hand
 * when the format changes; signatures and keys come out different each time.
 */
final class FormatVectors {
    private static final int DIGITS_PER_LINE = 96;

    private FormatVectors() {}

    public static void main(String[] arguments) throws IOException, GeneralSecurityException {
        FixedParties parties = new FixedParties(Path.of(arguments[0]));
        for (QualityOfProtection quality : List.of(
                QualityOfProtection.INTEGRITY, QualityOfProtection.CONFIDENTIALITY, QualityOfProtection.PRIVACY)) {
            for (String name : FixedParties.NAMES) {
                print(parties, quality, name);
            }
        }
    }

    private static void print(FixedParties parties, QualityOfProtection quality, String name)
            throws IOException, GeneralSecurityException {
        byte[] payload = "Zürich, 100 €\r\n".getBytes(UTF_8);
        ClearMessage message = new ClearMessage(
                FixedParties.ADDRESS, ClearMessage.Body.TEXT, payload, "Änne 50%", Map.of("Region", "eu"));
        Identity identity = parties.identity(name);
        PolicySet policies = FixedParties.policies(quality, name, List.of());
        byte[] envelope;
        try (Sealer sealer = parties.sealer()) {
            envelope = sealer.seal(message, policies.find(FixedParties.ADDRESS).orElseThrow(), identity);
        }
        StringBuilder text = new StringBuilder("```vector " + quality.label() + "-" + name.substring(5) + "\n");
        text.append("quality: ")
                .append(quality.label())
                .append("\nidentity: ")
                .append(name)
                .append('\n');
        field(text, "payload", payload);
        field(text, "envelope", envelope);
        Intermediates.of(envelope, parties.privateKey(name), parties.certificate(name))
                .forEach((field, value) -> field(text, field, value));
        System.out.println(text.append("```\n"));
    }

    private static void field(StringBuilder text, String name, byte[] value) {
        String hex = HexFormat.of().formatHex(value);
        text.append(name).append(':');
        if (hex.length() <= DIGITS_PER_LINE) {
            text.append(' ').append(hex).append('\n');
            return;
        }
        text.append('\n');
        for (int i = 0; i < hex.length(); i += DIGITS_PER_LINE) {
            text.append("  ")
                    .append(hex, i, Math.min(i + DIGITS_PER_LINE, hex.length()))
                    .append('\n');
        }
    }
}
