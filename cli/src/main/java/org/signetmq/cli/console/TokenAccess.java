/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.console;

import java.util.function.Supplier;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.home.IdentityStore.IdentityKeys;
import org.signetmq.keystore.home.Password;
import org.signetmq.keystore.token.TokenKeyStore;
import org.signetmq.keystore.token.TokenUri;

/**
 * The use of a token by a command.
 *
 * @param uri names the token and the keys in it
 */
public record TokenAccess(TokenUri uri) {
    /** Reads the value of an option. */
    public static TokenAccess of(String uri) {
        return new TokenAccess(TokenUri.parse(uri));
    }

    /** Loads the current key of an identity. */
    public Identity load(CommandContext context, String name) {
        return loadAll(context, name).current();
    }

    /**
     * Loads the key that the URI names, whatever the home says of the identity. A URI without label and id names the
     * current key.
     */
    public Identity loadNamed(CommandContext context, String name) {
        return uri.namesKey() ? keyStore(context).load(name) : load(context, name);
    }

    /** Loads all keys of an identity. It warns of keys that cannot be used. */
    public IdentityKeys loadAll(CommandContext context, String name) {
        IdentityKeys keys = keyStore(context).loadAll(name, context.home());
        keys.findings().forEach(finding -> context.warn(Failures.oneLine(finding.toString())));
        return keys;
    }

    private TokenKeyStore keyStore(CommandContext context) {
        // asked for before the token is used, because a login has a limit of time
        char[] pin = uri.pinSource().isPresent() ? new char[0] : pin(context);
        Supplier<Password> pins = () -> Password.takeOwnershipOf(pin.clone());
        return new TokenKeyStore(uri, pins);
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
