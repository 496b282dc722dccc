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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.command.keys.KeysCommand;
import org.signetmq.cli.connection.BrokerAccess;
import org.signetmq.cli.connection.BrokerUrl;
import org.signetmq.cli.connection.LoginOptions.ManagementOptions;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.ReportingCommand;
import org.signetmq.keystore.home.Finding;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.keys.CryptoProviders;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The commands {@code signet doctor}. */
@Command(
        name = "doctor",
        description = {
            "Looks for everything that could be wrong, and says what to do.",
            "Checks the home, its permissions, policies and certificates, and the providers of cryptography; with"
                    + " --broker also a running broker: its plugins, acceptors, dead letters, rights, clock, versions.",
            "Exits 1 if anything is wrong, and 4 if the broker cannot be reached. Warnings do not count."
        },
        footer = {
            "  signet doctor",
            "  signet doctor --broker tcp://localhost:61616 --user admin --broker-password-file admin.password",
        })
public final class DoctorCommands extends ReportingCommand {
    private static final String PASSWORD_FILE = "A password file outside the home, to be looked at too.";

    @Option(names = "--password-file", paramLabel = "FILE", description = PASSWORD_FILE)
    private @Nullable Path passwordFile;

    @Option(
            names = "--broker",
            paramLabel = "URL",
            description = "Check this running broker, too: an acceptor such as tcp://localhost:61616; default "
                    + "$SIGNET_BROKER.")
    private @Nullable String broker;

    @Option(names = "--verbose", description = "Print a line for each check, not only for what is wrong.")
    private boolean verbose;

    @Mixin
    private final ManagementOptions management = new ManagementOptions();

    @Override
    public List<Class<?>> commands() {
        return List.of(Crypto.class, HomeCheck.class, KeysCommand.class);
    }

    @Override
    public Integer call() throws IOException {
        boolean isBroker = !BrokerUrl.named(broker == null ? List.of() : List.of(broker), context)
                .isEmpty();
        if (!isBroker && management.isGiven()) {
            throw usage("--broker: missing, and the options for a connection need it");
        }
        BrokerAccess access = isBroker ? management.to(broker, context) : null;
        Report report = new Report();
        here(isBroker, report);
        boolean isReachable = access == null
                || new BrokerChecks(access, management, context.shell().clock(), version()).into(report);
        report(Map.of("checks", report.verdicts()), () -> verbose ? report.lines() : report.findings());
        return isReachable ? report.isWrong() ? ExitCode.FAILURE : ExitCode.OK : ExitCode.BROKER;
    }

    /** An administrator of a remote broker needs no home here. */
    private void here(boolean isBroker, Report report) {
        Home home = context.uncheckedHome();
        boolean isMeant = !isBroker
                || context.homeOption().isPresent()
                || !context.environment("SIGNET_HOME").isEmpty()
                || Files.isDirectory(home.root());
        if (isMeant) {
            context.requireOwn(home);
            HomeChecks.of(home, passwordFile, context).into(report);
        }
        report.check("crypto providers", found -> providers(CryptoProviders.standard()));
    }

    private static String providers(CryptoProviders providers) {
        String used = CryptoSpeed.measure(providers, Duration.ZERO).stream() // each primitive once
                .map(CryptoSpeed.Primitive::provider)
                .distinct()
                .collect(Collectors.joining(", "));
        return used + "; native provider: " + nativeProvider(providers);
    }

    private static String nativeProvider(CryptoProviders providers) {
        return providers
                .accelerated()
                .map(provider -> provider.getName() + " " + provider.getVersionStr())
                .orElse("none");
    }

    /** Returns the version of this program, as the plugin tells its own. */
    private static String version() {
        String version = DoctorCommands.class.getPackage().getImplementationVersion();
        return version == null ? "unknown" : version;
    }

    /** The command {@code signet doctor crypto}. */
    @Command(
            name = "crypto",
            description = {
                "Says which provider serves which primitive, and how fast it is here.",
                "Microseconds are those of one operation, on 2,048 bytes where no other length stands beside its name."
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
            Answer answer = new Answer(nativeProvider(providers), rows);
            report(answer, answer::lines);
            return ExitCode.OK;
        }
    }

    /** The command {@code signet doctor home}. */
    @Command(
            name = "home",
            description = {
                "Lists what is wrong with the home, each with the command that mends it.",
                "These are files that other users may change, passwords and keys that they may read, and names in "
                        + "certificates that do not stand for one key.",
                "Exits 1 if anything is wrong."
            },
            footer = {
                "  signet doctor home --home /var/lib/signet",
                "  signet doctor home --password-file /etc/signet/password --json",
            })
    static final class HomeCheck extends ReportingCommand {
        @Option(names = "--password-file", paramLabel = "FILE", description = PASSWORD_FILE)
        private @Nullable Path passwordFile;

        @Override
        public Integer call() {
            Home home = context.uncheckedHome();
            context.requireOwn(home);
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
            HomeChecks checks = HomeChecks.of(home, passwordFile, context);
            List<Finding> permissions = checks.permissionFindings();
            return permissions.isEmpty() ? checks.nameFindings() : permissions;
        }
    }
}
