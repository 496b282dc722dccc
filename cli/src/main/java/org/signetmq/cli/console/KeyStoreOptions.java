/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.console;

import java.util.List;
import org.signetmq.keystore.Identity;
import picocli.CommandLine.Mixin;

/** The place of the private key of an identity: a file of the home with a password, or a token with a PIN. */
public final class KeyStoreOptions {
    @Mixin
    private final TokenOption keyStore = new TokenOption();

    @Mixin
    private final PasswordOptions passwords = new PasswordOptions();

    /** Loads the current key of an identity. */
    public Identity load(CommandContext context, String name) {
        return keyStore.token().map(token -> token.load(context, name)).orElseGet(() -> passwords.load(context, name));
    }

    /** Loads all keys of an identity, to open messages. */
    public List<Identity> loadAll(CommandContext context, String name) {
        return keyStore.token()
                .map(token -> token.loadAll(context, name).all())
                .orElseGet(() -> passwords.loadAll(context, name));
    }
}
