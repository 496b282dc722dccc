/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.identity;

import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.CommandContext;
import org.signetmq.cli.console.PasswordOptions;
import org.signetmq.cli.console.TokenAccess;
import org.signetmq.cli.console.TokenOption;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.home.IdentityStore;
import picocli.CommandLine.Option;

/** The token with the private key of an issuer. The new key, if there is one, is in the home. */
final class IssuerToken {
    @Option(
            names = TokenOption.NAME,
            paramLabel = TokenOption.LABEL,
            description = "A token with the private key of --issuer" + TokenOption.PLACE)
    private @Nullable String uri;

    /** Checks that the issuer is named if its token is. */
    void requireIssuer(@Nullable String issuer) {
        if (uri != null && issuer == null) {
            throw CliException.usage("--key-store: it is the token of the issuer here; add --issuer NAME. The new key"
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
