/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.identity;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.LabelledLines;
import org.signetmq.cli.console.PasswordOptions;
import org.signetmq.cli.console.Progress;
import org.signetmq.cli.console.ReportingCommand;
import org.signetmq.cli.console.Subcommand;
import org.signetmq.cli.console.TextTable;
import org.signetmq.cli.console.TokenAccess;
import org.signetmq.cli.file.OutputOptions;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentityRequest;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.IdentityStore;
import org.signetmq.keystore.home.KeyStoreFile;
import org.signetmq.keystore.home.Password;
import org.signetmq.keystore.home.Pem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands {@code signet identity}. */
@Command(
        name = "identity",
        description = "Creates and shows identities.",
        subcommands = {
            IdentityCommands.Create.class,
            IdentityCommands.Listing.class,
            IdentityCommands.Show.class,
            IdentityCommands.Export.class,
            RequestCommand.class,
            ImportCommand.class,
            SignCommand.class,
            RenewCommand.class,
            RetireCommand.class,
            PasswordCommand.class,
        })
public final class IdentityCommands extends Subcommand {
    private static final String LISTED = "As in signet identity list.";

    /** Returns the problem of an option's value that is no kind of key. */
    static String noneOf(String option, String label) {
        return "Invalid value for option '" + option + "': '" + label + "' is none of "
                + Stream.of(KeyAlgorithm.values()).map(KeyAlgorithm::label).collect(Collectors.joining(", "));
    }

    /** The command {@code signet identity create}. */
    @Command(
            name = "create",
            description = "Makes a private key with a certificate; both stay in the home.",
            footer = {
                "  signet identity create root --dn CN=root,O=Example --ca --key-algorithm ec-p384",
                "  signet identity create alice --dn CN=alice,O=Example --issuer root",
                "  signet identity create alice --dn CN=alice,O=Example --issuer root --key-store URI",
            })
    static final class Create extends Subcommand {
        @Parameters(paramLabel = "NAME", description = "Letters, digits, dot, hyphen, underscore.")
        private String name = "";

        @Option(
                names = "--dn",
                required = true,
                paramLabel = "DN",
                description = "Distinguished name (RFC 4514), such as CN=alice,O=Example.")
        private String distinguishedName = "";

        @Option(
                names = "--issuer",
                paramLabel = "NAME",
                description = "The issuing identity that signs the certificate; default the new one itself.")
        private @Nullable String issuer;

        @Option(
                names = "--ca",
                description =
                        "Make an issuing identity: it issues certificates of others (--issuer), and signs no messages.")
        private boolean authority;

        @Option(
                names = "--separate-keys",
                description = "Make one key that signs and another one that receives messages.")
        private boolean separate;

        @Mixin
        private final ValidityOption validity = new ValidityOption();

        @Mixin
        private final PasswordOptions passwords = new PasswordOptions();

        @Mixin
        private final IssuerToken token = new IssuerToken();

        private KeyAlgorithm keyAlgorithm = KeyAlgorithm.EC_P256;

        @Option(
                names = "--key-algorithm",
                paramLabel = "ALGORITHM",
                description =
                        "ec-p256 (default), ec-p384, ec-p521, rsa-2048, rsa-3072, rsa-4096, ed25519 (signs only).")
        void keyAlgorithm(String label) {
            keyAlgorithm = KeyAlgorithm.named(label).orElseThrow(() -> usage(noneOf("--key-algorithm", label)));
        }

        @Override
        public Integer call() {
            Home home = context.home();
            Duration time = validity.duration();
            requireDistinguishedName();
            if (authority && separate) {
                throw usage("--ca, --separate-keys: an issuing identity receives no messages");
            }
            if (authority && issuer != null) {
                throw usage("--ca, --issuer: an issuing identity has no issuer");
            }
            token.requireIssuer(issuer);
            if (home.identityStore().names().contains(name)) {
                throw CliException.failure("identity '" + name + "': exists already in " + home.root())
                        .hint("signet identity renew " + name + " gives it a new key or certificate");
            }
            Identity made = create(home, time);
            Map<String, String> facts = KnownIdentity.facts(made.certificate());
            context.print("%s: %s, %s, key id %s"
                    .formatted(name, facts.get("dn"), facts.get("key-algorithm"), facts.get("key-id")));
            String file = name + ".pem";
            context.say(
                    authority
                            ? "others need " + home.trust().resolve(file) + " to trust what " + name + " issues"
                            : "others need " + home.recipients().resolve(file) + " to encrypt for " + name
                                    + " or to recognise its signatures");
            if (issuer != null) {
                IssuedName.warnOfOtherKeys(made.certificate(), context);
            }
            return ExitCode.OK;
        }

