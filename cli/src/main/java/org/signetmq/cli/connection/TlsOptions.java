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
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.CommandContext;
import org.signetmq.cli.console.Failures;
import org.signetmq.keystore.DistinguishedName;
import picocli.CommandLine.Option;

/** The options for TLS to a broker. They become parameters of the connection, as a URL may have them. */
public final class TlsOptions {
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

    /** Returns the parameters by their names in Artemis; none if no option is given. It opens the key stores first. */
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

    /** Rejects a key store with keys whose certificates have all ended. The broker would end the connection unsaid. */
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
