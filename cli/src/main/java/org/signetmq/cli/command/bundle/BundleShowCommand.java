/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.bundle;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.command.bundle.document.Bundle;
import org.signetmq.cli.command.bundle.document.Fingerprint;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Json;
import org.signetmq.cli.console.LabelledLines;
import org.signetmq.cli.console.ReportingCommand;
import org.signetmq.keystore.home.Home;
import org.signetmq.policy.file.PolicyFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The command {@code signet bundle show}. */
@Command(
        name = "show",
        description = "Shows what is in a bundle, and its signer. Exits 1 if the signature is wrong.",
        footer = {"  signet bundle show alice.bundle", "  signet bundle show alice.bundle --json"})
final class BundleShowCommand extends ReportingCommand {
    private static final int LABELS = 12;

    @Parameters(paramLabel = "FILE", description = "A bundle of signet bundle export.")
    private Path file = Path.of("");

    /**
     * A bundle.
     *
     * @param trusted whether this home would take it without --signed-by
     */
    private record Answer(
            BundleText.Certificate signer,
            boolean trusted,
            boolean ended,
            String id,
            String created,
            String notAfter,
            Bundle.@Nullable Consumer recipient,
            List<String> addresses,
            List<String> recovery,
            Object policies,
            List<BundleText.Entry> files) {}

    @Override
    public Integer call() throws IOException {
        Home home = context.home();
        ImportRecords records = ImportRecords.read(home);
        BundleFile read = BundleFile.read(
                file,
                context.resolve(file),
                home,
                records.certificates(),
                context.shell().clock());
        Bundle bundle = read.bundle();
        boolean trusted = SignerOption.isTaken(read, records, context);
        boolean ended = !context.shell().clock().instant().isBefore(bundle.notAfter());
        report(
                new Answer(
                        BundleText.Certificate.of(read.signer()),
                        trusted,
                        ended,
                        bundle.id(),
                        bundle.created().toString(),
                        bundle.notAfter().toString(),
                        bundle.recipient(),
                        bundle.addresses(),
                        bundle.policies().recovery(),
                        Json.parse(PolicyFile.format(bundle.policies())),
                        bundle.entries().stream().map(BundleText.Entry::of).toList()),
                () -> lines(read, bundle, trusted, ended));
        return ExitCode.OK;
    }

    private static List<String> lines(BundleFile read, Bundle bundle, boolean trusted, boolean ended) {
        Bundle.Consumer consumer = bundle.recipient();
        List<String> lines = new ArrayList<>(new LabelledLines(LABELS)
                .add("signer", BundleText.name(read.signer()))
                .add("fingerprint", Fingerprint.of(read.signer()))
                .add(
                        "signature",
                        "right; "
                                + (trusted
                                        ? "this home takes bundles of this signer"
                                        : "this home does not take bundles of this signer without --signed-by"))
                .add("created", bundle.created())
                .add("not after", bundle.notAfter() + (ended ? ", it has ended" : ""))
                .add("recipient", consumer == null ? null : consumer.name())
                .add("addresses", String.join("; ", bundle.addresses()))
                .add("recovery", recovery(bundle))
                .lines());
        lines.addAll(BundleText.content(bundle));
        return lines;
    }

    /** Returns the recovery recipients of all policies; null if there are none. */
    private static @Nullable String recovery(Bundle bundle) {
        List<String> names =
                bundle.policies().recovery().stream().map(BundleText::name).toList();
        return names.isEmpty() ? null : String.join("; ", names) + ", of each policy that encrypts";
    }
}
