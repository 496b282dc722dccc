/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.keystore.Identity;
import org.signetmq.policy.Policy.RequiredKeys;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;

/**
 * Prints the positive vectors of {@code docs/format.md}, from a folder with the PEM files of the document. Run by hand
 * when the format changes; signatures and keys come out different each time.
 */
final class FormatVectors {
    private static final int DIGITS_PER_LINE = 96;
    private static final byte[] PAYLOAD = "Zürich, 100 €\r\n".getBytes(UTF_8);

    private FormatVectors() {}

    public static void main(String[] arguments) throws IOException, GeneralSecurityException {
        FixedParties parties = new FixedParties(Path.of(arguments[0]));
        for (QualityOfProtection quality : List.of(
                QualityOfProtection.INTEGRITY, QualityOfProtection.CONFIDENTIALITY, QualityOfProtection.PRIVACY)) {
            for (String name : FixedParties.NAMES) {
                print(parties, quality, name);
            }
        }
        print(parties, QualityOfProtection.CONFIDENTIALITY, FixedParties.KEM);
        print(parties, QualityOfProtection.INTEGRITY, FixedParties.ML_DSA);
        print(parties, QualityOfProtection.PRIVACY, FixedParties.NAMES.get(0), RequiredKeys.BOTH);
        printShared(parties);
        print(parties, QualityOfProtection.AUTHENTICITY, FixedParties.NAMES.get(0));
        printSegments(parties, QualityOfProtection.CONFIDENTIALITY);
        printSegments(parties, QualityOfProtection.PRIVACY);
    }

    /** A message that shares its signature with two others. */
    private static void printShared(FixedParties parties) throws IOException, GeneralSecurityException {
        String name = FixedParties.NAMES.get(0);
        byte[] entity = SharedForge.entity(FixedParties.ADDRESS, 0x5157, new String(PAYLOAD, UTF_8));
        byte[] envelope = new SharedForge(
                        parties.identity(name),
                        entity,
                        SharedForge.sha256(new byte[1]),
                        SharedForge.sha256(new byte[2]))
                .withCertificate()
                .envelope();
        print(parties, "integrity-shared-p256", "integrity", name, envelope);
    }

    /** A large message of three short segments; the first cut is within a character. */
    private static void printSegments(FixedParties parties, QualityOfProtection quality)
            throws IOException, GeneralSecurityException {
        String name = FixedParties.NAMES.get(0);
        ClearMessage head = new ClearMessage(
                FixedParties.ADDRESS, ClearMessage.Body.TEXT, new byte[0], "Änne 50%", Map.of("Region", "eu"));
        byte[] id = new byte[16];
        new SecureRandom().nextBytes(id);
        SegmentForge.Kind kind = new SegmentForge.Kind(
                FixedParties.policies(quality, name, List.of()).policies().get(0), parties.identity(name), head, id);
        byte[][] pieces = {
            Arrays.copyOf(PAYLOAD, 2), Arrays.copyOfRange(PAYLOAD, 2, 9), Arrays.copyOfRange(PAYLOAD, 9, PAYLOAD.length)
        };
        List<byte[]> segments;
        try (SegmentForge forge = parties.forge()) {
            segments = forge.message(kind, pieces);
        }
        for (int i = 0; i < pieces.length; i++) {
            StringBuilder text = new StringBuilder(
                    "```segment large-" + quality.label() + "-" + name.substring(5) + " " + (i + 1) + "\n");
            text.append("quality: ")
                    .append(quality.label())
                    .append("\nidentity: ")
                    .append(name)
                    .append('\n');
            field(text, "payload", pieces[i]);
            field(text, "envelope", segments.get(i));
            Map<String, byte[]> values = Intermediates.of(segments.get(i), parties, name);
            for (String shown : List.of("cek", "nonce", "tag", "digest", "entity")) {
                byte[] value = values.get(shown);
                if (value != null) {
                    field(text, shown, value);
                }
            }
            System.out.println(text.append("```\n"));
        }
    }

    private static void print(FixedParties parties, QualityOfProtection quality, String name)
            throws IOException, GeneralSecurityException {
        print(parties, quality, name, RequiredKeys.EITHER);
    }

    private static void print(FixedParties parties, QualityOfProtection quality, String name, RequiredKeys required)
            throws IOException, GeneralSecurityException {
        ClearMessage message = new ClearMessage(
                FixedParties.ADDRESS, ClearMessage.Body.TEXT, PAYLOAD, "Änne 50%", Map.of("Region", "eu"));
        Identity identity = parties.identity(name);
        boolean both = required == RequiredKeys.BOTH;
        PolicySet policies = FixedParties.policies(quality, name, both ? List.of(name) : List.of(), required);
        byte[] envelope;
        try (Sealer sealer = parties.sealer()) {
            envelope = sealer.seal(message, policies.find(FixedParties.ADDRESS).orElseThrow(), identity);
        }
        String title = quality.label() + "-" + (both ? "both" : name.substring(5));
        print(parties, title, quality.label() + (both ? "\nrequire: both" : ""), name, envelope);
    }

    private static void print(FixedParties parties, String title, String quality, String name, byte[] envelope)
            throws IOException, GeneralSecurityException {
        StringBuilder text = new StringBuilder("```vector " + title + "\n");
        text.append("quality: ")
                .append(quality)
                .append("\nidentity: ")
                .append(name)
                .append('\n');
        field(text, "payload", PAYLOAD);
        field(text, "envelope", envelope);
        Intermediates.of(envelope, parties, name).forEach((field, value) -> field(text, field, value));
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
