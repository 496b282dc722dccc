/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.KeyStoreOptions;
import org.signetmq.cli.console.OutputOptions;
import org.signetmq.cli.console.Subcommand;
import org.signetmq.envelope.SignedPolicies;
import org.signetmq.keystore.Identity;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.file.PolicyFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code signet policy sign}. */
@Command(
        name = "sign",
        description = "Signs all policies as an officer, with a greater version: those of a file, of the home, or of a "
                + "running broker. Brokers and clients with the officer's certificate in officer.pem take no others. "
                + "Without --out the signed policies come in force at the broker or in the home; those of a FILE "
                + "without a broker go to standard output.",
        footer = {
            "  signet policy sign policies.json --as security-officer --out signed.pem",
            "  signet policy sign --as security-officer --broker tcp://localhost:61616 --user admin",
            "  signet policy sign policies.json --as security-officer --broker tcp://localhost:61616 --user admin",
        })
final class PolicySignCommand extends Subcommand {
    @Parameters(
            arity = "0..1",
            paramLabel = "FILE",
            description = "A policy file, signed or not; - is standard input. Default the policies in force.")
    private @Nullable Path file;

    @Option(
            names = "--as",
            paramLabel = "NAME",
            required = true,
            description = "The identity of the home that signs: the officer's.")
    private String officer = "";

    @Option(
            names = "--policy-version",
            paramLabel = "NUMBER",
            description = "The version to sign; default one more than that of the file and those in force.")
    private long version = -1;

    @Mixin
    private final TargetOptions targets = new TargetOptions();

    @Mixin
    private final KeyStoreOptions keys = new KeyStoreOptions();

    @Mixin
    private final OutputOptions output = new OutputOptions();

    @Override
    public Integer call() throws IOException {
        output.check(context);
        if (file != null && !targets.isBroker(context)) {
            PolicySet policies = PolicyImportCommand.policies(file, context);
            write(signed(policies, policies.version()));
            return ExitCode.OK;
        }
        return targets.existing(context).only(this::signAt);
    }

    private int signAt(PolicyTarget target) throws IOException {
        PolicySet inForce = target.read();
        PolicySet policies = file == null ? inForce : PolicyImportCommand.policies(file, context);
        SignedPolicies signed = signed(policies, Math.max(policies.version(), inForce.version()));
        if (output.isGiven()) {
            write(signed);
            return ExitCode.OK;
        }
        try {
            PolicyTarget.Applied applied =
                    target.load(signed, PolicyImportCommand.parsed(Path.of("policies"), signed), false);
            applied.warnings().forEach(context::warn);
            context.print("signed by " + officer + ", " + applied.step());
            return ExitCode.OK;
        } catch (InvalidPolicyException e) {
            throw CliException.failure(target.name() + ": rejected, nothing was changed")
                    .details(PolicyStore.problems(e))
                    .causedBy(e);
        }
    }

    private SignedPolicies signed(PolicySet policies, long last) {
        long next = version >= 0 ? version : Math.addExact(last, 1);
        Identity identity = keys.load(context, officer);
        String json = PolicyFile.format(PolicySet.of(next, policies.settings(), policies.policies()));
        return SignedPolicies.open(
                SignedPolicies.sign(json, identity, context.shell().clock()), List.of(identity.certificate()));
    }

    private void write(SignedPolicies signed) throws IOException {
        output.write(context, out -> out.write(signed.text().getBytes(StandardCharsets.US_ASCII)));
    }
}
