/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.doctor;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.command.policy.access.PolicyStore;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.ReportingCommand;
import org.signetmq.cli.console.Subcommand;
import org.signetmq.keystore.crypto.CryptoProviders;
import org.signetmq.keystore.home.Finding;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.PermissionCheck;
import org.signetmq.keystore.home.TrustFindings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The commands {@code signet doctor}. */
@Command(
        name = "doctor",
        description = "Looks at this machine and at a home, and says how Signet does there.",
        subcommands = {
            DoctorCommands.Crypto.class,
            DoctorCommands.HomeCheck.class,
        })
public final class DoctorCommands extends Subcommand {
    /** The command {@code signet doctor crypto}. */
    @Command(
            name = "crypto",
            description = {
                "Says which provider serves which primitive, and how fast it is here: microseconds for one operation,",
                "on 2,048 bytes where there is a payload and no other length stands beside its name."
            },
            footer = {"  signet doctor crypto", "  signet doctor crypto --json"})
    static final class Crypto extends ReportingCommand {
        private static final Duration EACH = Duration.ofMillis(250);

        private record Answer(@JsonProperty("native") String nativeProvider, List<CryptoSpeed.Primitive> primitives) {
            List<String> lines() {
                List<String> lines = new ArrayList<>();
                lines.add("%-28s %-30s %10s".formatted("PRIMITIVE", "PROVIDER", "µs"));
                primitives.forEach(row -> lines.add(String.format(
                        Locale.ROOT, "%-28s %-30s %10.2f", row.name(), row.provider(), row.microseconds())));
                lines.addAll(List.of("", "native provider: " + nativeProvider));
                return lines;
            }
        }

        @Override
        public Integer call() {
            context.say("measuring, for about ten seconds");
            CryptoProviders providers = CryptoProviders.standard();
            List<CryptoSpeed.Primitive> rows = CryptoSpeed.measure(providers, EACH);
            String accelerated = providers
                    .accelerated()
                    .map(provider -> provider.getName() + " " + provider.getVersionStr())
                    .orElse("none");
            Answer answer = new Answer(accelerated, rows);
            report(answer, answer::lines);
            return ExitCode.OK;
        }
    }

    /** The command {@code signet doctor home}. */
    @Command(
            name = "home",
            description = {
                "Lists what is wrong with the home, each with the command that mends it: files that other users may",
                "change, passwords and keys that they may read, and names in certificates that do not stand for one key.",
                "Exits 1 if anything is wrong."
            },
            footer = {
                "  signet doctor home --home /var/lib/signet",
                "  signet doctor home --password-file /etc/signet/password --json",
            })
    static final class HomeCheck extends ReportingCommand {
        @Option(
                names = "--password-file",
                paramLabel = "FILE",
                description = "A password file outside the home, to be looked at too.")
        private @Nullable Path passwordFile;

        @Override
        public Integer call() {
            Home home = context.uncheckedHome();
            if (!Files.isDirectory(home.root())) {
                throw CliException.configuration("home: no folder " + home.root());
            }
            List<Finding> findings = findings(home);
            report(
                    Map.of("findings", findings),
                    () -> findings.stream()
                            .flatMap(finding ->
                                    Stream.of(finding.path() + ": " + finding.what(), "    " + finding.mend()))
                            .toList());
            if (!json) {
                context.say(findings.isEmpty() ? home.root() + ": nothing found" : findings.size() + " found");
            }
            return findings.isEmpty() ? ExitCode.OK : ExitCode.FAILURE;
        }

        /** Commands reject a home with wrong permissions before they read certificates, and so does this one. */
        private List<Finding> findings(Home home) {
            PermissionCheck check = PermissionCheck.forOwnerOf(home.root()).home(home);
            if (passwordFile != null) {
                check.secret(context.resolve(passwordFile));
            }
            List<Finding> permissions = check.findings();
            return permissions.isEmpty() ? TrustFindings.of(home, signers(home)) : permissions;
        }

        /** Returns the names on the lists of policies; none if the file is unreadable, as other commands say. */
        private static List<String> signers(Home home) {
            try {
                return new PolicyStore(home)
                        .read().policies().stream()
                                .flatMap(policy -> Stream.of(
                                        policy.signing().signers(),
                                        policy.signing().brokers()))
                                .flatMap(List::stream)
                                .distinct()
                                .toList();
            } catch (IOException | RuntimeException unreadable) {
                return List.of();
            }
        }
    }
}
