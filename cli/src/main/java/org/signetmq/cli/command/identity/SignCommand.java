/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.identity;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.command.identity.CreateCommand.IssuerToken;
import org.signetmq.cli.command.identity.CreateCommand.ValidityOption;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.InputOption;
import org.signetmq.cli.console.OutputOptions;
import org.signetmq.cli.console.PasswordOptions;
import org.signetmq.cli.console.Subcommand;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.enrolment.CertificateAuthority;
import org.signetmq.keystore.enrolment.IdentityImport;
import org.signetmq.keystore.enrolment.SigningRequest;
import org.signetmq.keystore.home.Pem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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
final class SignCommand extends Subcommand {
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
            context.warn("this home has the same distinguished name with another key: " + String.join(", ", namesakes));
        }
        IdentityCommands.warnOfOtherKeys(made, context);
    }
}
