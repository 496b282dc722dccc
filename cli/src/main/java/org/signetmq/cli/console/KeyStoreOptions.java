/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.console;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.Identity;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The place of the private key of an identity: a file of the home with a password, or a token with a PIN. */
public final class KeyStoreOptions {
    @Option(
            names = "--key-store",
            paramLabel = "URI",
            description =
                    "A token with the private keys, as a pkcs11: URI; default the home. The PIN: pin-source in the "
                            + "URI, else $SIGNET_PIN, else a prompt.")
    private @Nullable String keyStore;

    @Mixin
    private final PasswordOptions passwords = new PasswordOptions();

    /** Loads the current key of an identity. */
    public Identity load(CommandContext context, String name) {
        return keyStore == null
                ? passwords.load(context, name)
                : TokenAccess.of(keyStore).load(context, name);
    }

    /** Loads all keys of an identity, to open messages. */
    public List<Identity> loadAll(CommandContext context, String name) {
        return keyStore == null
                ? passwords.loadAll(context, name)
                : TokenAccess.of(keyStore).loadAll(context, name).all();
    }
}
