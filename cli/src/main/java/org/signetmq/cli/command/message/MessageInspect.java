/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.message;

import java.io.IOException;
import java.io.InputStream;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.LabelledLines;
import org.signetmq.cli.console.ReportingCommand;
import org.signetmq.cli.file.InputOption;
import org.signetmq.envelope.EnvelopeDescription;
import org.signetmq.envelope.MessageDescription;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.home.Home;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code signet message inspect}. */
@Command(
        name = "inspect",
        description =
                "Shows what an envelope says of itself: quality, algorithms, recipients, signer. Needs no key and "
                        + "verifies nothing.",
        footer = {"  signet message inspect --in order.cms", "  signet message inspect --json < order.cms"})
public final class MessageInspect extends ReportingCommand {
    @Mixin
    private final InputOption input = new InputOption();

    private record Answer(
            String quality,
            String structure,
            long length,
            long segments,
            @Nullable String encryption,
            List<RecipientKey> recipients,
            @Nullable Signer signer) {
        List<String> lines() {
            LabelledLines lines = new LabelledLines(12)
                    .add("quality", quality)
                    .add("structure", structure)
                    .add("length", length + " bytes")
                    .add("segments", segments > 1 ? segments : null)
                    .add("encryption", encryption);
            recipients.forEach(recipient -> lines.add(
                    "recipient", key(recipient.name(), recipient.identifier()) + ", " + recipient.keyEncryption()));
            if (signer != null) {
                lines.add("signer", key(signer.name(), signer.identifier())).add("signature", signer.signature());
            }
            return lines.lines();
        }

        private static String key(@Nullable String name, String identifier) {
            return (name == null ? "" : name + ", ") + identifier;
        }
    }

    private record RecipientKey(@Nullable String name, String identifier, String keyEncryption) {}

    private record Signer(@Nullable String name, String identifier, String signature) {}

    @Override
    public Integer call() throws IOException {
        MessageDescription message;
        try (InputStream in = input.open(context)) {
            message = MessageDescription.of(in);
        }
        Home home = context.home();
        EnvelopeDescription envelope = message.first();
        Answer answer = new Answer(
                envelope.quality(),
                envelope.structure(),
                message.length(),
                message.envelopes(),
                envelope.contentAlgorithm(),
                envelope.recipients().stream()
                        .map(key ->
                                new RecipientKey(name(key.identifier(), home), key.identifier(), key.keyEncryption()))
                        .toList(),
                envelope.signatureIfVisible()
                        .map(key -> new Signer(name(key.identifier(), home), key.identifier(), key.algorithm()))
                        .orElse(null));
        report(answer, answer::lines);
        return ExitCode.OK;
    }

    /** Returns the name for {@code ski:HEX} or {@code issuer=DN, serial=HEX}; null without a certificate for it. */
    private static @Nullable String name(String identifier, Home home) {
        return home.recipientDirectory().all().stream()
                .filter(recipient -> matches(recipient.certificate(), identifier))
                .map(Recipient::name)
                .findFirst()
                .orElse(null);
    }

    private static boolean matches(X509Certificate certificate, String identifier) {
        String serialNumber = certificate.getSerialNumber().toString(16);
        return identifier.equals("ski:" + KeyIdentifier.of(certificate)) // the one that the certificate claims
                || identifier.equals(
                        "issuer=" + certificate.getIssuerX500Principal().getName() + ", serial=" + serialNumber);
    }
}
