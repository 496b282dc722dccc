/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.identity;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.CommandContext;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.KeyStoreOptions.NoTokenOption;
import org.signetmq.cli.console.OutputOptions;
import org.signetmq.cli.console.PasswordOptions;
import org.signetmq.cli.console.PasswordOptions.PasswordSource;
import org.signetmq.cli.console.ReportingCommand;
import org.signetmq.cli.console.Subcommand;
import org.signetmq.cli.console.TextTable;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.enrolment.PasswordChange;
import org.signetmq.keystore.enrolment.PendingRequests;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.IssuedCertificates;
import org.signetmq.keystore.home.KeyStoreFile;
import org.signetmq.keystore.home.Password;
import org.signetmq.keystore.home.Pem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** The commands {@code signet identity}. */
@Command(name = "identity", description = "Creates and shows identities.")
public final class IdentityCommands extends Subcommand {
    static final String LISTED = "As in signet identity list.";

    /** Returns the kind of key that {@code --key-algorithm} names. */
    static KeyAlgorithm keyAlgorithm(String label, Function<String, ParameterException> usage) {
        return KeyAlgorithm.named(label)
                .orElseThrow(() -> usage.apply("Invalid value for option '--key-algorithm': '" + label
                        + "' is none of "
                        + Stream.of(KeyAlgorithm.values())
                                .map(KeyAlgorithm::label)
                                .collect(Collectors.joining(", "))));
    }

    /** Checks that the home has a private key of this name. */
    static void requireKey(String name, Home home) {
        if (!home.identityStore().names().contains(name)) {
            throw CliException.failure("identity '" + name + "': not in " + home.identities())
                    .hint("signet identity list shows those with a key; identity create makes one");
        }
    }

    /** Warns if the home issued certificates for other keys of the same name, and they have not ended. */
    static void warnOfOtherKeys(X509Certificate made, CommandContext context) {
        KeyIdentifier own = KeyIdentifier.ofKey(made);
        List<String> others = new IssuedCertificates(
                        context.existingHome(), context.shell().clock())
                .of(made.getSubjectX500Principal()).stream()
                        .map(KeyIdentifier::ofKey)
                        .filter(key -> !key.equals(own))
                        .map(KeyIdentifier::toString)
                        .distinct()
                        .toList();
        if (!others.isEmpty()) {
            context.warn(
                    "other keys have certificates of this home with the same distinguished name that have not ended: "
                            + String.join(", ", others));
        }
    }

    @Override
    public List<Class<?>> commands() {
        return List.of(
                CreateCommand.class,
                Listing.class,
                ShowCommand.class,
                Export.class,
                RequestCommand.class,
                ImportCommand.class,
                SignCommand.class,
                RenewCommand.class,
                RetireCommand.class,
                PasswordCommand.class);
    }

    /** The command {@code signet identity list}. */
    @Command(
            name = "list",
            description = "Lists the identities and recipients of the home with all their keys. Needs no password.",
            footer = {"  signet identity list", "  signet identity list --json"})
    static final class Listing extends ReportingCommand {
        private record Row(
                String name,
                boolean privateKey,
                @Nullable Map<String, String> certificate,
                List<KnownIdentity.FormerKey.Row> former) {}

        private record Listed(List<Row> identities, List<PendingRow> requests) {}

        /** A request for a certificate that is not there yet, in the answer of {@code identity list}. */
        private record PendingRow(String name, String dn, String keyAlgorithm, String keyId) {
            /** Returns the pending requests of a home. */
            static List<PendingRow> all(Home home) {
                PendingRequests pending = new PendingRequests(home);
                return pending.names().stream()
                        .flatMap(name -> pending.find(name).stream()
                                .map(request -> new PendingRow(
                                        name,
                                        request.subject().getName(),
                                        KnownIdentity.algorithm(request.publicKey()),
                                        request.keyIdentifier().toString())))
                        .toList();
            }
        }

        @Override
        public Integer call() {
            Home home = context.existingHome();
            List<KnownIdentity> known = KnownIdentity.all(home);
            List<PendingRow> pending = PendingRow.all(home);
            if (known.isEmpty() && pending.isEmpty() && !json) {
                context.say(home.root() + " has no identities");
                return ExitCode.OK;
            }
            List<Row> rows = known.stream()
                    .map(identity -> new Row(
                            identity.name(),
                            identity.hasPrivateKey(),
                            identity.facts(),
                            KnownIdentity.FormerKey.Row.of(identity)))
                    .toList();
            report(new Listed(rows, pending), () -> table(known, pending).lines());
            return ExitCode.OK;
        }

        private static TextTable table(List<KnownIdentity> known, List<PendingRow> pending) {
            TextTable table = TextTable.of("NAME", "DN", "KEY ALGORITHM", "NOT AFTER", "KEY ID", "HELD");
            for (KnownIdentity identity : known) {
                row(table, identity, Objects.requireNonNullElse(identity.facts(), Map.of()), identity.held());
                identity.former().forEach(key -> row(table, identity, key.facts(), key.held()));
            }
            pending.forEach(request -> table.row(
                    request.name(), request.dn(), request.keyAlgorithm(), "", request.keyId(), "pending request"));
            return table;
        }

        private static void row(TextTable table, KnownIdentity identity, Map<String, String> facts, String held) {
            table.row(
                    identity.name(),
                    facts.getOrDefault("dn", ""),
                    facts.getOrDefault("key-algorithm", ""),
                    facts.getOrDefault("not-after", ""),
                    facts.getOrDefault("key-id", ""),
                    held);
        }
    }

