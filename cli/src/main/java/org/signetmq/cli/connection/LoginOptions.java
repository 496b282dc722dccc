/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.connection;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.connection.BrokerAccess.Credentials;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.CommandContext;
import org.signetmq.cli.console.Failures;
import org.signetmq.cli.console.Shell;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.home.PermissionCheck;
import org.signetmq.policy.BrokerAddresses;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options for the login at a broker. The password never comes from an option's value. */
public final class LoginOptions {
    private static final String VARIABLE = "SIGNET_BROKER_PASSWORD";

    private static final String USER_VARIABLE = "SIGNET_BROKER_USER";

    @Option(
            names = "--user",
            paramLabel = "U",
            description = "Whom to log in as at the broker; default $SIGNET_BROKER_USER, else nobody.")
    private @Nullable String user;

    @Option(
            names = "--broker-password-file",
            paramLabel = "FILE",
            description = "The first line is the password of --user; else $SIGNET_BROKER_PASSWORD, else a prompt.")
    private @Nullable Path file;

    @Mixin
    private final TlsOptions tls = new TlsOptions();

    /** Returns the access to the broker of an option, else of {@code $SIGNET_BROKER}. It may ask for the password. */
    public BrokerAccess to(@Nullable String url, CommandContext context) throws IOException {
        String named = BrokerUrl.one(BrokerUrl.named(url == null ? List.of() : List.of(url), context));
        return new BrokerAccess(named, credentials(context));
    }

    /** Whether an option is given. They mean nothing without a broker. */
    public boolean isGiven() {
        return user != null || file != null || tls.isGiven();
    }

    /** Returns the credentials that options or the environment name. It may ask for the password. */
    public Credentials credentials(CommandContext context) throws IOException {
        String variable = context.environment(USER_VARIABLE);
        String login = user == null && !variable.isEmpty() ? variable : user;
        return new Credentials(login, login == null ? null : password(login, context), tls.parameters(context));
    }

    private String password(String login, CommandContext context) throws IOException {
        if (file != null) {
            return firstLine(file, context);
        }
        String variable = context.environment(VARIABLE);
        if (!variable.isEmpty()) {
            return variable;
        }
        Shell.Terminal terminal = context.shell().streams().terminal();
        char[] typed = terminal == null ? null : terminal.askPassword("Password of " + login + " at the broker: ");
        if (typed == null) {
            throw CliException.configuration("broker password: none given and no terminal to ask at; use "
                    + "--broker-password-file FILE or " + VARIABLE);
        }
        return new String(typed);
    }

    /** Returns the first line of a file that other users must not read. */
    static String firstLine(Path file, CommandContext context) throws IOException {
        Path named = context.resolve(file);
        PermissionCheck.forThisUser().secret(named).requireNoFinding();
        return Files.readString(named).lines().findFirst().orElse("");
    }

    /** The options for TLS to a broker. They become parameters of the connection, as a URL may have them. */
    public static final class TlsOptions {
        @Option(
                names = "--tls-trust-store",
                paramLabel = "FILE",
                description = "Connect by TLS, and trust the certificates in this key store (PKCS#12 or JKS).")
        private @Nullable Path trustStore;

        @Option(
                names = "--tls-trust-store-password-file",
                paramLabel = "FILE",
                description = "The first line is the password of --tls-trust-store.")
        private @Nullable Path trustStorePassword;

        @Option(
                names = "--tls-key-store",
                paramLabel = "FILE",
                description = "Connect by TLS, and show the broker the certificate in this key store (PKCS#12 or JKS).")
        private @Nullable Path keyStore;

        @Option(
                names = "--tls-key-store-password-file",
                paramLabel = "FILE",
                description = "The first line is the password of --tls-key-store.")
        private @Nullable Path keyStorePassword;

        boolean isGiven() {
            return trustStore != null || trustStorePassword != null || keyStore != null || keyStorePassword != null;
        }

        /**
         * Returns the parameters by their names in Artemis; none if no option is given. It opens the key stores first.
         */
        Map<String, String> parameters(CommandContext context) throws IOException {
            Map<String, String> parameters = new LinkedHashMap<>();
            add("trustStore", store("--tls-trust-store", trustStore, trustStorePassword, context), parameters);
            add("keyStore", store("--tls-key-store", keyStore, keyStorePassword, context), parameters);
            if (!parameters.isEmpty()) {
                parameters.put("sslEnabled", "true");
            }
            return parameters;
        }

        /** A key store that was opened. */
        private record Store(Path file, String password, String type) {}

        private static @Nullable Store store(
                String option, @Nullable Path file, @Nullable Path passwordFile, CommandContext context)
                throws IOException {
            if (file == null && passwordFile == null) {
                return null;
            }
            if (file == null || passwordFile == null) {
                throw CliException.usage(option + " and " + option + "-password-file: each needs the other");
            }
            Path store = context.resolve(file).toAbsolutePath();
            String password = LoginOptions.firstLine(passwordFile, context);
            if (!Files.isRegularFile(store)) {
                throw CliException.configuration(store + ": no such file");
            }
            try {
                KeyStore opened = KeyStore.getInstance(store.toFile(), password.toCharArray());
                requireValidIdentity(store, opened);
                return new Store(store, password, opened.getType());
            } catch (IOException | GeneralSecurityException e) { // the client would only say that it cannot connect
                throw CliException.configuration(store + ": cannot be opened: " + Failures.inWords(e))
                        .hint("is the first line of " + context.resolve(passwordFile) + " its password?")
                        .causedBy(e);
            }
        }

        /**
         * Rejects a key store with keys whose certificates have all ended. The broker would end the connection unsaid.
         */
        private static void requireValidIdentity(Path file, KeyStore store) throws GeneralSecurityException {
            X509Certificate ended = null;
            for (String alias : Collections.list(store.aliases())) {
                if (store.isKeyEntry(alias) && store.getCertificate(alias) instanceof X509Certificate certificate) {
                    if (certificate.getNotAfter().toInstant().isAfter(Instant.now())) {
                        return;
                    }
                    ended = certificate;
                }
            }
            if (ended != null) {
                throw CliException.configuration(file + ": the certificate of "
                                + DistinguishedName.shown(ended.getSubjectX500Principal()) + " expired on "
                                + ended.getNotAfter().toInstant())
                        .hint("nothing was sent; the broker rejects an expired certificate, so renew it");
            }
        }

        private static void add(String prefix, @Nullable Store store, Map<String, String> parameters) {
            if (store != null) {
                parameters.put(prefix + "Path", store.file().toString());
                parameters.put(prefix + "Password", store.password());
                parameters.put(prefix + "Type", store.type());
            }
        }
    }

    /** The options for the management of one broker: the login, and the address of management messages. */
    public static final class ManagementOptions {
        @Mixin
        private final LoginOptions login = new LoginOptions();

        @Option(
                names = "--management-address",
                paramLabel = "ADDRESS",
                description = "Where the broker takes management messages: the <management-address> of its broker.xml.")
        private @Nullable String address;

        /** Tells whether an option is given. They mean nothing without a broker. */
        public boolean isGiven() {
            return login.isGiven() || address != null;
        }

        /**
         * Returns the access to the broker of an option, else of {@code $SIGNET_BROKER}. It may ask for the password.
         */
        public BrokerAccess to(@Nullable String url, CommandContext context) throws IOException {
            return login.to(url, context);
        }

        /** Connects to a broker and asks its management. */
        public <T> T ask(BrokerAccess access, Management.Questions<T> questions) {
            return Management.ask(
                    access, Objects.requireNonNullElse(address, BrokerAddresses.DEFAULT.management()), questions);
        }
    }
}
