/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.identity;

import java.util.concurrent.Callable;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.CommandContext;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.PasswordOptions;
import org.signetmq.cli.console.Patience;
import org.signetmq.keystore.Home;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentityRequest;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.Password;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code signet identity create}. */
@Command(
        name = "create",
        description = "Makes a private key with a certificate; both stay in the home.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  signet identity create root --dn CN=root,O=Example --ca --key-algorithm ec-p384",
            "  signet identity create alice --dn CN=alice,O=Example --issuer root",
        })
public final class IdentityCreate implements Callable<Integer> {
    private final CommandContext context;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

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
            converter = KeyAlgorithmConverter.class,
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

    public IdentityCreate(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        Home home = context.home();
        requireDistinguishedName();
        if (authority && issuer != null) {
            throw new ParameterException(spec.commandLine(), "--ca, --issuer: an issuing identity has no issuer");
        }
        if (home.identityStore().names().contains(name)) {
            throw CliException.failure("identity '" + name + "': exists already in " + home.root());
        }
        IdentityRequest request = new IdentityRequest(name, distinguishedName, keyAlgorithm, issuer);
        try (Password password = passwords.fresh(context)) {
            Identity created = create(home, request, password);
            CertificateFacts facts = new CertificateFacts(created.certificate());
            context.out()
                    .println(name + ": " + facts.subject() + ", " + facts.keyAlgorithm() + ", key id "
                            + facts.keyIdentifier());
        }
        if (authority) {
            context.say("others need " + home.trust().resolve(name + ".pem") + " to trust what " + name + " issues");
            return ExitCode.OK;
        }
        context.say("others need " + home.recipients().resolve(name + ".pem") + " to encrypt for " + name
                + " or to recognise its signatures");
        return ExitCode.OK;
    }

    /** Primes for RSA are found by chance, which may take many seconds; all other keys are made at once. */
    private Identity create(Home home, IdentityRequest request, Password password) {
        if (!keyAlgorithm.label().startsWith("rsa-")) {
            return make(home, request, password);
        }
        Patience patience = new Patience(context, "making an " + keyAlgorithm.label() + " key");
        try {
            return make(home, request, password);
        } finally {
            patience.close();
        }
    }

    private Identity make(Home home, IdentityRequest request, Password password) {
        return authority
                ? home.identityStore().createAuthority(request, password)
                : home.identityStore().create(request, password);
    }

    private void requireDistinguishedName() {
        try {
            if (new LdapName(distinguishedName).isEmpty()) {
                throw new ParameterException(spec.commandLine(), "--dn: empty");
            }
        } catch (InvalidNameException e) {
            throw new ParameterException(
                    spec.commandLine(), "--dn: no distinguished name (RFC 4514): " + distinguishedName, e);
        }
    }
}
