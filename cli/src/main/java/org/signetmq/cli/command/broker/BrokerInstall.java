/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.broker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.command.policy.PolicyStore;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.PasswordOptions;
import org.signetmq.cli.install.Installation;
import org.signetmq.cli.install.Jars;
import org.signetmq.cli.install.Jars.Page;
import org.signetmq.cli.install.Plan;
import org.signetmq.cli.install.Roles;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.external.KeyStoreUri;
import org.signetmq.keystore.file.WholeFile;
import org.signetmq.keystore.home.Finding;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Password;
import org.signetmq.keystore.home.PermissionCheck;
import org.signetmq.keystore.home.PolicyMark;
import org.signetmq.keystore.token.TokenKeyStore;
import org.signetmq.policy.WildcardSyntax;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code signet broker install}. */
@Command(
        name = "install",
        description = "Puts the plugin into a broker instance: its jar into lib, and its entry first among the plugins "
                + "of broker.xml. Keeps a backup; a second time there is nothing to do.",
        footer = {
            "  signet broker install /var/lib/artemis --home /var/lib/signet --dry-run",
            "  signet broker install /var/lib/artemis --home /var/lib/signet --password-file /var/lib/signet/password",
            "  signet broker install /var/lib/artemis --home /var/lib/signet --admin-role security --viewer-role audit",
        })
