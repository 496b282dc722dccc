/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.broker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.command.policy.PolicyStore;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.PasswordOptions;
import org.signetmq.cli.console.Subcommand;
import org.signetmq.cli.install.Installation;
import org.signetmq.cli.install.Jars;
import org.signetmq.cli.install.Plan;
import org.signetmq.cli.install.PluginProperties;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.home.Finding;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Password;
import org.signetmq.keystore.home.PermissionCheck;
import org.signetmq.policy.WildcardSyntax;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code signet broker install}. */
@Command(
        name = "install",
        description = "Puts the plugin into a broker instance: its jar into lib, and its entry first among the plugins "
                + "of broker.xml. Keeps a backup; a second time there is nothing to do.",
        footer = {
            "  signet broker install /var/lib/artemis --home /var/lib/signet --dry-run",
            "  signet broker install /var/lib/artemis --home /var/lib/signet --password-file /var/lib/signet/password",
        })
public final class BrokerInstall extends Subcommand {
    /** The identity that the broker signs as unless another is named. */
    private static final String IDENTITY = "broker";

    @Mixin
    private final InstanceOptions instance = new InstanceOptions();

    @Option(
            names = "--identity",
            paramLabel = "NAME",
            description = "The identity of the home that the broker signs as; default broker.")
    private @Nullable String identity;

    @Option(
            names = "--password-file",
            paramLabel = "FILE",
            description = "Where the broker finds the password of its key store; default the file password in the "
                    + "home. If there is none, $SIGNET_PASSWORD is kept in the instance, in etc/signet-password.")
    private @Nullable Path passwordFile;

    @Option(
            names = "--native-library",
            negatable = true,
            description = "Whether the native library for cryptography goes into lib where it works: signatures take a "
                    + "quarter of the time with it, and leave less garbage. Default as before, at first yes.")
    private @Nullable Boolean nativeLibrary;

    @Override
    public Integer call() throws IOException {
        Home home = new Home(absolute(context.uncheckedHome().root()));
        Installation.Request request = request(home);
        Plan plan = instance.change(context, folder -> {
            Plan planned = Installation.plan(folder, request);
            requirePasswordThatOpens(planned, request.password());
            return planned;
        });
        PluginProperties properties = plan.properties();
        if (properties.home().isPresent()) {
            Home ofBroker = new Home(properties.home().get());
            String signer = properties.identity().orElse(IDENTITY);
            boolean named = !context.environment("SIGNET_HOME").isEmpty();
            if (named && !ofBroker.root().equals(home.root())) {
                // an environment variable does not change earlier properties
                context.warn(
                        "the broker keeps its home " + ofBroker.root() + "; --home " + home.root() + " changes it");
            }
            context.say("the broker signs as '" + signer + "' of " + ofBroker.root());
            warnOfGaps(ofBroker, signer);
            if (plan.wildcards().isPresent()) {
                warnOfOtherWildcards(ofBroker, plan.wildcards().get());
            }
        }
        Optional<Path> file = properties.passwordFile();
        if (file.isPresent() && !plan.writes(file.get()) && !Files.exists(file.get())) {
            context.warn(file.get() + ": not there yet, and the broker rejects every message without the password of "
                    + "its key store; its first line is the password");
        }
        return ExitCode.OK;
    }

    private Installation.Request request(Home home) throws IOException {
        PluginProperties given = new PluginProperties(
                context.homeOption().map(named -> home.root()),
                Optional.ofNullable(identity),
                Optional.ofNullable(passwordFile).map(this::absolute));
        Path inHome = home.root().resolve("password");
        Optional<String> password = Optional.of(context.environment(PasswordOptions.VARIABLE))
                .filter(value -> !value.isEmpty() && passwordFile == null && !Files.exists(inHome));
        PluginProperties defaults = new PluginProperties(
                Optional.of(home.root()),
                Optional.of(IDENTITY),
                password.isPresent() ? Optional.empty() : Optional.of(inHome));
        Jars.Choice choice = Boolean.TRUE.equals(nativeLibrary) ? Jars.Choice.INSTALL : Jars.Choice.LEAVE_OUT;
        Jars jars = Jars.carried(nativeLibrary == null ? Jars.Choice.AS_BEFORE : choice);
        return new Installation.Request(jars, given, defaults, password);
    }

    /**
     * Rejects a password that does not open the key of the broker. One that is absent, or open to others, is a warning:
     * the broker takes it in when it is right.
     */
    private static void requirePasswordThatOpens(Plan plan, Optional<String> toBeWritten) {
        PluginProperties properties = plan.properties();
        if (properties.home().isEmpty() || properties.passwordFile().isEmpty()) {
            return;
        }
        Home home = new Home(properties.home().get());
        Path file = properties.passwordFile().get();
        String name = properties.identity().orElse(IDENTITY);
        boolean written = plan.writes(file) && toBeWritten.isPresent();
        if (!Files.exists(home.identities().resolve(name + ".p12"))
                || !(written || Files.exists(file))
                || !findings(home).isEmpty()) {
            return;
        }
        try (Password password =
                written ? Password.takeOwnershipOf(toBeWritten.get().toCharArray()) : Password.fromFile(file)) {
            home.identityStore().load(name, password);
        } catch (KeystoreUnusableException e) {
            throw CliException.configuration(String.valueOf(e.getMessage()))
                    .hint("nothing was changed; the password comes from "
                            + (written ? PasswordOptions.VARIABLE : file.toString())
                            + ", and --password-file names another file")
                    .causedBy(e);
        }
    }

    private static List<Finding> findings(Home home) {
        return PermissionCheck.forOwnerOf(home.root()).home(home).findings();
    }

    private Path absolute(Path path) {
        return context.resolve(path).toAbsolutePath().normalize();
    }

    /** Warns of a home with which the broker would start and reject every message. */
    private void warnOfGaps(Home home, String signer) {
        findings(home).forEach(finding -> context.warn(finding + "; the broker rejects every message until then"));
        if (!Files.exists(home.policies())) {
            context.warn(home.policies() + ": not there yet, and the broker rejects every message without policies; "
                    + "signet policy set makes them");
        }
        if (!home.identityStore().names().contains(signer)) {
            context.warn(home.root() + ": holds no key of '" + signer + "' yet, and the broker rejects every message "
                    + "without; signet identity create makes one");
        }
    }

    private void warnOfOtherWildcards(Home home, WildcardSyntax ofBroker) throws IOException {
        WildcardSyntax ofPolicies = new PolicyStore(home).read().wildcards();
        if (!ofPolicies.equals(ofBroker)) {
            context.warn(home.policies() + ": patterns have " + ofPolicies.describe() + ", but broker.xml has "
                    + ofBroker.describe() + ", and the broker rejects every message while they differ; signet policy "
                    + "wildcards --delimiter '" + ofBroker.delimiter() + "' --any-words '" + ofBroker.anyWords()
                    + "' --single-word '" + ofBroker.singleWord() + "' changes them");
        }
    }
}
