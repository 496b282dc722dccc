/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.console;

import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.KeyStoreOptions.TokenOption;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentitySource;
import org.signetmq.keystore.external.KeyStoreUri;
import org.signetmq.keystore.home.ExternalKeys;
import org.signetmq.keystore.home.HomeReader;
import org.signetmq.keystore.home.IdentityStore.IdentityKeys;
import org.signetmq.keystore.home.IdentityWatch;
import org.signetmq.keystore.home.KeyWatch;
import org.signetmq.keystore.home.Password;
import org.signetmq.keystore.token.TokenKeyStore;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The place of the private key of an identity: a file of the home with a password, a token with a PIN, or a key
 * service.
 */
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

    /** Returns all keys of an identity, to open messages, also those that it gets later. */
    public Watched watch(CommandContext context, String name, HomeReader files) {
        Optional<TokenAccess> token = keyStore.token();
        if (token.isPresent()) {
            KeyWatch watch = token.get().watch(context, name);
            return new Watched(watch, watch::close);
        }
        try (Password password = passwords.existing(context)) {
            IdentityWatch watch = files.watchIdentity(name, password);
            return new Watched(watch, watch::close);
        }
    }

    /**
     * Keys that may change. Close ends the watch.
     *
     * @param source the keys
     * @param end ends the thread, or wipes the password
     */
    public record Watched(IdentitySource source, Runnable end) implements AutoCloseable {
        @Override
        public void close() {
            end.run();
        }
    }

    /** The option for a token with the private keys, in place of the home. */
    public static final class TokenOption {
        /** The name of the option. */
        public static final String NAME = "--key-store";

        /** The name of its value. */
        public static final String LABEL = "URI";

        /** The part of its description about the place of the keys and the PIN. */
        public static final String PLACE =
                ", as a pkcs11: or transit: URI; default the home. The PIN of a token: pin-source in the URI, else "
                        + "$SIGNET_PIN, else a prompt.";

        @Option(names = NAME, paramLabel = LABEL, description = "A token or key service with the private keys" + PLACE)
        private @Nullable String uri;

        /** Returns the token if the option is given. */
        public Optional<TokenAccess> token() {
            return Optional.ofNullable(uri).map(TokenAccess::of);
        }
    }

    /** The option for a token in commands that work on keys of the home alone. They refuse it. */
    public static final class NoTokenOption {
        @Option(names = TokenOption.NAME, paramLabel = TokenOption.LABEL, hidden = true)
        private @Nullable String uri;

        /**
         * Refuses the option if it is given.
         *
         * @param instead says what to do with a key in a token
         */
        public void refuse(String instead) {
            if (uri != null) {
                throw CliException.usage("--key-store: this command works on keys of the home alone; " + instead);
            }
        }
    }

    /**
     * The use of a token by a command.
     *
     * @param uri names the token or the key service, and the keys in it
     */
    public record TokenAccess(KeyStoreUri uri) {
        /** Reads the value of an option. */
        public static TokenAccess of(String uri) {
            return new TokenAccess(KeyStoreUri.parse(uri));
        }

        /** Loads the current key of an identity. */
        public Identity load(CommandContext context, String name) {
            return loadAll(context, name).current();
        }

        /**
         * Returns the key for which a request for a certificate is made: the one that the URI names, whatever the home
         * says of the identity.
         */
        public Identity requested(CommandContext context, String name) {
            return keyStore(context).requested(name, context.home());
        }

        /** Returns all keys that may get a certificate. */
        public List<Identity> held(CommandContext context, String name) {
            return keyStore(context).held(name, context.home());
        }

        /** Tells whether a certificate there or in the home has the distinguished name of the identity. */
        public boolean knowsName(CommandContext context, String name) {
            return uri.hasCertificates()
                    || Stream.of(context.home().recipients(), context.home().trust())
                            .anyMatch(folder -> Files.exists(folder.resolve(name + ".pem")));
        }

        /** Loads all keys of an identity. It warns of keys that cannot be used. */
        public IdentityKeys loadAll(CommandContext context, String name) {
            IdentityKeys keys = keyStore(context).loadAll(name, context.home());
            keys.findings().forEach(finding -> context.warn(Failures.oneLine(finding.toString())));
            return keys;
        }

        /** Returns words for the place of the keys. */
        public String placeInWords() {
            return uri.hasCertificates() ? "a token" : "a key service";
        }

        /** Loads all keys of an identity, and watches for changes. */
        KeyWatch watch(CommandContext context, String name) {
            return keyStore(context).watch(name, context.home());
        }

        private ExternalKeys keyStore(CommandContext context) {
            // asked for before the token is used, because a login has a limit of time
            char[] pin = uri.needsPin() ? pin(context) : new char[0];
            Supplier<Password> pins = () -> Password.takeOwnershipOf(pin.clone());
            return uri.keys(pins);
        }

        private static char[] pin(CommandContext context) {
            String variable = context.environment(TokenKeyStore.PIN_VARIABLE);
            if (!variable.isEmpty()) {
                return variable.toCharArray();
            }
            Shell.Terminal terminal = context.shell().streams().terminal();
            if (terminal == null) {
                throw CliException.configuration(
                        "PIN: none given and no terminal to ask at; add pin-source=file:PATH to"
                                + " --key-store, or set " + TokenKeyStore.PIN_VARIABLE);
            }
            char[] typed = terminal.askPassword("PIN of the token: ");
            if (typed == null || typed.length == 0) {
                throw CliException.configuration("PIN: none typed");
            }
            return typed;
        }
    }
}
