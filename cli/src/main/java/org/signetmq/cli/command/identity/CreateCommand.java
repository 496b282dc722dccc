/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.identity;

import java.io.IOException;
import java.time.Duration;
import java.util.OptionalInt;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.CommandContext;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.KeyStoreOptions.TokenAccess;
import org.signetmq.cli.console.KeyStoreOptions.TokenOption;
import org.signetmq.cli.console.PasswordOptions;
import org.signetmq.cli.console.Progress;
import org.signetmq.cli.console.Subcommand;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentityRenewal;
import org.signetmq.keystore.IdentityRenewal.NextKey;
import org.signetmq.keystore.IdentityRequest;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.IdentityStore;
import org.signetmq.keystore.home.Password;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code signet identity create}. */
@Command(
        name = "create",
        description = "Makes a private key with a certificate; both stay in the home.",
        footer = {
            "  signet identity create root --dn CN=root,O=Example --ca --key-algorithm ec-p384",
            "  signet identity create alice --dn CN=alice,O=Example --issuer root",
            "  signet identity create alice --dn CN=alice,O=Example --issuer root --key-store URI",
        })
final class CreateCommand extends Subcommand {
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

    @Option(names = "--separate-keys", description = "Make one key that signs and another one that receives messages.")
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
            description = "ec-p256 (default), ec-p384, ec-p521, rsa-2048, rsa-3072, rsa-4096, ed25519 (signs only), "
                    + "ml-dsa-65, ml-dsa-87 (post-quantum; they make an ML-KEM key to receive, too).")
    void keyAlgorithm(String label) {
        keyAlgorithm = IdentityCommands.keyAlgorithm(label, this::usage);
        if (keyAlgorithm.isMlKem()) {
            throw usage("--key-algorithm: " + label + " cannot sign; ml-dsa-65 and ml-dsa-87 make such a key, too");
        }
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
        context.print(name + ": " + KnownIdentity.line(made.certificate()));
        String file = name + ".pem";
        context.say(
                authority
                        ? "others need " + home.trust().resolve(file) + " to trust what " + name + " issues"
                        : "others need " + home.recipients().resolve(file) + " to encrypt for " + name
                                + " or to recognise its signatures");
        if (issuer != null) {
            IdentityCommands.warnOfOtherKeys(made.certificate(), context);
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
        firstUnreadable().ifPresent(character -> {
            throw usage("--dn: has the invisible or ambiguous character U+%04X; write the name without it"
                    .formatted(character));
        });
    }

    private OptionalInt firstUnreadable() {
        try {
            return DistinguishedName.firstUnreadable(new X500Principal(
                    DistinguishedName.encode(distinguishedName).getEncoded()));
        } catch (IOException | IllegalArgumentException e) {
            return OptionalInt.empty(); // the store says what is wrong with it
        }
    }

    /** Primes for RSA are found by chance, which may take many seconds; all other keys are made at once. */
    private Identity create(Home home, Duration time) {
        String label = keyAlgorithm.label();
        IdentityRequest request = new IdentityRequest(name, distinguishedName, keyAlgorithm, issuer);
        IdentityStore store = token.in(home.identityStore(), issuer, context).withValidity(time);
        try (Password password = passwords.fresh(context);
                Progress progress = new Progress(context)) {
            if (label.startsWith("rsa-")) {
                progress.ofWork("making an " + label + " key");
            }
            if (separate || (keyAlgorithm.isMlDsa() && !authority)) {
                return withSeparateKeys(store, request, time, password);
            }
            return authority ? store.createAuthority(request, password) : store.create(request, password);
        }
    }

    /**
     * Makes one key that signs, and another one that receives. If the process ends in the middle, {@code identity renew
     * --decrypt-key} completes it.
     *
     * @return the identity with the key that signs
     */
    private static Identity withSeparateKeys(
            IdentityStore store, IdentityRequest request, Duration validity, Password password) {
        Identity signing = store.signingOnly().create(request, password);
        Identity unused = store.renewReceiving(
                new IdentityRenewal(
                        request.name(),
                        new NextKey.New(request.keyAlgorithm().receiving()),
                        request.issuer(),
                        validity),
                password);
        return signing;
    }

    /** The token with the private key of an issuer. The new key, if there is one, is in the home. */
    static final class IssuerToken {
        @Option(
                names = TokenOption.NAME,
                paramLabel = TokenOption.LABEL,
                description = "A token or key service with the private key of --issuer" + TokenOption.PLACE)
        private @Nullable String uri;

        /** Checks that the issuer is named if its token is. */
        void requireIssuer(@Nullable String issuer) {
            if (uri != null && issuer == null) {
                throw CliException.usage(
                        "--key-store: it is the token of the issuer here; add --issuer NAME. The new key"
                                + " is in the home; docs/tokens.md tells how a token gets a new key");
            }
        }

        /** Loads the key of the issuer: that of the token if it is named, else that of the home. */
        Identity load(CommandContext context, String issuer, PasswordOptions passwords) {
            return uri == null
                    ? passwords.load(context, issuer)
                    : TokenAccess.of(uri).load(context, issuer);
        }

        /** Returns the store of a home with the issuer of the token, if there is one. */
        IdentityStore in(IdentityStore store, @Nullable String issuer, CommandContext context) {
            return uri == null || issuer == null
                    ? store
                    : store.issuedBy(TokenAccess.of(uri).load(context, issuer));
        }
    }

    /** The time for which a new certificate is valid. */
    static final class ValidityOption {
        private static final int MOST_DAYS = 3650;

        @Option(
                names = "--days",
                paramLabel = "N",
                description =
                        "How many days the certificate is valid, 1 to 3650; default 825. Its issuer may end it earlier.")
        private @Nullable Integer days;

        /** Returns the time. */
        Duration duration() {
            if (days == null) {
                return IdentityRenewal.DEFAULT_VALIDITY;
            }
            if (days < 1 || days > MOST_DAYS) {
                throw CliException.usage("--days: must be 1 to " + MOST_DAYS);
            }
            return Duration.ofDays(days);
        }
    }
}
