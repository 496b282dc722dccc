/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.message;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.command.identity.KnownNames;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.LabelledLines;
import org.signetmq.cli.console.ReportingCommand;
import org.signetmq.cli.file.InputOption;
import org.signetmq.envelope.EnvelopeDescription;
import org.signetmq.envelope.EnvelopeDescription.RecipientDescription;
import org.signetmq.envelope.EnvelopeDescription.SignatureDescription;
import org.signetmq.envelope.MessageDescription;
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
        static Answer of(MessageDescription message, KnownNames names) {
            EnvelopeDescription envelope = message.first();
            return new Answer(
                    envelope.quality(),
                    envelope.structure(),
                    message.length(),
                    message.envelopes(),
                    envelope.contentAlgorithm(),
                    envelope.recipients().stream()
                            .map(recipient -> RecipientKey.of(recipient, names))
                            .toList(),
                    envelope.signatureIfVisible()
                            .map(signature -> Signer.of(signature, names))
                            .orElse(null));
        }

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

    private record RecipientKey(@Nullable String name, String identifier, String keyEncryption) {
        static RecipientKey of(RecipientDescription recipient, KnownNames names) {
            String identifier = recipient.identifier();
            return new RecipientKey(names.of(identifier).orElse(null), identifier, recipient.keyEncryption());
        }
    }

    private record Signer(@Nullable String name, String identifier, String signature) {
        static Signer of(SignatureDescription signature, KnownNames names) {
            String identifier = signature.identifier();
            return new Signer(names.of(identifier).orElse(null), identifier, signature.algorithm());
        }
    }

    @Override
    public Integer call() throws IOException {
        MessageDescription message;
        try (InputOption.Input in = input.open(context)) {
            message = MessageDescription.of(in);
        }
        Answer answer = Answer.of(message, new KnownNames(context.home()));
        report(answer, answer::lines);
        return ExitCode.OK;
    }
}
