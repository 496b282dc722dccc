/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.identity;

import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.PasswordOptions;
import org.signetmq.cli.console.Progress;
import org.signetmq.cli.console.Subcommand;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentityRequest;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Password;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** The command {@code signet identity create}. */
@Command(
        name = "create",
        description = "Makes a private key with a certificate; both stay in the home.",
        footer = {
            "  signet identity create root --dn CN=root,O=Example --ca --key-algorithm ec-p384",
            "  signet identity create alice --dn CN=alice,O=Example --issuer root",
        })
public final class IdentityCreate extends Subcommand {
    @Parameters(paramLabel = "NAME", description = "Letters, digits, dot, hyphen, underscore.")
    private String name = "";

    @Option(
            names = "--dn",
            required = true,
            paramLabel = "DN",
            description = "Distinguished name (RFC 4514), such as CN=alice,O=Example.")
    private String distinguishedName = "";

    @Option(
            names = "--key-algorithm",
            paramLabel = "ALGORITHM",
            converter = AlgorithmConverter.class,
            description = "ec-p256 (default), ec-p384, ec-p521, rsa-2048, rsa-3072, rsa-4096, ed25519 (signs only).")
    private KeyAlgorithm keyAlgorithm = KeyAlgorithm.EC_P256;

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

    @Mixin
    private final PasswordOptions passwords = new PasswordOptions();

    @Override
    public Integer call() {
        Home home = context.home();
        requireDistinguishedName();
        if (authority && issuer != null) {
            throw usage("--ca, --issuer: an issuing identity has no issuer");
        }
        if (home.identityStore().names().contains(name)) {
            throw CliException.failure("identity '" + name + "': exists already in " + home.root());
        }
        CertificateFacts facts = CertificateFacts.of(create(home).certificate());
        context.print(name + ": " + facts.dn() + ", " + facts.keyAlgorithm() + ", key id " + facts.keyId());
        String file = name + ".pem";
        context.say(
                authority
                        ? "others need " + home.trust().resolve(file) + " to trust what " + name + " issues"
                        : "others need " + home.recipients().resolve(file) + " to encrypt for " + name
                                + " or to recognise its signatures");
        return ExitCode.OK;
    }

    /** Primes for RSA are found by chance, which may take many seconds; all other keys are made at once. */
    private Identity create(Home home) {
        IdentityRequest request = new IdentityRequest(name, distinguishedName, keyAlgorithm, issuer);
        try (Password password = passwords.fresh(context);
                Progress progress = new Progress(context)) {
            if (keyAlgorithm.label().startsWith("rsa-")) {
                progress.ofWork("making an " + keyAlgorithm.label() + " key");
            }
            return authority
                    ? home.identityStore().createAuthority(request, password)
                    : home.identityStore().create(request, password);
        }
    }

    private void requireDistinguishedName() {
        try {
            if (new LdapName(distinguishedName).isEmpty()) {
                throw usage("--dn: empty");
            }
        } catch (InvalidNameException e) {
            throw usage("--dn: no distinguished name (RFC 4514): " + distinguishedName);
        }
    }

    private static final class AlgorithmConverter implements ITypeConverter<KeyAlgorithm> {
        @Override
        public KeyAlgorithm convert(String value) {
            return KeyAlgorithm.named(value)
                    .orElseThrow(() -> new TypeConversionException("'" + value + "' is none of "
                            + Stream.of(KeyAlgorithm.values())
                                    .map(KeyAlgorithm::label)
                                    .collect(Collectors.joining(", "))));
        }
    }
}
