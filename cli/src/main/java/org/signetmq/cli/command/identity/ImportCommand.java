/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.identity;

import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Failures;
import org.signetmq.cli.console.ImportedFiles;
import org.signetmq.cli.console.ImportedFiles.SourcePasswordOptions;
import org.signetmq.cli.console.KeyStoreOptions.TokenAccess;
import org.signetmq.cli.console.KeyStoreOptions.TokenOption;
import org.signetmq.cli.console.PasswordOptions;
import org.signetmq.cli.console.Subcommand;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.enrolment.IdentityImport;
import org.signetmq.keystore.enrolment.IdentityImport.Kind;
import org.signetmq.keystore.enrolment.IdentityImport.Place;
import org.signetmq.keystore.enrolment.IdentityImport.Result;
import org.signetmq.keystore.enrolment.IdentityImport.Rules;
import org.signetmq.keystore.enrolment.ImportFile;
import org.signetmq.keystore.enrolment.KeyMaterial;
import org.signetmq.keystore.enrolment.PendingRequests;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Password;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code signet identity import}. */
@Command(
        name = "import",
        description =
                "Takes the certificate for a pending request, or a private key with its certificate from PKCS#12, JKS "
                        + "or PEM files. For an identity of the home the key becomes the current one; the former key still opens "
                        + "messages. With --key-store it takes the certificate of a key there into recipients/; "
                        + "that excludes --former, --ca and --alias.",
        footer = {
            "  signet identity import alice --in alice-chain.pem",
            "  signet identity import alice --in alice.p12 --alias 1",
            "  signet identity import alice --in key.pem --in certificate.pem",
            "  signet identity import alice --in old.jks --former",
            "  signet identity import alice --in alice-chain.pem --key-store URI",
        })
final class ImportCommand extends Subcommand {
    @Parameters(paramLabel = "NAME", description = "Letters, digits, dot, hyphen, underscore.")
    private String name = "";

    @Option(
            names = "--in",
            required = true,
            paramLabel = "FILE",
            description = "A file of keys or certificates, of any of these formats; - is standard input; repeatable.")
    private List<Path> files = List.of();

    @Option(names = "--alias", paramLabel = "ALIAS", description = "Which private key, if a file has several.")
    private @Nullable String alias;

    @Option(names = "--ca", description = "Import an issuing identity.")
    private boolean authority;

    @Option(names = "--former", description = "Add the key as a former one, which only opens messages.")
    private boolean former;

    @Mixin
    private final TokenOption keyStore = new TokenOption();

    @Mixin
    private final SourcePasswordOptions sourcePassword = new SourcePasswordOptions();

    @Mixin
    private final PasswordOptions passwords = new PasswordOptions();

    @Override
    public Integer call() throws IOException {
        if (former && authority) {
            throw usage("--former, --ca: leave out the one or the other");
        }
        Home home = context.home();
        List<ImportFile> read = ImportedFiles.readSecrets(context, files);
        Optional<TokenAccess> token = keyStore.token();
        if (token.isPresent()) {
            return inToken(home, read, token.get());
        }
        Optional<ImportFile> encrypted =
                read.stream().filter(ImportFile::needsPassword).findFirst();
        try (Password password = encrypted.isEmpty()
                ? null
                : sourcePassword.existing(context, encrypted.get().source())) {
            List<ImportFile> content = read.stream()
                    .map(file -> KeyMaterial.certificatesAlone(file, password))
                    .toList();
            boolean hasKey = content.stream().anyMatch(ImportFile::hasPrivateKey);
            if (!hasKey && (former || alias != null)) {
                throw usage("--former, --alias: these are for private keys, and the files have none");
            }
            put(home, content, hasKey ? KeyMaterial.read(content, password).identity(name, alias) : null);
        }
        return ExitCode.OK;
    }

    private void put(Home home, List<ImportFile> read, @Nullable Identity key) {
        boolean isKnown = home.identityStore().names().contains(name)
                || new PendingRequests(home).names().contains(name);
        try (Password password = isKnown ? passwords.existing(context) : passwords.fresh(context)) {
            IdentityImport importing = new IdentityImport(home, context.shell().clock());
            Kind kind = authority ? Kind.AUTHORITY : Kind.PARTY;
            Result result = key == null
                    ? importing.certificates(name, read, kind, password)
                    : importing.key(key, new Rules(kind, former ? Place.FORMER : Place.CURRENT), password);
            say(home, result);
        }
    }

    private int inToken(Home home, List<ImportFile> read, TokenAccess token) {
        if (former || authority || alias != null) {
            throw usage("--key-store: takes the certificate of a party; leave out --former, --ca and --alias. signet"
                    + " trust add trusts an issuer");
        }
        List<Identity> keys = token.held(context, name);
        say(
                home,
                new IdentityImport(home, context.shell().clock())
                        .certificateOfExternalKey(keys, sourcePassword.certificates(context, read)));
        return ExitCode.OK;
    }

    private void say(Home home, Result result) {
        X509Certificate taken = result.identity().certificate();
        context.print(name + ": " + KnownIdentity.line(taken) + ", valid until " + KnownIdentity.end(taken)
                + (result.isChange() ? "" : ", nothing to do"));
        if (!former) {
            result.untrusted()
                    .ifPresent(problem -> context.warn("this home does not trust the certificate yet: "
                            + Failures.oneLine(problem) + "; run signet trust add for its root"));
        }
        List<String> namesakes = new ArrayList<>(IdentityImport.namesakes(home, taken));
        namesakes.remove(name);
        if (!namesakes.isEmpty()) {
            context.warn("this home has other keys of the same distinguished name: " + String.join(", ", namesakes)
                    + "; policies must name each by its name");
        }
        if (result.isChange() && !former) {
            context.say("others need " + (authority ? home.trust() : home.recipients()).resolve(name + ".pem"));
        }
    }
}
