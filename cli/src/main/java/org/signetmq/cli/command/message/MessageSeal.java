/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.message;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.time.Clock;
import java.util.function.LongConsumer;
import org.signetmq.cli.command.policy.PolicyStore;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.PasswordOptions;
import org.signetmq.cli.console.Progress;
import org.signetmq.cli.console.Subcommand;
import org.signetmq.cli.file.InputOption;
import org.signetmq.cli.file.OutputOptions;
import org.signetmq.envelope.Sealer;
import org.signetmq.envelope.SegmentSealer;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.epoch.PregenerationSettings;
import org.signetmq.keystore.home.Home;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.QualityOfProtection;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code signet message seal}. */
@Command(
        name = "seal",
        description = "Seals a message as the policy of its address says.",
        footer = {
            "  signet message seal --address orders.eu --as alice --in order.json --out order.cms",
            "  echo hello | signet message seal --address orders.eu --as alice > hello.cms",
        })
public final class MessageSeal extends Subcommand {
    @Option(names = "--address", required = true, paramLabel = "A", description = "The address it will be sent to.")
    private String address = "";

    @Option(names = "--as", required = true, paramLabel = "NAME", description = "The identity that signs.")
    private String name = "";

    @Mixin
    private final InputOption input = new InputOption();

    @Mixin
    private final OutputOptions output = new OutputOptions();

    @Mixin
    private final PasswordOptions passwords = new PasswordOptions();

    @Override
    public Integer call() throws IOException {
        output.check(context);
        Home home = context.existingHome();
        EffectivePolicy policy = new PolicyStore(home)
                .read()
                .find(address)
                .orElseThrow(() -> CliException.failure(
                                "message not sealed: no policy for '" + address + "' in " + home.root())
                        .hint("signet policy set " + address + " --quality Q says how to protect it"));
        Identity signer = passwords.load(context, name);
        try (InputStream in = input.open(context);
                Progress shown = new Progress(context);
                Sealer sealer = Sealer.create(
                        home.recipientDirectory(),
                        home.certificateTrust(),
                        Clock.systemUTC(),
                        PregenerationSettings.OFF)) { // one message needs no keys ahead of time
            long length = input.length(context);
            Sealing sealing = new Sealing(sealer, policy, signer, shown.ofBytes("sealed", length));
            output.write(context, length, out -> seal(in, sealing, out));
        }
        if (policy.policy().quality() == QualityOfProtection.NONE) {
            context.warn("the policy " + policy.reference() + " protects nothing: written as it was");
        }
        return ExitCode.OK;
    }

    private record Sealing(Sealer sealer, EffectivePolicy policy, Identity signer, LongConsumer progress) {}

    /** A message of one segment is one envelope, as every consumer has always read it; more are a large message. */
    private void seal(InputStream in, Sealing with, OutputStream out) throws IOException {
        byte[] first = in.readNBytes(SegmentSealer.SEGMENT_LENGTH + 1);
        if (first.length <= SegmentSealer.SEGMENT_LENGTH) {
            ClearMessage message = ClearMessage.of(address, ClearMessage.Body.BYTES, first);
            out.write(with.sealer().seal(message, with.policy(), with.signer()));
            return;
        }
        ClearMessage head = ClearMessage.of(address, ClearMessage.Body.BYTES, new byte[0]);
        try (SegmentSealer segments = with.sealer().segments(head, with.policy(), with.signer(), out::write)) {
            segments.transferFrom(new SequenceInputStream(new ByteArrayInputStream(first), in), with.progress());
        }
    }
}
