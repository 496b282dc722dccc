/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.message;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.signetmq.cli.command.identity.KnownNames;
import org.signetmq.cli.console.CommandContext;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Json;
import org.signetmq.cli.console.JsonOption;
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
        footerHeading = "%nExamples:%n",
        footer = {"  signet message inspect --in order.cms", "  signet message inspect --json < order.cms"})
public final class MessageInspect implements Callable<Integer> {
    private final CommandContext context;

    @Mixin
    private final InputOption input = new InputOption();

    @Mixin
    private final JsonOption json = new JsonOption();

    public MessageInspect(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException {
        MessageDescription message;
        try (InputOption.Input in = input.open(context)) {
            message = MessageDescription.of(in);
        }
        KnownNames names = KnownNames.of(context.home());
        if (json.wanted) {
            Json.print(answer(message, names), context.out());
        } else {
            print(message, names);
        }
        return ExitCode.OK;
    }

    private void print(MessageDescription message, KnownNames names) {
        EnvelopeDescription envelope = message.first();
        line("quality", envelope.quality());
        line("structure", envelope.structure());
        line("length", message.length() + " bytes");
        if (message.envelopes() > 1) {
            line("segments", String.valueOf(message.envelopes()));
        }
        if (envelope.contentAlgorithm() != null) {
            line("encryption", envelope.contentAlgorithm());
        }
        for (RecipientDescription recipient : envelope.recipients()) {
            line(
                    "recipient",
                    names.of(recipient.identifier()).map(name -> name + ", ").orElse("") + recipient.identifier() + ", "
                            + recipient.keyEncryption());
        }
        envelope.signatureIfVisible().ifPresent(signature -> {
            line(
                    "signer",
                    names.of(signature.identifier()).map(name -> name + ", ").orElse("") + signature.identifier());
            line("signature", signature.algorithm());
        });
    }

    private void line(String label, String value) {
        context.out().printf("%-12s %s%n", label, value);
    }

    private static ObjectNode answer(MessageDescription message, KnownNames names) {
        EnvelopeDescription envelope = message.first();
        ObjectNode answer = Json.answer()
                .put("quality", envelope.quality())
                .put("structure", envelope.structure())
                .put("length", message.length())
                .put("segments", message.envelopes())
                .put("encryption", envelope.contentAlgorithm());
        ArrayNode recipients = answer.putArray("recipients");
        for (RecipientDescription recipient : envelope.recipients()) {
            recipients
                    .addObject()
                    .put("name", names.of(recipient.identifier()).orElse(null))
                    .put("identifier", recipient.identifier())
                    .put("key-encryption", recipient.keyEncryption());
        }
        Optional<SignatureDescription> signature = envelope.signatureIfVisible();
        if (signature.isEmpty()) {
            answer.putNull("signer");
        } else {
            answer.putObject("signer")
                    .put("name", names.of(signature.get().identifier()).orElse(null))
                    .put("identifier", signature.get().identifier())
                    .put("signature", signature.get().algorithm());
        }
        return answer;
    }
}
