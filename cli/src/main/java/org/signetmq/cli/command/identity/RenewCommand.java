/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.identity;

import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.command.identity.CreateCommand.IssuerToken;
import org.signetmq.cli.command.identity.CreateCommand.ValidityOption;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.PasswordOptions;
import org.signetmq.cli.console.Progress;
import org.signetmq.cli.console.Subcommand;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentityRenewal;
import org.signetmq.keystore.IdentityRenewal.NextKey;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.IdentityStore;
import org.signetmq.keystore.home.Password;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code signet identity renew}. */
@Command(
        name = "renew",
        description =
                "Gives an identity a new key, or its key a new certificate. The former key still opens messages, and "
                        + "the former certificate still verifies them.",
        footer = {
            "  signet identity renew alice",
            "  signet identity renew alice --key-algorithm ec-p384 --days 365",
            "  signet identity renew alice --same-key --dry-run",
            "  signet identity renew alice --decrypt-key",
            "  signet identity renew broker --later",
            "  signet identity renew broker --use 5f1d0c2ab3947e68",
        })
final class RenewCommand extends Subcommand {
    private static final int SHORT_ID = 16;

    @Parameters(paramLabel = "NAME", description = "An identity of the home.")
    private String name = "";

    @Option(
            names = "--key-algorithm",
            paramLabel = "T",
            description = "The kind of the new key, as of identity create; default the present kind.")
    private @Nullable String keyType;

    @Option(names = "--same-key", description = "Keep the key; only the certificate is new.")
    private boolean sameKey;

    @Option(
            names = "--use",
            paramLabel = "ID",
            description =
                    "Make this key of the identity the current one. ID is at least the first 16 hex digits of the "
                            + "key id.")
    private @Nullable String use;

    @Option(
            names = "--later",
            description = "Add the new key and certificate, and use the present ones until --use. Others can get the "
                    + "certificate before the key signs.")
    private boolean later;

    @Option(
            names = "--issuer",
            paramLabel = "NAME",
            description = "The issuing identity that signs the certificate; default the present issuer.")
    private @Nullable String issuer;

    @Mixin
    private final ValidityOption validity = new ValidityOption();

    @Option(
            names = "--decrypt-key",
            description = "Make a key that only receives messages. The present key goes on to sign.")
    private boolean decryptKey;

    @Option(names = "--dry-run", description = "Say what would be made, and write nothing.")
    private boolean dryRun;

    @Mixin
    private final PasswordOptions passwords = new PasswordOptions();

    @Mixin
    private final IssuerToken token = new IssuerToken();

    @Override
    public Integer call() {
        if (decryptKey && (sameKey || use != null || later || dryRun)) {
            throw usage("--decrypt-key: makes a new key at once; leave out --same-key, --use, --later and --dry-run");
        }
        token.requireIssuer(issuer);
        NextKey next = next();
        Duration time = validity.duration();
        Home home = context.existingHome();
        IdentityCommands.requireKey(name, home);
        KnownIdentity before = KnownIdentity.named(name, home);
        Identity made = renewed(home, new IdentityRenewal(name, next, issuer, time));
        String end = ", valid until " + KnownIdentity.end(made.certificate());
        if (dryRun) {
            Map<String, String> facts = KnownIdentity.facts(made.certificate());
            context.print("%s: would be %s, %s, %s%s"
                    .formatted(
                            name,
                            facts.get("dn"),
                            facts.get("key-algorithm"),
                            next instanceof NextKey.New ? "a new key" : "a key that it has",
                            end));
            return ExitCode.OK;
        }
        context.print(name + ": " + KnownIdentity.line(made.certificate()) + end);
        sayWhatIsLeft(home, before, made);
        return ExitCode.OK;
    }

    private NextKey next() {
        if (Stream.of(sameKey, use != null, keyType != null)
                                .filter(given -> given)
                                .count()
                        > 1
                || (later && (sameKey || use != null))) {
            throw usage(
                    "--same-key, --use, --key-algorithm, --later: each says which key is next; leave out all but one"
                            + " (--key-algorithm and --later go together)");
        }
        if (sameKey) {
            return new NextKey.Same();
        }
        if (use != null) {
            return new NextKey.Held(use.startsWith("ski:") ? use.substring("ski:".length()) : use);
        }
        return new NextKey.New(keyType == null ? null : IdentityCommands.keyAlgorithm(keyType, this::usage));
    }

    private Identity renewed(Home home, IdentityRenewal renewal) {
        IdentityStore store = token.in(home.identityStore(), issuer, context);
        try (Password password = passwords.existing(context);
                Progress progress = new Progress(context)) {
            if (renewal.key() instanceof NextKey.New) {
                progress.ofWork("making a key");
            }
            if (dryRun) {
                return store.rehearse(renewal, password);
            }
            if (decryptKey) {
                return store.renewReceiving(renewal, password);
            }
            return later ? store.prepare(renewal, password) : store.renew(renewal, password);
        }
    }

    private void sayWhatIsLeft(Home home, KnownIdentity before, Identity made) {
        if (later) {
            context.say("the new key opens messages, and the present one signs until: signet identity renew " + name
                    + " --use "
                    + KeyIdentifier.ofKey(made.certificate()).toString().substring(0, SHORT_ID));
        } else if (!decryptKey && before.receivesApart()) {
            context.say("messages for " + name + " go to its receiving key as before");
        } else if (!sameKey && before.certificate() != null) {
            context.say("the former key " + KeyIdentifier.ofKey(before.certificate()) + " still opens messages");
        }
        boolean authority = made.certificate().getBasicConstraints() >= 0;
        context.say("others need " + (authority ? home.trust() : home.recipients()).resolve(name + ".pem")
                + " in place of theirs; it has all certificates of " + name);
    }
}
