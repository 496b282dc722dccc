/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.external;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeystoreUnusableException;

/**
 * Names a key in the engine Transit of HashiCorp Vault or OpenBao, in one of these forms:
 *
 * <pre>
 * transit:https://HOST:PORT/MOUNT/KEY?token-file=/path&amp;ca-file=/path&amp;namespace=NAME
 * transit:https://HOST:PORT/MOUNT/KEY?kubernetes-role=ROLE&amp;kubernetes-mount=MOUNT&amp;kubernetes-token-file=/path
 * </pre>
 *
 * @param text the URI as it was read
 * @param service the address of the service, without a path
 * @param mount the path at which the engine is mounted
 * @param key the name of the key
 * @param login tells how to log in
 * @param caFile the certificates of the issuers of the service's TLS certificate; empty for those of Java
 * @param namespace a namespace of the service
 */
record TransitUri(
        String text,
        URI service,
        String mount,
        String key,
        Login login,
        Optional<Path> caFile,
        Optional<String> namespace) {
    /** The beginning of each such URI. */
    static final String SCHEME = "transit:";

    private static final int MAX_LENGTH = 4096;
    private static final Pattern ATTRIBUTE = Pattern.compile("[a-z][a-z-]{0,31}");
    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9_]([A-Za-z0-9_.-]{0,126}[A-Za-z0-9_])?");
    private static final Pattern PATH = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9_.-]*(/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*");
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final List<String> KNOWN = List.of(
            "token-file", "ca-file", "namespace", "kubernetes-role", "kubernetes-mount", "kubernetes-token-file");

    /** Tells how to log in. */
    sealed interface Login {
        /**
         * By the token in the first line of a file, which may change.
         *
         * @param file readable by its owner alone
         */
        record ByToken(Path file) implements Login {}

        /**
         * By the token of a Kubernetes service account.
         *
         * @param mount the path at which the auth method is mounted
         */
        record ByKubernetes(String role, String mount, Path tokenFile) implements Login {}
    }

    /**
     * Reads a URI.
     *
     * @throws KeystoreUnusableException if it is not such a URI; the text shows no value
     */
    static TransitUri parse(String text) {
        if (!text.startsWith(SCHEME) || text.length() > MAX_LENGTH) {
            throw problem("must be a URI of at most " + MAX_LENGTH + " characters that begins with " + SCHEME);
        }
        URI uri = uri(text.substring(SCHEME.length()));
        String path = uri.getPath() == null ? "" : uri.getPath().replaceFirst("^/", "");
        int slash = path.lastIndexOf('/');
        String mount = slash < 0 ? "" : path.substring(0, slash);
        String key = path.substring(slash + 1);
        if (!PATH.matcher(mount).matches() || !KEY.matcher(key).matches()) {
            throw problem("the path must be the mount of the engine and the name of the key, such as /transit/alice");
        }
        Map<String, String> values = attributes(uri.getRawQuery());
        return new TransitUri(
                text,
                service(uri),
                mount,
                key,
                login(values),
                path(values, "ca-file"),
                Optional.ofNullable(named(values, "namespace", null)));
    }

    private static URI uri(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException e) {
            throw problem("behind " + SCHEME + " must stand the address of the service,"
                    + " such as https://vault.example:8200/transit/alice?token-file=/path");
        }
    }

    private static URI service(URI uri) {
        String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
        String host = uri.getHost();
        if (host == null || uri.getRawUserInfo() != null || uri.getRawFragment() != null) {
            throw problem("behind " + SCHEME + " must stand https://HOST:PORT, without a user and without '#'");
        }
        boolean isLocal = LOOPBACK.contains(host.toLowerCase(Locale.ROOT));
        if (!scheme.equals("https") && !(scheme.equals("http") && isLocal)) {
            throw problem("must use https; http is for a service on this machine alone (127.0.0.1)");
        }
        return URI.create(scheme + "://" + host + (uri.getPort() < 0 ? "" : ":" + uri.getPort()));
    }

    private static Map<String, String> attributes(@Nullable String query) {
        Map<String, String> values = new HashMap<>();
        for (String attribute : query == null ? new String[0] : query.split("&", -1)) {
            int equals = attribute.indexOf('=');
            String name = equals < 0 ? "" : attribute.substring(0, equals);
            if (!ATTRIBUTE.matcher(name).matches()) {
                throw problem("an attribute is not of the form name=value");
            }
            if (name.equals("token")) {
                throw problem("token: a token does not belong in a URI; use token-file=/path");
            }
            if (!KNOWN.contains(name)) {
                throw problem("attribute '" + name + "': unknown here; known are " + String.join(", ", KNOWN));
            }
            if (values.put(name, decoded(name, attribute.substring(equals + 1))) != null) {
                throw problem("attribute '" + name + "': given twice");
            }
        }
        return values;
    }

    private static String decoded(String name, String value) {
        try {
            return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw problem("attribute '" + name + "': two hexadecimal digits must follow '%'");
        }
    }

    private static Login login(Map<String, String> values) {
        Optional<Path> token = path(values, "token-file");
        String role = named(values, "kubernetes-role", null);
        boolean isKubernetes = values.keySet().stream().anyMatch(name -> name.startsWith("kubernetes-"));
        if (token.isPresent() && isKubernetes) {
            throw problem("token-file, kubernetes-role: leave out the one or the other");
        }
        if (token.isPresent()) {
            return new Login.ByToken(token.get());
        }
        if (role == null) {
            throw problem("no login; add token-file=/path or kubernetes-role=ROLE");
        }
        return new Login.ByKubernetes(
                role,
                String.valueOf(named(values, "kubernetes-mount", "kubernetes")),
                path(values, "kubernetes-token-file")
                        .orElse(Path.of("/var/run/secrets/kubernetes.io/serviceaccount/token")));
    }

    private static @Nullable String named(Map<String, String> values, String name, @Nullable String otherwise) {
        String value = values.get(name);
        if (value != null && !PATH.matcher(value).matches()) {
            throw problem("attribute '" + name + "': must have letters, digits, '_', '.', '-' and '/' alone");
        }
        return value == null ? otherwise : value;
    }

    private static Optional<Path> path(Map<String, String> values, String name) {
        String value = values.get(name);
        if (value == null) {
            return Optional.empty();
        }
        try {
            Path path = Path.of(value);
            if (path.isAbsolute()) {
                return Optional.of(path);
            }
        } catch (InvalidPathException e) {
            throw problem("attribute '" + name + "': not a path");
        }
        throw problem("attribute '" + name + "': must be an absolute path");
    }

    private static KeystoreUnusableException problem(String text) {
        return new KeystoreUnusableException("key-store: " + text);
    }

    /** Returns words for the key in messages. */
    String inWords() {
        return "key service " + service.getRawAuthority() + ", key '" + key + "'";
    }

    @Override
    public String toString() {
        return "TransitUri[" + inWords() + "]";
    }
}