    /** The command {@code signet identity export}. */
    @Command(
            name = "export",
            description =
                    "Writes the certificate chain and the former certificates as PEM, with --private-key the current key "
                            + "and its chain, unencrypted; with --format p12 the current key and its chain, encrypted.",
            footer = {
                "  signet identity export alice > alice.pem",
                "  signet identity export alice --private-key --out alice-key.pem",
                "  signet identity export alice --format p12 --out alice.p12",
            })
    static final class Export extends Subcommand {
        private static final String PEM = "pem";
        private static final String P12 = "p12";

        @Parameters(paramLabel = "NAME", description = LISTED)
        private String name = "";

        @Option(
                names = "--private-key",
                description = "Also the private key, unencrypted (PKCS#8); needs the password.")
        private boolean privateKey;

        @Option(
                names = "--format",
                paramLabel = "FORMAT",
                description = "pem (default), or p12 for PKCS#12 with the private key.")
        private String format = PEM;

        @Mixin
        private final NewPasswordOptions newPassword = new NewPasswordOptions();

        @Mixin
        private final OutputOptions output = new OutputOptions();

        @Mixin
        private final PasswordOptions passwords = new PasswordOptions();

        @Mixin
        private final NoTokenOption token = new NoTokenOption();

        @Override
        public Integer call() throws IOException {
            token.refuse(
                    "a token does not give its keys away. signet identity show NAME --key-store URI shows the certificates");
            if (!format.equals(PEM) && !format.equals(P12)) {
                throw usage("--format: must be " + PEM + " or " + P12);
            }
            output.check(context);
            byte[] exported = format.equals(P12)
                    ? keyStore()
                    : (privateKey ? withPrivateKey() : certificates()).getBytes(StandardCharsets.US_ASCII);
            output.write(context, out -> out.write(exported));
            return ExitCode.OK;
        }

        /** Returns the key with its chain, under the new password, or that of the home if there is none. */
        private byte[] keyStore() throws IOException {
            try (Password password = passwords.existing(context);
                    Password other = newPassword.given(context)) {
                Password encrypting = other == null ? password : other;
                KeyStoreFile.requirePortable(encrypting);
                Identity identity = context.existingHome().identityStore().load(name, password);
                context.warn("the private key of " + name + " leaves the home, encrypted by "
                        + (other == null ? "the password of the home" : "the new password"));
                return KeyStoreFile.bytes(identity, encrypting);
            } catch (GeneralSecurityException e) {
                throw CliException.failure("identity '" + name + "': cannot be encrypted")
                        .causedBy(e);
            }
        }

        private String withPrivateKey() {
            Identity identity = passwords.load(context, name);
            context.warn("the private key of " + name + " leaves the home unencrypted");
            return Pem.privateKeyPem(identity) + Pem.certificatePem(identity);
        }

        private String certificates() throws IOException {
            Home home = context.existingHome();
            KnownIdentity identity = KnownIdentity.named(name, home);
            if (identity.certificate() == null) {
                throw CliException.configuration("identity '" + name + "': no certificate in " + home.recipients())
                        .hint("--private-key reads it from the key store");
            }
            return Stream.concat(
                            identity.chain(home).stream(),
                            identity.former().stream()
                                    .map(KnownIdentity.FormerKey::certificate)
                                    .filter(Objects::nonNull))
                    .map(Pem::certificatePem)
                    .collect(Collectors.joining());
        }
    }

    /** The command {@code signet identity password}. */
    @Command(
            name = "password",
            description =
                    "Changes the password of all keys of an identity: current, former, retired and pending ones. If it "
                            + "is interrupted, the same command completes the change.",
            footer = {
                "  signet identity password alice",
                "  signet identity password alice --password-file OLD --new-password-file NEW",
            })
    static final class PasswordCommand extends Subcommand {
        @Parameters(paramLabel = "NAME", description = "An identity of the home.")
        private String name = "";

        @Mixin
        private final PasswordOptions passwords = new PasswordOptions();

        @Mixin
        private final NewPasswordOptions newPassword = new NewPasswordOptions();

        @Mixin
        private final NoTokenOption token = new NoTokenOption();

        @Override
        public Integer call() {
            token.refuse("change the PIN of a token by its own program, and then its pin-source");
            Home home = context.existingHome();
            IdentityCommands.requireKey(name, home);
            try (Password old = passwords.existing(context);
                    Password next = newPassword.fresh(context)) {
                int files = new PasswordChange(home).change(name, old, next);
                context.print(name + ": password changed, " + (files == 1 ? "1 key" : files + " keys"));
            }
            context.say("give the new password to the programs that use " + name
                    + ": a broker needs it now, a consumer at its next start");
            return ExitCode.OK;
        }
    }

    /** The sources of a new password. It never comes from an option's value. */
    static final class NewPasswordOptions {
        private static final String VARIABLE = "SIGNET_NEW_PASSWORD";
        private static final String OPTION = "--new-password-file";

        @Option(
                names = OPTION,
                paramLabel = "FILE",
                description =
                        "The first line is the new password; else $SIGNET_NEW_PASSWORD. Without both, identity password asks, and "
                                + "identity export keeps the present one.")
        private @Nullable Path file;

        /** Returns the new password; a user at a terminal types it twice. */
        Password fresh(CommandContext context) {
            return source().fresh(context, "New password: ");
        }

        /** Returns the new password if there is one; null if not. */
        @Nullable
        Password given(CommandContext context) {
            return source().given(context);
        }

        private PasswordSource source() {
            return new PasswordSource(file, VARIABLE, OPTION);
        }
    }
}
