/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.external;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.external.TransitService.RefusedException;
import org.signetmq.keystore.external.TransitUri.Login;
import org.signetmq.keystore.file.FileStamp;
import org.signetmq.keystore.home.Password;
import org.signetmq.keystore.internal.file.BoundedFile;

/**
 * Has the token of a key service. It reads a token file again when that changes. By a Kubernetes service account it
 * logs in again after two thirds of the lease, and when the service refuses the token. Thread-safe.
 */
final class TransitLogin {
    private static final Pattern TOKEN = Pattern.compile("[!-~]{1,4096}");
    private static final int MAX_JWT = 16 << 10;
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long LONGEST_LEASE = TimeUnit.DAYS.toSeconds(1);

    private final TransitUri uri;
    private final Exchange exchange;
    private @Nullable Token known; // guarded by this, as all below
    private FileStamp file;
    private long renewAt;
    private long endsAt;
    private long lastLogin = System.nanoTime() - RETRY_NANOS;
    private String problem = "";

    /** Sends a login without a token and returns the object {@code auth} of the answer. */
    @FunctionalInterface
    interface Exchange {
        JsonNode login(String path, ObjectNode body) throws RefusedException;
    }

    /**
     * A token.
     *
     * @param text the value of the header. It is never shown.
     */
    record Token(String text) {
        @Override
        public String toString() {
            return "Token[***]";
        }
    }

    TransitLogin(TransitUri uri, Exchange exchange) {
        this.uri = uri;
        this.exchange = exchange;
        this.file = FileStamp.of(tokenFile());
    }

    private Path tokenFile() {
        return uri.login() instanceof Login.ByToken byToken
                ? byToken.file()
                : ((Login.ByKubernetes) uri.login()).tokenFile();
    }

    /**
     * Returns the token.
     *
     * @throws KeystoreUnusableException if there is none now
     */
    synchronized Token token() {
        Token now = known;
        if (uri.login() instanceof Login.ByKubernetes kubernetes) {
            return now == null || System.nanoTime() - renewAt > 0 ? loggedIn(kubernetes, now) : now;
        }
        FileStamp stamp = FileStamp.of(tokenFile());
        if (now == null || !stamp.equals(file)) {
            try (Password read = Password.fromFile(tokenFile())) {
                now = new Token(checked(new String(read.characters()), "token-file " + tokenFile()));
            }
            known = now;
            file = stamp;
        }
        return now;
    }

    /** Tells whether another token may do what the service forbade with this one. It forgets a token of a login. */
    synchronized boolean mayRenew(Token refused) {
        if (!refused.equals(known)) {
            return true;
        }
        if (uri.login() instanceof Login.ByKubernetes) {
            if (System.nanoTime() - lastLogin < RETRY_NANOS) {
                return false;
            }
            known = null;
            return true;
        }
        return !FileStamp.of(tokenFile()).equals(file);
    }

    private Token loggedIn(Login.ByKubernetes kubernetes, @Nullable Token present) {
        if (System.nanoTime() - lastLogin < RETRY_NANOS) {
            return orFailed(present, null);
        }
        lastLogin = System.nanoTime();
        try {
            return exchanged(kubernetes);
        } catch (RefusedException e) {
            problem = uri.inWords() + ": the login by Kubernetes with role '" + kubernetes.role() + "' failed: "
                    + e.getMessage() + "; check the role and the service account";
            return orFailed(present, e);
        } catch (KeystoreUnusableException e) {
            problem = String.valueOf(e.getMessage());
            return orFailed(present, e);
        }
    }

    /** Returns the token that is there until its lease ends, so that the last third of it bridges failed logins. */
    private Token orFailed(@Nullable Token present, @Nullable Exception cause) {
        if (present == null || (!problem.isEmpty() && System.nanoTime() - endsAt > 0)) {
            throw new KeystoreUnusableException(problem, cause);
        }
        return present;
    }

    private Token exchanged(Login.ByKubernetes kubernetes) throws RefusedException {
        ObjectNode body = TransitService.MAPPER.createObjectNode();
        body.put("role", kubernetes.role());
        body.put("jwt", jwt(kubernetes.tokenFile()));
        JsonNode auth = exchange.login("auth/" + kubernetes.mount() + "/login", body);
        Token token = new Token(checked(auth.path("client_token").asText(""), uri.inWords() + ": login"));
        long seconds =
                Math.min(LONGEST_LEASE, Math.max(0, auth.path("lease_duration").asLong(0)));
        long lease = seconds == 0 ? LONGEST_LEASE : seconds; // 0 is a token without an end
        renewAt = System.nanoTime() + TimeUnit.SECONDS.toNanos(lease) / 3 * 2;
        endsAt = System.nanoTime() + TimeUnit.SECONDS.toNanos(lease);
        known = token;
        problem = "";
        return token;
    }

    private static String jwt(Path file) {
        String text = new String(BoundedFile.read(file, MAX_JWT), StandardCharsets.UTF_8).strip();
        if (text.isEmpty()) {
            throw new KeystoreUnusableException("kubernetes-token-file " + file + ": empty");
        }
        return text;
    }

    private static String checked(String token, String place) {
        if (!TOKEN.matcher(token).matches()) {
            throw new KeystoreUnusableException(
                    place + ": its token is not one line of 1 to 4096 printable ASCII characters");
        }
        return token;
    }
}
