/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.install.Installation;
import org.signetmq.cli.install.NativeLibrary;
import org.signetmq.cli.install.Plan;
import org.signetmq.cli.install.PluginJar;
import org.signetmq.cli.install.PluginProperties;
import org.signetmq.keystore.Home;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.Password;
import org.signetmq.keystore.PermissionCheck;
import org.signetmq.policy.WildcardSyntax;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code signet broker install}. */
@Command(
        name = "install",
        description = "Puts the plugin into a broker instance: its jar into lib, and its entry first among the plugins "
                + "of broker.xml. Keeps a backup; a second time there is nothing to do.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  signet broker install /var/lib/artemis --home /var/lib/signet --dry-run",
            "  signet broker install /var/lib/artemis --home /var/lib/signet --password-file /var/lib/signet/password",
        })
final class BrokerInstall implements Callable<Integer> {
    private final Session session;

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

    BrokerInstall(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() throws IOException {
        Home home = new Home(absolute(session.uncheckedHome().root()));
        Installation.Request request = request(home);
        Plan plan = instance.change(session, folder -> {
            Plan planned = Installation.plan(folder, request);
            requirePasswordThatOpens(planned, request.password());
            return planned;
        });
        PluginProperties properties = plan.properties();
        tellWhatStays(home, properties);
        properties.home().ifPresent(folder -> warnOfGaps(new Home(folder), properties.identity()));
        if (properties.home().isPresent() && plan.wildcards().isPresent()) {
            warnOfOtherWildcards(
                    new Home(properties.home().get()), plan.wildcards().get());
        }
        properties.passwordFile().filter(file -> !plan.writes(file)).ifPresent(this::warnOfMissingPassword);
        return ExitCode.OK;
    }

    private Installation.Request request(Home home) throws IOException {
        PluginProperties said = new PluginProperties(
                session.options().home == null ? Optional.empty() : Optional.of(home.root()),
                Optional.ofNullable(identity),
                Optional.ofNullable(passwordFile).map(this::absolute));
        Path inHome = home.root().resolve("password");
        Optional<String> password = Optional.ofNullable(
                        session.shell().environment().get(PasswordOptions.VARIABLE))
                .filter(value -> !value.isEmpty() && passwordFile == null && !Files.exists(inHome));
        PluginProperties otherwise = new PluginProperties(
                Optional.of(home.root()),
                Optional.of("broker"),
                password.isPresent() ? Optional.empty() : Optional.of(inHome));
        Installation.Jars jars = new Installation.Jars(PluginJar.carried(), NativeLibrary.carried(nativeChoice()));
        return new Installation.Request(jars, said, otherwise, password);
    }

    private NativeLibrary.Choice nativeChoice() {
        if (nativeLibrary == null) {
            return NativeLibrary.Choice.AS_BEFORE;
        }
        return nativeLibrary ? NativeLibrary.Choice.INSTALL : NativeLibrary.Choice.LEAVE_OUT;
    }

    /**
     * Refuses a password that does not open the key of the broker. What is not there yet, or is open to others, is a
     * warning: the broker takes it in when it is right.
     */
    private static void requirePasswordThatOpens(Plan plan, Optional<String> toBeWritten) {
        PluginProperties properties = plan.properties();
        if (properties.home().isEmpty() || properties.passwordFile().isEmpty()) {
            return;
        }
        Home home = new Home(properties.home().get());
        Path file = properties.passwordFile().get();
        String name = properties.identity().orElse("broker");
        boolean written = plan.writes(file) && toBeWritten.isPresent();
        if (!Files.exists(home.identities().resolve(name + ".p12"))
                || !(written || Files.exists(file))
                || !PermissionCheck.forOwnerOf(home.root())
                        .home(home)
                        .findings()
                        .isEmpty()) {
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

    /** What was said before holds until an option says otherwise: an environment variable does not change it. */
    private void tellWhatStays(Home home, PluginProperties properties) {
        properties.home().ifPresent(there -> {
            boolean otherwise = !session.shell()
                    .environment()
                    .getOrDefault("SIGNET_HOME", "")
                    .isEmpty();
            if (otherwise && !there.equals(home.root())) {
                session.warn("the broker keeps its home " + there + "; --home " + home.root() + " changes it");
            }
            session.say("the broker signs as '" + properties.identity().orElse("broker") + "' of " + there);
        });
    }

    private Path absolute(Path path) {
        return session.resolve(path).toAbsolutePath().normalize();
    }

    /** A broker that starts with less refuses every message. */
    private void warnOfGaps(Home home, Optional<String> signer) {
        PermissionCheck.forOwnerOf(home.root())
                .home(home)
                .findings()
                .forEach(finding -> session.warn(finding + "; the broker refuses every message until then"));
        if (!Files.exists(home.policies())) {
            session.warn(home.policies() + ": not there yet, and the broker refuses every message without policies; "
                    + "signet policy set makes them");
        }
        String name = signer.orElse("broker");
        if (!home.identityStore().names().contains(name)) {
            session.warn(home.root() + ": holds no key of '" + name + "' yet, and the broker refuses every message "
                    + "without; signet identity create makes one");
        }
    }

    /** A broker that matches otherwise than the policies say protects nothing. */
    private void warnOfOtherWildcards(Home home, WildcardSyntax ofBroker) throws IOException {
        WildcardSyntax ofPolicies = new PolicyStore(home).read().wildcards();
        if (!ofPolicies.equals(ofBroker)) {
            session.warn(home.policies() + ": patterns have " + ofPolicies.describe() + ", but broker.xml has "
                    + ofBroker.describe() + ", and the broker refuses every message while they differ; signet policy "
                    + "wildcards --delimiter '" + ofBroker.delimiter() + "' --any-words '" + ofBroker.anyWords()
                    + "' --single-word '" + ofBroker.singleWord() + "' changes them");
        }
    }

    private void warnOfMissingPassword(Path file) {
        if (!Files.exists(file)) {
            session.warn(file + ": not there yet, and the broker refuses every message without the password of its "
                    + "key store; its first line is the password");
        }
    }
}
