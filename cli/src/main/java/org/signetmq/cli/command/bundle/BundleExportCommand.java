/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.bundle;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.command.bundle.document.Bundle;
import org.signetmq.cli.command.bundle.document.BundleDocument;
import org.signetmq.cli.command.bundle.document.BundleLimits;
import org.signetmq.cli.command.bundle.document.Fingerprint;
import org.signetmq.cli.command.policy.access.PolicyTarget;
import org.signetmq.cli.command.policy.access.TargetOptions;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.CommandContext;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.KeyStoreOptions;
import org.signetmq.cli.console.Subcommand;
import org.signetmq.cli.file.OutputOptions;
import org.signetmq.envelope.SignedDocument;
import org.signetmq.envelope.exception.EnvelopeException;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.home.Home;
import org.signetmq.policy.PolicySet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code signet bundle export}. */
@Command(
        name = "export",
        description = "Writes a bundle: the policies that decide about the addresses, the certificates of signers and "
                + "brokers that these policies name, the trusted certificates and the revocation lists of the home. "
                + "An identity of the home signs it. It has no private key.",
        footer = {
            "  signet bundle export --address orders.# --recipient alice --as broker --output alice.bundle",
            "  signet bundle export --address orders.eu --address prices --as broker --out eu.bundle",
            "  signet bundle export --address orders.# --broker tcp://localhost:61616 --user admin --out alice.bundle",
        })
final class BundleExportCommand extends Subcommand {
    @Option(
            names = "--address",
            paramLabel = "PATTERN",
            required = true,
            description = "An address of the consumer, or a pattern; repeatable.")
    private List<String> addresses = List.of();

    @Option(
            names = "--recipient",
            paramLabel = "NAME",
            description = "The consumer's identity. All encrypting policies must have it as a recipient.")
    private @Nullable String recipient;

    @Option(
            names = "--as",
            paramLabel = "IDENTITY",
            description = "The identity of the home that signs; default the only one.")
    private @Nullable String signer;

    @Option(
            names = "--valid-for",
            paramLabel = "DAYS",
            description = "The number of days in which homes import the bundle; default 30.")
    private int days = 30;

    @Mixin
    private final TargetOptions targets = new TargetOptions();

    @Mixin
    private final KeyStoreOptions keys = new KeyStoreOptions();

    @Mixin
    private final OutputOptions output = new OutputOptions();

    @Override
    public Integer call() throws IOException {
        if (days < 1 || days > BundleLimits.DAYS) {
            throw usage("--valid-for: must be from 1 to " + BundleLimits.DAYS + " days, found " + days);
        }
        if (addresses.size() > BundleLimits.ADDRESSES) {
            throw usage("--address: more than " + BundleLimits.ADDRESSES);
        }
        output.check(context);
        Home home = context.existingHome();
        String name = signer == null ? onlyIdentity(home) : signer;
        PolicySet policies = targets.existing(context).only(PolicyTarget::read);
        Clock clock = context.shell().clock();
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        Bundle bundle = new BundleCollection(home, now).collect(policies, addresses, recipient, Duration.ofDays(days));
        byte[] document = BundleDocument.bytes(bundle);
        Bundle unused = BundleDocument.read("bundle", document); // a consumer reads it so
        Identity identity = keys.load(context, name);
        byte[] signed = sign(document, identity, home, context);
        output.write(context, out -> out.write(signed));
        context.say(count(bundle.policies().policies().size(), "policy", "policies") + " and "
                + count(bundle.entries().size(), "file", "files") + ", signed by " + name + ", to import until "
                + bundle.notAfter());
        context.say("tell the consumer by telephone the SHA-256 fingerprint of the signer: "
                + Fingerprint.of(identity.certificate()));
        return ExitCode.OK;
    }

    private static String onlyIdentity(Home home) {
        List<String> names = home.identityStore().names();
        if (names.size() == 1) {
            return names.get(0);
        }
        throw CliException.usage("--as: missing, and the home has "
                + (names.isEmpty() ? "no identity" : "several identities: " + String.join(", ", names)));
    }

    private static byte[] sign(byte[] document, Identity identity, Home home, CommandContext context) {
        Clock clock = context.shell().clock();
        byte[] signed = SignedDocument.sign(document, identity, clock);
        try {
            SignedDocument unused = SignedDocument.verify(signed, home.trustIn(identity.certificate()), clock);
            return signed;
        } catch (EnvelopeException e) {
            throw CliException.configuration(
                            "identity '" + identity.name() + "': cannot sign a bundle: " + e.getMessage())
                    .causedBy(e);
        }
    }

    private static String count(int number, String one, String several) {
        return number + " " + (number == 1 ? one : several);
    }
}