        private void requireDistinguishedName() {
            try {
                if (new LdapName(distinguishedName).isEmpty()) {
                    throw usage("--dn: empty");
                }
            } catch (InvalidNameException e) {
                throw usage("--dn: no distinguished name (RFC 4514): " + distinguishedName);
            }
            if (!isReadable()) {
                throw usage("--dn: has characters that are invisible or ambiguous");
            }
        }

        private boolean isReadable() {
            try {
                return DistinguishedName.isReadable(new X500Principal(
                        DistinguishedName.encode(distinguishedName).getEncoded()));
            } catch (IOException | IllegalArgumentException e) {
                return true; // the store says what is wrong with it
            }
        }

        /** Primes for RSA are found by chance, which may take many seconds; all other keys are made at once. */
        private Identity create(Home home, Duration time) {
            String label = keyAlgorithm.label();
            IdentityRequest request = new IdentityRequest(name, distinguishedName, keyAlgorithm, issuer);
            IdentityStore store =
                    token.in(home.identityStore(), issuer, context).withValidity(time);
            try (Password password = passwords.fresh(context);
                    Progress progress = new Progress(context)) {
                if (label.startsWith("rsa-")) {
                    progress.ofWork("making an " + label + " key");
                }
                if (separate) {
                    return new SeparateKeys(store, password).create(request, time);
                }
                return authority ? store.createAuthority(request, password) : store.create(request, password);
            }
        }
    }

    /** A former key in an answer as JSON. */
    private record FormerRow(
            String state,
            String keyId,
            boolean privateKey,
            @Nullable Map<String, String> certificate) {
        static List<FormerRow> of(KnownIdentity identity) {
            return identity.former().stream()
                    .map(key -> new FormerRow(
                            key.state(),
                            key.keyId(),
                            key.hasPrivateKey(),
                            key.certificate() == null ? null : key.facts()))
                    .toList();
        }
    }

    /** The command {@code signet identity list}. */
    @Command(
            name = "list",
            description = "Lists the identities and recipients of the home with all their keys. Needs no password.",
            footer = {"  signet identity list", "  signet identity list --json"})
    static final class Listing extends ReportingCommand {
        private record Row(
                String name, boolean privateKey, @Nullable Map<String, String> certificate, List<FormerRow> former) {}

        private record Listed(List<Row> identities, List<PendingRow> requests) {}

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
                            identity.name(), identity.hasPrivateKey(), identity.facts(), FormerRow.of(identity)))
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

    /** The command {@code signet identity show}. */
    @Command(
            name = "show",
            description =
                    "Shows an identity or recipient with its certificate chain and its former keys. Needs no password.",
            footer = {
                "  signet identity show alice",
                "  signet identity show alice --json",
                "  signet identity show alice --key-store URI",
            })
    static final class Show extends ReportingCommand {
        @Parameters(paramLabel = "NAME", description = LISTED)
        private String name = "";

        @Option(
                names = "--key-store",
                paramLabel = "URI",
                description = "Show the keys of the identity in this token, as a pkcs11: URI. Needs its PIN.")
        private @Nullable String keyStore;

        private record Answer(
                String name, boolean privateKey, List<Map<String, String>> chain, List<FormerRow> former) {}

        @Override
        public Integer call() throws IOException {
            Home home = context.existingHome();
            if (keyStore != null) {
                TokenIdentity inToken =
                        TokenIdentity.of(TokenAccess.of(keyStore).loadAll(context, name), home);
                report(inToken, inToken::lines);
                return ExitCode.OK;
            }
            KnownIdentity identity = KnownIdentity.named(name, home);
            List<Map<String, String>> chain =
                    identity.chain(home).stream().map(KnownIdentity::facts).toList();
            report(
                    new Answer(name, identity.hasPrivateKey(), chain, FormerRow.of(identity)),
                    () -> lines(identity, chain));
            return ExitCode.OK;
        }

        private static List<String> lines(KnownIdentity identity, List<Map<String, String>> chain) {
            LabelledLines lines =
                    new LabelledLines(16).add("name", identity.name()).add("held", identity.held());
            for (Map<String, String> facts : chain) {
                lines.addAll(List.of(facts.equals(chain.get(0)) ? "certificate" : "issued by"));
                addFacts(lines, facts);
            }
            for (FormerKey former : identity.former()) {
                addFacts(lines.addAll(List.of(former.held())), former.facts());
            }
            return lines.lines();
        }

        private static void addFacts(LabelledLines lines, Map<String, String> facts) {
            facts.forEach((key, value) -> lines.add("  " + key.replace('-', ' '), value));
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
            output.write(context, exported.length, out -> out.write(exported));
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
                                    .map(FormerKey::certificate)
                                    .filter(Objects::nonNull))
                    .map(Pem::certificatePem)
                    .collect(Collectors.joining());
        }
    }
}
