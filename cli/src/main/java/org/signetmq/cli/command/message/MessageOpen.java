/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.message;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.signetmq.cli.command.policy.PolicyStore;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Failures;
import org.signetmq.cli.console.PasswordOptions;
import org.signetmq.cli.console.Progress;
import org.signetmq.cli.console.Subcommand;
import org.signetmq.cli.file.InputOption;
import org.signetmq.cli.file.OutputOptions;
import org.signetmq.envelope.Opener;
import org.signetmq.envelope.SegmentOpener;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.keystore.home.Home;
import org.signetmq.policy.LegacyAlgorithms;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code signet message open}. */
@Command(
        name = "open",
        description =
                "Opens a message and writes its payload, into a file whole or not at all. Standard output gets each part of "
                        + "a large message after it was verified.",
        footer = {
            "  signet message open --address orders.eu --as bob --in order.cms --out order.json",
            "  signet message open --address orders.eu --as bob --entity < order.cms",
        })
public final class MessageOpen extends Subcommand {
    @Option(names = "--address", required = true, paramLabel = "A", description = "The address it was received from.")
    private String address = "";

    @Option(names = "--as", required = true, paramLabel = "NAME", description = "The identity whose key opens it.")
    private String name = "";

    @Option(names = "--entity", description = "The whole entity: header lines, a blank line, the payload.")
    private boolean entity;

    @Option(
            names = "--accept-legacy",
            description = "Where no policy covers the address, also open what is encrypted by RSA PKCS#1 v1.5 or by "
                    + "keys derived with SHA-1. A policy decides for its own addresses.")
    private boolean acceptLegacy;

    @Mixin
    private final InputOption input = new InputOption();

    @Mixin
    private final OutputOptions output = new OutputOptions();

    @Mixin
    private final PasswordOptions passwords = new PasswordOptions();

    /**
     * Opens the message. Every failure ends with exit code 1 and one line, and writes nothing that was not verified.
     */
    @Override
    public Integer call() {
        AtomicLong written = new AtomicLong();
        try {
            output.check(context);
            open(written);
            return ExitCode.OK;
        } catch (IOException | RuntimeException e) {
            CliException failure = CliException.failure("message not opened: " + Failures.inWords(e))
                    .causedBy(e);
            throw output.isStream(context) && written.get() > 0
                    ? failure.hint(written + " bytes were written before; they are right, but not the whole message")
                    : failure;
        }
    }

    private void open(AtomicLong written) throws IOException {
        Home home = context.existingHome();
        PolicySet found = new PolicyStore(home).read();
        // clear messages pass only if a policy allows them
        PolicySet policies =
                PolicySet.of(found.version(), UnmatchedAddress.REJECT, found.wildcards(), found.policies());
        Opener.Keys keys = new Opener.Keys(
                List.of(passwords.load(context, name)), home.recipientDirectory(), home.certificateTrust());
        LegacyAlgorithms legacy = acceptLegacy ? LegacyAlgorithms.ACCEPTED : LegacyAlgorithms.REFUSED;
        try (InputStream in = input.open(context);
                Progress shown = new Progress(context);
                Opener opener = Opener.create(keys, () -> policies, legacy)) {
            SegmentOpener segments = opener.openSegments(in, address);
            long length = input.length(context);
            LongConsumer progress = shown.ofBytes("opened", length);
            output.write(
                    context,
                    length,
                    out -> transfer(segments, out, bytes -> {
                        written.set(bytes);
                        progress.accept(bytes);
                    }));
        }
    }

    private void transfer(SegmentOpener segments, OutputStream out, LongConsumer progress) throws IOException {
        OpenedMessage opened = entity ? segments.transferEntityTo(out, progress) : segments.transferTo(out, progress);
        if (opened.entityIfProtected().isEmpty()) {
            context.warn("the message was not protected; its policy lets that through");
        }
    }
}
