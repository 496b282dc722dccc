/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.broker;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.CommandContext;
import org.signetmq.cli.install.Installation;
import org.signetmq.cli.install.Roles;
import picocli.CommandLine.Option;

/** The options that say where the policies of a broker live, and which roles may manage them there. */
final class PolicyStoreOptions {
    private static final List<String> STORES = List.of(Installation.IN_BROKER, "file");

    @Option(
            names = "--policy-store",
            paramLabel = "broker|file",
            description =
                    "Where the policies of the broker live: in the broker, which signet policy --broker changes while "
                            + "it runs, or in the file of the home. Default as before, at first broker.")
    private @Nullable String store;

    @Option(
            names = "--policy-mark",
            paramLabel = "DIR",
            description = "The folder in which the broker remembers that it has policies, outside of its data; default "
                    + "the home, or etc of the instance if the broker cannot write into its home.")
    private @Nullable Path mark;

    @Option(
            names = "--require-policies",
            negatable = true,
            description = "Whether a broker that holds no policies at all rejects every message until signet policy "
                    + "import --restore. Default as before, at first no.")
    private @Nullable Boolean required;

    @Option(
            names = "--admin-role",
            paramLabel = "ROLE",
            description = "The role of users who may change and read the policies over the network. It goes into "
                    + "<security-settings>.")
    private @Nullable String adminRole;

    @Option(names = "--viewer-role", paramLabel = "ROLE", description = "The role of users who may only read them.")
    private @Nullable String viewerRole;

    /** Returns what the administrator chooses, with these other properties. */
    Installation.Given with(Map<String, String> properties, CommandContext context) {
        Map<String, String> all = new HashMap<>(properties);
        if (store != null) {
            if (!STORES.contains(store)) {
                throw CliException.usage("--policy-store: must be broker or file, found '" + store + "'");
            }
            all.put(Installation.POLICY_STORE, store);
        }
        if (mark != null) {
            all.put(
                    Installation.POLICY_MARK,
                    context.resolve(mark).toAbsolutePath().normalize().toString());
        }
        if (required != null) {
            all.put(Installation.REQUIRE_POLICIES, required.toString());
        }
        return new Installation.Given(all, roles());
    }

    private Roles roles() {
        try {
            return new Roles(Optional.ofNullable(adminRole), Optional.ofNullable(viewerRole));
        } catch (IllegalArgumentException e) {
            throw CliException.usage("--admin-role, --viewer-role: " + e.getMessage());
        }
    }
}
