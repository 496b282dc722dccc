/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.identity;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.KeyStoreOptions.TokenAccess;
import org.signetmq.cli.console.KeyStoreOptions.TokenOption;
import org.signetmq.cli.console.OutputOptions;
import org.signetmq.cli.console.PasswordOptions;
import org.signetmq.cli.console.Progress;
import org.signetmq.cli.console.Subcommand;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.enrolment.PendingRequests;
import org.signetmq.keystore.enrolment.SigningRequest;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Password;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code signet identity request}. */
@Command(
        name = "request",
        description =
                "Writes a request for a certificate (PKCS#10), to hand to an issuer (CA). Makes its private key in the home, "
                        + "or uses the key in a token or key service (--key-store). signet identity import takes the certificate. While a "
                        + "request is pending, the command writes it again.",
        footer = {
            "  signet identity request alice --dn CN=alice,O=Example --out alice.csr",
            "  signet identity request alice --key-algorithm ec-p384 --out alice.csr",
            "  signet identity request alice --same-key --out alice.csr",
            "  signet identity request alice --key-store URI --out alice.csr",
            "  signet identity request alice --discard",
        })
final class RequestCommand extends Subcommand {
    @Parameters(paramLabel = "NAME", description = "A new name, or an identity of the home that needs a certificate.")
    private String name = "";

    @Option(
            names = "--dn",
            paramLabel = "DN",
            description = "Distinguished name (RFC 4514), such as CN=alice,O=Example; default that of the identity.")
    private @Nullable String distinguishedName;

    @Option(
            names = "--key-algorithm",
            paramLabel = "ALGORITHM",
            description = "The kind of the new key, as of identity create; default the present kind, else ec-p256.")
    private @Nullable String keyType;

    @Option(names = "--same-key", description = "Ask for another certificate for the present key of the identity.")
    private boolean sameKey;

    @Option(
            names = "--discard",
            description = "Delete the pending request with its private key. A certificate for it has no use then.")
    private boolean discard;

    @Mixin
    private final TokenOption keyStore = new TokenOption();

    @Mixin
    private final OutputOptions output = new OutputOptions();

    @Mixin
    private final PasswordOptions passwords = new PasswordOptions();

    @Override
    public Integer call() throws IOException {
        Home home = context.home();
        PendingRequests pending = new PendingRequests(home);
        KeyAlgorithm wanted = keyType == null ? null : IdentityCommands.keyAlgorithm(keyType, this::usage);
        Optional<TokenAccess> token = keyStore.token();
        if (token.isPresent()) {
            return inToken(token.get());
        }
        if (discard) {
            return discarded(pending);
        }
        requireUsage(wanted);
        output.check(context);
        Optional<SigningRequest> there = pending.find(name);
        SigningRequest request = there.isPresent() ? again(there.get(), wanted) : made(home, pending, wanted);
        write(request, there.isPresent() ? "the pending request for" : "request for");
        context.say("when the issuer has answered: signet identity import " + name + " --in FILE");
        return ExitCode.OK;
    }

    private void write(SigningRequest request, String what) throws IOException {
        byte[] pem = request.pem().getBytes(StandardCharsets.US_ASCII);
        output.write(context, out -> out.write(pem));
        context.say("%s: %s %s, %s, key id %s"
                .formatted(
                        name,
                        what,
                        request.subject().getName(),
                        KnownIdentity.algorithm(request.publicKey()),
                        request.keyIdentifier()));
    }

    private int inToken(TokenAccess token) throws IOException {
        if (sameKey || discard || keyType != null) {
            throw usage("--key-store: the request is for the key that the token has; leave out --same-key,"
                    + " --key-algorithm and --discard");
        }
        if (distinguishedName == null && !token.knowsName(context, name)) {
            throw usage("--dn: a new name needs its distinguished name, such as CN=" + name + ",O=Example");
        }
        requireUsage(null);
        output.check(context);
        Identity key = token.requested(context, name); // the home cannot know a new key yet
        write(
                distinguishedName == null ? PendingRequests.again(key) : PendingRequests.again(key, distinguishedName),
                "request for");
        context.say("when the issuer has answered: signet identity import " + name + " --in FILE --key-store URI");
        return ExitCode.OK;
    }

    private void requireUsage(@Nullable KeyAlgorithm wanted) {
        if (sameKey && wanted != null) {
            throw usage("--same-key, --key-algorithm: each says which key is meant; leave out the one or the other");
        }
        if (distinguishedName != null
                && DistinguishedName.parse(distinguishedName).isEmpty()) {
            throw usage("--dn: no distinguished name (RFC 4514): " + distinguishedName);
        }
    }

    private int discarded(PendingRequests pending) {
        if (!pending.names().contains(name)) {
            throw CliException.failure("identity '" + name + "': has no pending request");
        }
        pending.discard(name);
        context.print(name + ": pending request discarded");
        return ExitCode.OK;
    }

    /** Returns the pending request, unless the arguments describe another one. */
    private SigningRequest again(SigningRequest there, @Nullable KeyAlgorithm wanted) {
        boolean otherName = distinguishedName != null
                && !DistinguishedName.of(there.subject())
                        .equals(DistinguishedName.parse(distinguishedName).orElse(null));
        boolean otherKey = wanted != null && !wanted.label().equals(KnownIdentity.algorithm(there.publicKey()));
        if (sameKey || otherName || otherKey) {
            throw CliException.failure("identity '" + name + "': another request is pending, for "
                            + there.subject().getName() + ", " + KnownIdentity.algorithm(there.publicKey()))
                    .hint("signet identity request " + name + " --discard deletes it with its private key");
        }
        return there;
    }

    private SigningRequest made(Home home, PendingRequests pending, @Nullable KeyAlgorithm wanted) {
        if (home.identityStore().names().contains(name)) {
            return renewal(home, pending, wanted);
        }
        if (sameKey) {
            throw CliException.failure("identity '" + name + "': not in " + home.identities());
        }
        if (distinguishedName == null) {
            throw usage("--dn: a new name needs its distinguished name, such as CN=" + name + ",O=Example");
        }
        try (Password password = passwords.fresh(context);
                Progress progress = new Progress(context)) {
            progress.ofWork("making a key");
            return pending.make(name, distinguishedName, wanted == null ? KeyAlgorithm.EC_P256 : wanted, password);
        }
    }

    private SigningRequest renewal(Home home, PendingRequests pending, @Nullable KeyAlgorithm wanted) {
        try (Password password = passwords.existing(context);
                Progress progress = new Progress(context)) {
            Identity identity = home.identityStore().load(name, password);
            DistinguishedName own = DistinguishedName.of(identity.certificate().getSubjectX500Principal());
            if (distinguishedName != null
                    && !own.equals(DistinguishedName.parse(distinguishedName).orElse(null))) {
                throw CliException.failure("identity '" + name + "': is "
                                + identity.certificate()
                                        .getSubjectX500Principal()
                                        .getName()
                                + ", and keeps this name")
                        .hint("request the other name for another identity, or leave out --dn");
            }
            if (sameKey) {
                return PendingRequests.again(identity);
            }
            progress.ofWork("making a key");
            return pending.renew(identity, wanted == null ? present(identity) : wanted, password);
        }
    }

    private KeyAlgorithm present(Identity identity) {
        String label = KnownIdentity.algorithm(identity.certificate().getPublicKey());
        return KeyAlgorithm.named(label)
                .orElseThrow(
                        () -> CliException.failure("identity '" + name + "': Signet makes no keys of its present kind, "
                                + label + "; choose another by --key-algorithm"));
    }
}
