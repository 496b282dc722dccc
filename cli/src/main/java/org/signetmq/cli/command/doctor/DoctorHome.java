/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.doctor;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.command.policy.PolicyStore;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.CommandContext;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Json;
import org.signetmq.cli.console.JsonOption;
import org.signetmq.keystore.Finding;
import org.signetmq.keystore.Home;
import org.signetmq.keystore.PermissionCheck;
import org.signetmq.keystore.TrustFindings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code signet doctor home}. */
@Command(
        name = "home",
        description = {
            "Lists what is wrong with the home, each with the command that mends it: files that other users may",
            "change, passwords and keys that they may read, and names in certificates that do not stand for one key.",
            "Exits 1 if anything is wrong."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  signet doctor home --home /var/lib/signet",
            "  signet doctor home --password-file /etc/signet/password --json",
        })
public final class DoctorHome implements Callable<Integer> {
    private final CommandContext context;

    @Option(
            names = "--password-file",
            paramLabel = "FILE",
            description = "A password file outside the home, to be looked at too.")
    private @Nullable Path passwordFile;

    @Mixin
    private final JsonOption json = new JsonOption();

    public DoctorHome(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        Home home = context.uncheckedHome();
        if (!Files.isDirectory(home.root())) {
            throw CliException.configuration("home: no folder " + home.root());
        }
        List<Finding> findings = findings(home);
        if (json.wanted) {
            print(findings);
        } else {
            findings.forEach(finding -> {
                context.out().println(finding.path() + ": " + finding.what());
                context.out().println("    " + finding.mend());
            });
            context.say(findings.isEmpty() ? home.root() + ": nothing found" : findings.size() + " found");
        }
        return findings.isEmpty() ? ExitCode.OK : ExitCode.FAILURE;
    }

    /** Each check of a home adds its findings here. */
    private List<Finding> findings(Home home) {
        List<Finding> findings = new ArrayList<>(permissions(home));
        if (findings.isEmpty()) {
            // a home that others may change is refused before its certificates are read
            findings.addAll(TrustFindings.of(home, signers(home)));
        }
        return findings;
    }

    /** The names on the lists of the home's policies; none if the file cannot be read, which other commands tell. */
    private static List<String> signers(Home home) {
        try {
            return new PolicyStore(home)
                    .read().policies().stream()
                            .flatMap(policy -> Stream.concat(
                                    policy.signing().signers().stream(), policy.signing().brokers().stream()))
                            .distinct()
                            .toList();
        } catch (IOException | RuntimeException unreadable) {
            return List.of();
        }
    }

    private List<Finding> permissions(Home home) {
        PermissionCheck check = PermissionCheck.forOwnerOf(home.root()).home(home);
        if (passwordFile != null) {
            check.secret(context.resolve(passwordFile));
        }
        return check.findings();
    }

    private void print(List<Finding> findings) {
        ObjectNode answer = Json.answer();
        ArrayNode rows = answer.putArray("findings");
        findings.forEach(finding -> rows.addObject()
                .put("path", finding.path())
                .put("what", finding.what())
                .put("mend", finding.mend()));
        Json.print(answer, context.out());
    }
}
