/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.console;

import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.home.Password;
import org.signetmq.keystore.token.TokenKeyStore;
import org.signetmq.keystore.token.TokenUri;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The place of the private key of an identity: a file of the home with a password, or a token with a PIN. */
public final class KeyStoreOptions {
    @Option(
            names = "--key-store",
            paramLabel = "URI",
            description =
                    "A token with the private key, as a pkcs11: URI; default the home. The PIN: pin-source in the "
                            + "URI, else $SIGNET_PIN, else a prompt.")
    private @Nullable String keyStore;

    @Mixin
    private final PasswordOptions passwords = new PasswordOptions();

    /** Loads an identity. */
    public Identity load(CommandContext context, String name) {
        if (keyStore == null) {
            return passwords.load(context, name);
        }
        TokenUri uri = TokenUri.parse(keyStore);
        // asked for before the token is used, because a login has a limit of time
        char[] pin = uri.pinSource().isPresent() ? new char[0] : pin(context);
        Supplier<Password> pins = () -> Password.takeOwnershipOf(pin.clone());
        return new TokenKeyStore(uri, pins).load(name);
    }

    /** Loads all keys of an identity, to open messages. Of a token it loads the one key that its URI names. */
    public List<Identity> loadAll(CommandContext context, String name) {
        return keyStore == null ? passwords.loadAll(context, name) : List.of(load(context, name));
    }

    private static char[] pin(CommandContext context) {
        String variable = context.environment(TokenKeyStore.PIN_VARIABLE);
        if (!variable.isEmpty()) {
            return variable.toCharArray();
        }
        Shell.Terminal terminal = context.shell().streams().terminal();
        if (terminal == null) {
            throw CliException.configuration("PIN: none given and no terminal to ask at; add pin-source=file:PATH to"
                    + " --key-store, or set " + TokenKeyStore.PIN_VARIABLE);
        }
        char[] typed = terminal.askPassword("PIN of the token: ");
        if (typed == null || typed.length == 0) {
            throw CliException.configuration("PIN: none typed");
        }
        return typed;
    }
}
