/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.identity;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.command.identity.CreateCommand.IssuerToken;
import org.signetmq.cli.command.identity.CreateCommand.ValidityOption;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.CommandContext;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.InputOption;
import org.signetmq.cli.console.KeyStoreOptions.NoTokenOption;
import org.signetmq.cli.console.KeyStoreOptions.TokenAccess;
import org.signetmq.cli.console.KeyStoreOptions.TokenOption;
import org.signetmq.cli.console.LabelledLines;
import org.signetmq.cli.console.OutputOptions;
import org.signetmq.cli.console.PasswordOptions;
import org.signetmq.cli.console.PasswordOptions.PasswordSource;
import org.signetmq.cli.console.ReportingCommand;
import org.signetmq.cli.console.Subcommand;
import org.signetmq.cli.console.TextTable;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.enrolment.CertificateAuthority;
import org.signetmq.keystore.enrolment.IdentityImport;
import org.signetmq.keystore.enrolment.PasswordChange;
import org.signetmq.keystore.enrolment.PendingRequests;
import org.signetmq.keystore.enrolment.SigningRequest;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.IdentityStore.IdentityKeys;
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

    /** The command {@code signet identity show}. */
    @Command(
            name = "show",
            description =
                    "Shows an identity or recipient with its certificate chain and its former keys. Needs no password. With "
                            + "--key-store it shows the keys there; a token needs its PIN.",
            footer = {
                "  signet identity show alice",
                "  signet identity show alice --json",
                "  signet identity show alice --key-store URI",
            })
    static final class ShowCommand extends ReportingCommand {
        @Parameters(paramLabel = "NAME", description = IdentityCommands.LISTED)
        private String name = "";

        @Mixin
        private final TokenOption keyStore = new TokenOption();

        private record Answer(
                String name,
                boolean privateKey,
                List<Map<String, String>> chain,
                List<KnownIdentity.FormerKey.Row> former) {}

        @Override
        public Integer call() throws IOException {
            Home home = context.existingHome();
            Optional<TokenAccess> token = keyStore.token();
            if (token.isPresent()) {
                TokenIdentity inToken = TokenIdentity.of(token.get().loadAll(context, name), home);
                report(inToken, () -> inToken.lines(token.get().placeInWords()));
                return ExitCode.OK;
            }
            KnownIdentity identity = KnownIdentity.named(name, home);
            List<Map<String, String>> chain =
                    identity.chain(home).stream().map(KnownIdentity::facts).toList();
            report(
                    new Answer(name, identity.hasPrivateKey(), chain, KnownIdentity.FormerKey.Row.of(identity)),
                    () -> lines(identity, chain));
            return ExitCode.OK;
        }

        private static List<String> lines(KnownIdentity identity, List<Map<String, String>> chain) {
            LabelledLines lines =
                    new LabelledLines(16).add("name", identity.name()).add("held", identity.held());
            chain.stream().limit(1).forEach(own -> KnownIdentity.addFacts(lines, "certificate", own));
            chain.stream().skip(1).forEach(issuer -> KnownIdentity.addFacts(lines, "issued by", issuer));
            identity.former().forEach(former -> KnownIdentity.addFacts(lines, former.held(), former.facts()));
            return lines.lines();
        }

        /**
         * The keys of an identity in a token or a key service.
         *
         * @param name the name of the identity
         * @param keys the current key first
         */
        private record TokenIdentity(String name, List<Key> keys) {
            /**
             * A key.
             *
             * @param state {@code current} or {@code former}
             * @param chain the facts of its certificate, then those of its issuers
             * @param recipients where the home's file of this name in {@code recipients/} has the certificate:
             *     {@code first}, {@code behind} another, or {@code absent}
             */
            record Key(String state, List<Map<String, String>> chain, String recipients) {}

            private static final Map<String, String> POSITIONS =
                    Map.of("first", "has it first", "behind", "has it behind another", "absent", "does not have it");

            static TokenIdentity of(IdentityKeys keys, Home home) throws IOException {
                String name = keys.current().name();
                Path file = home.recipients().resolve(name + ".pem");
                List<X509Certificate> there = Files.exists(file) ? Pem.readCertificates(file) : List.of();
                List<Key> rows = new ArrayList<>();
                for (Identity key : keys.all()) {
                    int position = there.indexOf(key.certificate());
                    rows.add(new Key(
                            key.equals(keys.current()) ? "current" : "former",
                            chain(key, home).stream().map(KnownIdentity::facts).toList(),
                            position < 0 ? "absent" : position == 0 ? "first" : "behind"));
                }
                return new TokenIdentity(name, List.copyOf(rows));
            }

            /** Returns the certificate, then its issuers as far as the token or the home have them. */
            private static List<X509Certificate> chain(Identity key, Home home) throws IOException {
                List<X509Certificate> ofHome =
                        new KnownIdentity(key.name(), key.certificate(), false, List.of()).chain(home);
                return ofHome.size() > key.chain().size() ? ofHome : key.chain();
            }

            List<String> lines(String place) {
                LabelledLines lines = new LabelledLines(16).add("name", name).add("held", "key in " + place);
                String file = "recipients/" + name + ".pem ";
                for (Key key : keys) {
                    KnownIdentity.addFacts(
                            lines,
                            key.state() + " key, certificate",
                            key.chain().get(0));
                    lines.add("  recipients", file + POSITIONS.get(key.recipients()));
                    key.chain().stream().skip(1).forEach(issuer -> KnownIdentity.addFacts(lines, "issued by", issuer));
                }
                return lines.lines();
            }
        }
    }

    /** The command {@code signet identity sign}. */
    @Command(
            name = "sign",
            description =
                    "Issues a certificate for a request (PKCS#10), and writes it with the certificates of its issuers. The "
                            + "private key stays with the sender of the request. Only its name and key are taken from it.",
            footer = {
                "  signet identity sign --issuer root --in bob.csr --out bob.pem",
                "  signet identity sign --issuer root --in bob.csr --days 365 --out bob.pem",
                "  signet identity sign --issuer root --key-store URI --in bob.csr",
            })
    static final class SignCommand extends Subcommand {
        @Option(
                names = "--issuer",
                required = true,
                paramLabel = "NAME",
                description = "The issuing identity that signs the certificate.")
        private String issuer = "";

        @Option(
                names = "--dn",
                paramLabel = "DN",
                description =
                        "The distinguished name in the certificate (RFC 4514); default that of the request, which may "
                                + "not be one that the home has given to another key.")
        private @Nullable String distinguishedName;

        @Option(names = "--ca", description = "Issue the certificate of an issuer, which may issue those of parties.")
        private boolean authority;

        @Mixin
        private final ValidityOption validity = new ValidityOption();

        @Mixin
        private final InputOption input = new InputOption();

        @Mixin
        private final OutputOptions output = new OutputOptions();

        @Mixin
        private final IssuerToken token = new IssuerToken();

        @Mixin
        private final PasswordOptions passwords = new PasswordOptions();

        @Override
        public Integer call() throws IOException {
            Duration time = validity.duration();
            output.check(context);
            SigningRequest request;
            try (InputStream in = input.open(context)) {
                request = SigningRequest.parse(in.readNBytes(SigningRequest.MAX_BYTES + 1), "request");
            }
            context.say("request: %s, %s, key id %s"
                    .formatted(
                            request.subject().getName(),
                            KnownIdentity.algorithm(request.publicKey()),
                            request.keyIdentifier()));
            Identity signing = token.load(context, issuer, passwords);
            Clock clock = context.shell().clock();
            List<X509Certificate> chain = new CertificateAuthority(context.existingHome(), signing, clock)
                    .sign(
                            request,
                            new CertificateAuthority.Terms(
                                    distinguishedName,
                                    time,
                                    authority ? IdentityImport.Kind.AUTHORITY : IdentityImport.Kind.PARTY));
            byte[] pem = chain.stream()
                    .map(Pem::certificatePem)
                    .collect(Collectors.joining())
                    .getBytes(StandardCharsets.US_ASCII);
            output.write(context, out -> out.write(pem));
            say(chain.get(0), time);
            return ExitCode.OK;
        }

        private void say(X509Certificate made, Duration time) {
            context.say("signed: " + KnownIdentity.line(made) + ", valid until " + KnownIdentity.end(made));
            if (made.getNotAfter()
                    .toInstant()
                    .isBefore(context.shell().clock().instant().plus(time).minusSeconds(60))) {
                context.say("the certificate ends with that of its issuer");
            }
            List<String> namesakes = IdentityImport.namesakes(context.existingHome(), made);
            if (!namesakes.isEmpty()) {
                context.warn(
                        "this home has the same distinguished name with another key: " + String.join(", ", namesakes));
            }
            IdentityCommands.warnOfOtherKeys(made, context);
        }
    }
}