public final class BrokerInstall extends InstanceCommand {
    private static final List<String> STORES = List.of(Installation.IN_BROKER, "file");

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
            names = "--key-store",
            paramLabel = "URI",
            description =
                    "A token or key service with the private key of the broker's identity, as a pkcs11: URI with a pin-source "
                            + "or a transit: URI; "
                            + "default as before, at first the home.")
    private @Nullable String keyStore;

    @Option(
            names = "--native-library",
            negatable = true,
            description = "Whether the native library for cryptography goes into lib where it works: signatures take a "
                    + "quarter of the time with it, and leave less garbage. Default as before, at first yes.")
    private @Nullable Boolean nativeLibrary;

    @Option(
            names = "--dead-letter-settings",
            description = "Give the dead-letter and expiry addresses that broker.xml names settings of their own, if "
                    + "they have none: the broker then moves a message there no second time.")
    private boolean deadLetterSettings;

    @Option(
            names = "--console",
            negatable = true,
            description = "Whether the web server of the broker has the page for administrators, at /signet beside the "
                    + "console. Default as before, at first no.")
    private @Nullable Boolean console;

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

    @Override
    public Integer call() throws IOException {
        Path home = absolute(context.uncheckedHome().root());
        Installation.Request request = request(home);
        Page page = Page.carried(Optional.ofNullable(console));
        Plan plan = change(folder -> {
            Plan planned = Installation.plan(folder, request, page);
            requireNoLoss(planned);
            requirePasswordThatOpens(planned, request.password());
            return planned;
        });
        if (plan.path(Installation.HOME).isPresent()) {
            Home ofBroker = new Home(plan.path(Installation.HOME).get());
            if (!context.environment("SIGNET_HOME").isEmpty()
                    && !ofBroker.root().equals(home)) {
                // an environment variable does not change earlier properties
                context.warn("the broker keeps its home " + ofBroker.root() + "; --home " + home + " changes it");
            }
            context.say("the broker signs as '" + signer(plan) + "' of " + ofBroker.root());
            boolean inBroker = plan.property(Installation.POLICY_STORE).equals(Optional.of(Installation.IN_BROKER));
            if (inBroker) {
                mark(ofBroker, plan);
            }
            Optional<String> owner = PermissionCheck.otherOwner(ofBroker.root());
            if (owner.isPresent()) {
                context.say("check its home: run: sudo -u " + owner.get() + " signet --home " + ofBroker.root()
                        + " doctor home");
            } else {
                warnAbout(ofBroker, plan, inBroker);
            }
        }
        plan.path(Installation.PASSWORD_FILE)
                .filter(file -> !isInToken(plan) && !plan.writes(file) && !Files.exists(file))
                .ifPresent(file -> context.warn(file + ": not there yet, and the broker rejects every message without "
                        + "the password of its key store; its first line is the password"));
        return ExitCode.OK;
    }

    private void warnAbout(Home home, Plan plan, boolean inBroker) throws IOException {
        boolean hasPolicies = Files.exists(home.policies());
        if (inBroker && hasPolicies && !plan.isEmpty()) {
            context.say("the broker takes over the policies of " + home.policies()
                    + " once, when it first starts with this store; change them with signet policy ... --broker "
                    + "URL after");
        }
        warnOfGaps(home, plan, inBroker);
        if (plan.wildcards().isPresent() && (hasPolicies || !inBroker)) {
            warnOfOtherWildcards(home, plan.wildcards().get());
        }
    }

    /**
     * Marks the store of a first installation as new. A mark that is there stays, because it may be of policies that
     * were lost. A new folder gets the mark of the former one.
     */
    private void mark(Home home, Plan plan) {
        Optional<Path> folder = plan.path(Installation.POLICY_MARK);
        PolicyMark mark = folder.map(PolicyMark::new).orElseGet(home::policyMark);
        if (isDryRun()
                || plan.isEmpty()
                || (folder.isEmpty() && Files.notExists(home.root()))
                || PermissionCheck.otherOwner(mark.folder()).isPresent()) {
            return;
        }
        try {
            WholeFile.makeFolder(mark.folder());
            Optional<PolicyMark.Content> there = mark.read();
            PolicyMark former = plan.formerPath(Installation.POLICY_MARK)
                    .map(PolicyMark::new)
                    .orElseGet(home::policyMark);
            boolean isReadable = Files.exists(former.file())
                    && PermissionCheck.otherOwner(former.folder()).isEmpty();
            Optional<PolicyMark.Content> before = isReadable ? former.read() : Optional.empty();
            if (there.isEmpty() && plan.isFirst()) {
                mark.replace(PolicyMark.Content.NEW);
            } else if (there.isEmpty() && before.isPresent()) {
                mark.replace(before.get());
            } else if (plan.isFirst() && !there.equals(Optional.of(PolicyMark.Content.NEW))) {
                context.warn(mark.file() + ": says that policies were in force, and a broker without them rejects every"
                        + " message; brokers that share a home need a folder each, which --policy-mark names");
            }
        } catch (IOException e) {
            context.warn(e.getMessage() + "; the broker rejects every message until the mark can be written");
        }
    }

    private Installation.Request request(Path home) throws IOException {
        Map<String, String> given = new HashMap<>();
        context.homeOption().ifPresent(named -> given.put(Installation.HOME, home.toString()));
        if (identity != null) {
            given.put(Installation.IDENTITY, identity);
        }
        if (passwordFile != null) {
            given.put(Installation.PASSWORD_FILE, absolute(passwordFile).toString());
        }
        if (keyStore != null) {
            given.put(Installation.KEY_STORE, keyStore);
            if (KeyStoreUri.parse(keyStore).needsPin()) {
                context.warn("--key-store: no pin-source, so the broker needs the PIN in its environment, as "
                        + TokenKeyStore.PIN_VARIABLE);
            }
        }
        if (store != null) {
            if (!STORES.contains(store)) {
                throw CliException.usage("--policy-store: must be broker or file, found '" + store + "'");
            }
            given.put(Installation.POLICY_STORE, store);
        }
        if (mark != null) {
            given.put(Installation.POLICY_MARK, absolute(mark).toString());
        }
        if (required != null) {
            given.put(Installation.REQUIRE_POLICIES, required.toString());
        }
        Optional<String> password = Optional.of(context.environment(PasswordOptions.VARIABLE))
                .filter(value -> !value.isEmpty() && passwordFile == null && !Files.exists(home.resolve("password")));
        return new Installation.Request(
                Jars.carried(),
                Optional.ofNullable(nativeLibrary),
                home,
                new Installation.Given(
                        given,
                        roles(),
                        deadLetterSettings
                                ? Installation.DeadLetters.WITH_SETTINGS
                                : Installation.DeadLetters.AS_THEY_ARE),
                password);
    }

    private Roles roles() {
        try {
            return new Roles(Optional.ofNullable(adminRole), Optional.ofNullable(viewerRole));
        } catch (IllegalArgumentException e) {
            throw CliException.usage("--admin-role, --viewer-role: " + e.getMessage());
        }
    }

    private static boolean isInToken(Plan plan) {
        return plan.property(Installation.KEY_STORE).isPresent();
    }

    /** Rejects a change that takes its home, its key or its password from a broker that has them. */
    private static void requireNoLoss(Plan plan) {
        Map<String, String> former = plan.former().orElse(Map.of());
        boolean works = !plan.isFirst()
                && needed(
                                plan::formerPath,
                                former.getOrDefault(Installation.IDENTITY, Installation.DEFAULT_IDENTITY),
                                former.containsKey(Installation.KEY_STORE))
                        .allMatch(Files::exists);
        if (works) {
            needed(plan::path, signer(plan), isInToken(plan))
                    .filter(file -> Files.notExists(file) && !plan.writes(file))
                    .findFirst()
                    .ifPresent(file -> {
                        throw CliException.configuration(file + ": not there, and the broker, which has its home "
                                        + former.get(Installation.HOME) + ", would reject every message")
                                .hint("nothing was changed; name what exists by --home, --identity and "
                                        + "--password-file");
                    });
        }
    }

    /** Returns the files without which the broker rejects every message, as far as they can be looked for here. */
    private static Stream<Path> needed(Function<String, Optional<Path>> paths, String signer, boolean inToken) {
        Optional<Path> home = paths.apply(Installation.HOME);
        return inToken
                ? home.stream()
                : Stream.concat(
                        home.map(root -> keyOf(signer, root)).stream(),
                        paths.apply(Installation.PASSWORD_FILE).stream());
    }

    private static Path keyOf(String signer, Path home) {
        return new Home(home).identities().resolve(signer + ".p12");
    }

    private static String signer(Plan plan) {
        return plan.property(Installation.IDENTITY).orElse(Installation.DEFAULT_IDENTITY);
    }

    /**
     * Rejects a password that does not open the broker's key. It accepts a missing password, and one that others can
     * read: warnings follow.
     */
    private static void requirePasswordThatOpens(Plan plan, Optional<String> toBeWritten) {
        Optional<Home> home = plan.path(Installation.HOME).map(Home::new);
        Optional<Path> file = plan.path(Installation.PASSWORD_FILE);
        if (home.isEmpty() || file.isEmpty()) {
            return;
        }
        boolean written = plan.writes(file.get()) && toBeWritten.isPresent();
        if (!Files.exists(keyOf(signer(plan), home.get().root()))
                || !(written || Files.exists(file.get()))
                || PermissionCheck.otherOwner(file.get()).isPresent()
                || !findings(home.get()).isEmpty()) {
            return;
        }
        try (Password password =
                written ? Password.takeOwnershipOf(toBeWritten.get().toCharArray()) : Password.fromFile(file.get())) {
            home.get().identityStore().load(signer(plan), password);
        } catch (KeystoreUnusableException e) {
            throw CliException.configuration(String.valueOf(e.getMessage()))
                    .hint("nothing was changed; the password comes from "
                            + (written ? PasswordOptions.VARIABLE : file.get())
                            + ", and --password-file names another file")
                    .causedBy(e);
        }
    }

    private static List<Finding> findings(Home home) {
        return PermissionCheck.forThisUser().home(home).findings();
    }

    private Path absolute(Path path) {
        return context.resolve(path).toAbsolutePath().normalize();
    }

    /** Warns of a home with which the broker would start and reject every message. */
    private void warnOfGaps(Home home, Plan plan, boolean inBroker) {
        String signer = signer(plan);
        findings(home).forEach(finding -> context.warn(finding + "; the broker rejects every message until then"));
        if (!Files.exists(home.policies()) && inBroker) {
            context.warn(home.policies() + ": not there, and the broker protects no message until signet policy set "
                    + "... --broker URL makes policies in it");
        } else if (!Files.exists(home.policies())) {
            context.warn(home.policies() + ": not there yet, and the broker rejects every message without policies; "
                    + "signet policy set makes them");
        }
        if (!isInToken(plan) && !home.identityStore().names().contains(signer)) {
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
