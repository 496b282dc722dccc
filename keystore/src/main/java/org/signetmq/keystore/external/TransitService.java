/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.external;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrintableText;
import org.signetmq.keystore.file.FileStamp;
import org.signetmq.keystore.home.Pem;
import org.signetmq.keystore.home.PermissionCheck;

/**
 * Calls the HTTP interface of HashiCorp Vault or OpenBao. It bounds the time of each call, the number of calls at one
 * time, and the length of an answer. After a call that took too long all others fail at once, but for one in five
 * seconds, until the service answers. So a service that hangs does not stop all threads for the whole limit.
 * Thread-safe.
 */
final class TransitService {
    static final int MAX_ANSWER = 1 << 20;

    private static final int MOST_CALLS = 16;
    private static final int DEEPEST = 16;
    private static final int MOST_SHOWN = 200;
    private static final long TRIAL_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final int FORBIDDEN = 403;

    /** Answers that tell of the state of the service, not of the operation: too many calls, standby, sealed. */
    private static final List<Integer> NOT_NOW = List.of(307, 412, 429, 472, 473, 501, 502, 503, 504);

    static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(DEEPEST)
                            .maxDocumentLength(MAX_ANSWER)
                            .build())
                    .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                    .build())
            .build();

    private final TransitUri uri;
    private final Duration most;
    private final TransitLogin login;
    private final Semaphore calls = new Semaphore(MOST_CALLS, true);
    private volatile boolean isHanging;
    private final AtomicLong lastTrial = new AtomicLong();
    private @Nullable Client client; // guarded by this

    /** The client for the trust of one moment. */
    private record Client(FileStamp caFile, HttpClient http) {}

    /** The service answered that it does not do an operation. The text is for a person. */
    static final class RefusedException extends Exception {
        private static final long serialVersionUID = 1L;
        private final int status;

        RefusedException(int status, String text) {
            super(text);
            this.status = status;
        }

        /** Tells whether the policy of the login forbids the operation. */
        boolean isForbidden() {
            return status == FORBIDDEN;
        }
    }

    private record Answer(int status, byte[] body) {}

    /**
     * Creates a client. It uses the service only for calls.
     *
     * @param most how long a call may take
     */
    TransitService(TransitUri uri, Duration most) {
        this.uri = uri;
        this.most = most;
        this.login = new TransitLogin(uri, (path, body) -> data(send("POST", path, body, null, deadline()), "auth"));
    }

    /**
     * Calls the service and returns the object {@code data} of its answer.
     *
     * @param path the path behind {@code /v1/}
     * @param body the parameters of an operation; null to read
     * @throws RefusedException if the service refuses the operation; others may succeed
     * @throws KeystoreUnusableException if the service cannot be used now
     */
    JsonNode call(String path, @Nullable ObjectNode body) throws RefusedException {
        long deadline = deadline();
        String method = body == null ? "GET" : "POST";
        TransitLogin.Token token = login.token();
        Answer answer = send(method, path, body, token.text(), deadline);
        if (answer.status() == FORBIDDEN && login.mayRenew(token)) {
            answer = send(method, path, body, login.token().text(), deadline);
        }
        return data(answer, "data");
    }

    private long deadline() {
        return System.nanoTime() + most.toNanos();
    }

    private JsonNode data(Answer answer, String field) throws RefusedException {
        boolean isDone = answer.status() == 200;
        JsonNode tree = parsed(answer.body(), isDone);
        if (isDone && tree.path(field).isObject()) {
            return tree.path(field);
        }
        String said = said(tree);
        if (NOT_NOW.contains(answer.status()) || isDone || answer.status() < 400) {
            throw unusable("it answers " + answer.status() + said, null);
        }
        throw new RefusedException(answer.status(), "it answers " + answer.status() + said);
    }

    private static String said(JsonNode tree) {
        String first = tree.path("errors").path(0).asText("");
        return first.isBlank()
                ? ""
                : " (" + PrintableText.of(first.replaceAll("\\s+", " ").strip(), MOST_SHOWN) + ")";
    }

    private JsonNode parsed(byte[] body, boolean isNeeded) {
        try {
            JsonNode tree = MAPPER.readTree(body);
            return tree == null ? MissingNode.getInstance() : tree;
        } catch (IOException e) {
            if (isNeeded) {
                throw unusable("its answer is no JSON; is the address that of Vault or OpenBao?", null);
            }
            return MissingNode.getInstance();
        } finally {
            Arrays.fill(body, (byte) 0); // it may have a data key
        }
    }

    /** Sends a request, once more if the connection ended. An operation may happen twice; it changes nothing. */
    private Answer send(String method, String path, @Nullable ObjectNode body, @Nullable String token, long deadline) {
        if (isHanging && !isTrial()) {
            throw tooSlow(null);
        }
        if (!acquired(deadline)) {
            throw tooSlow(null);
        }
        try {
            HttpRequest request = request(method, path, body, token);
            try {
                return once(request, deadline);
            } catch (TooLongException | SSLException answered) {
                throw answered;
            } catch (IOException broken) {
                return once(request, deadline);
            }
        } catch (IOException e) {
            throw unreachable(e);
        } finally {
            calls.release();
        }
    }

    private boolean acquired(long deadline) {
        try {
            return calls.tryAcquire(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unusable("interrupted", e);
        }
    }

    /** Returns whether this thread may try a service that hangs. */
    private boolean isTrial() {
        long last = lastTrial.get();
        long now = System.nanoTime();
        return now - last > TRIAL_NANOS && lastTrial.compareAndSet(last, now);
    }

    private HttpRequest request(String method, String path, @Nullable ObjectNode body, @Nullable String token)
            throws IOException {
        HttpRequest.Builder builder =
                HttpRequest.newBuilder(uri.service().resolve("/v1/" + path)).header("X-Vault-Request", "true");
        if (token != null) {
            builder.header("X-Vault-Token", token);
        }
        uri.namespace().ifPresent(name -> builder.header("X-Vault-Namespace", name));
        return builder.method(
                        method,
                        body == null
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofByteArray(MAPPER.writeValueAsBytes(body)))
                .build();
    }

    private Answer once(HttpRequest request, long deadline) throws IOException {
        CompletableFuture<HttpResponse<byte[]>> answer = http().sendAsync(request, info -> new BoundedBody());
        try {
            HttpResponse<byte[]> got = answer.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
            isHanging = false;
            return new Answer(got.statusCode(), got.body());
        } catch (ExecutionException e) {
            isHanging = false;
            throw e.getCause() instanceof IOException broken ? broken : new IOException(e.getCause());
        } catch (TimeoutException e) {
            answer.cancel(true);
            lastTrial.set(System.nanoTime());
            isHanging = true;
            throw tooSlow(e);
        } catch (InterruptedException e) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            throw unusable("interrupted", e);
        }
    }

    private KeystoreUnusableException unreachable(IOException e) {
        if (e instanceof TooLongException) {
            return unusable("its answer is longer than " + MAX_ANSWER + " bytes", e);
        }
        if (e instanceof SSLException) {
            return unusable(
                    "its TLS certificate is not accepted ("
                            + PrintableText.of(String.valueOf(e.getMessage()), MOST_SHOWN)
                            + "); name the certificate of its issuer by ca-file",
                    e);
        }
        return unusable(
                "it cannot be reached (" + telling(e).getClass().getSimpleName()
                        + "); Signet uses it again by itself when it is back",
                e);
    }

    /** Returns the first cause that is of a kind of its own. */
    private static Throwable telling(Throwable failure) {
        Throwable cause = failure;
        while (cause.getClass() == IOException.class && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    private KeystoreUnusableException tooSlow(@Nullable Throwable cause) {
        return unusable("no answer in " + most.toMillis() / 1000 + " s; check the service and its connection", cause);
    }

    KeystoreUnusableException unusable(String text, @Nullable Throwable cause) {
        return new KeystoreUnusableException(uri.inWords() + ": " + text, cause);
    }

    /** Returns the client. It makes another one when the file of the issuers has changed. */
    private synchronized HttpClient http() {
        FileStamp stamp = uri.caFile().map(FileStamp::of).orElseGet(() -> FileStamp.of(Path.of("/")));
        Client known = client;
        if (known != null && (uri.caFile().isEmpty() || known.caFile().equals(stamp))) {
            return known.http();
        }
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .proxy(HttpClient.Builder.NO_PROXY)
                .connectTimeout(most);
        uri.caFile().ifPresent(file -> builder.sslContext(trusting(file)));
        HttpClient made = builder.build();
        client = new Client(stamp, made);
        return made;
    }

    private SSLContext trusting(Path file) {
        PermissionCheck.forThisUser().part(file).requireNoFinding();
        try {
            KeyStore issuers = KeyStore.getInstance("PKCS12");
            issuers.load(null, null);
            for (X509Certificate issuer : Pem.readCertificates(file)) {
                issuers.setCertificateEntry(String.valueOf(issuers.size()), issuer);
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(issuers);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw unusable("ca-file " + file + ": cannot be used", e);
        }
    }

    private static final class TooLongException extends IOException {
        private static final long serialVersionUID = 1L;
    }

    /** Collects the body of an answer up to the greatest length. */
    private static final class BoundedBody implements BodySubscriber<byte[]> {
        private final CompletableFuture<byte[]> body = new CompletableFuture<>();
        private byte[] bytes = new byte[4096];
        private int length;
        private Flow.@Nullable Subscription subscription;

        @Override
        public CompletionStage<byte[]> getBody() {
            return body;
        }

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription = given;
            given.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(List<ByteBuffer> parts) {
            for (ByteBuffer part : parts) {
                int more = part.remaining();
                if (body.isDone() || more > MAX_ANSWER - length) {
                    Optional.ofNullable(subscription).ifPresent(Flow.Subscription::cancel);
                    body.completeExceptionally(new TooLongException());
                    return;
                }
                if (length + more > bytes.length) {
                    byte[] before = bytes;
                    bytes = Arrays.copyOf(before, Math.max(2 * before.length, length + more));
                    Arrays.fill(before, (byte) 0);
                }
                part.get(bytes, length, more);
                length += more;
            }
        }

        @Override
        public void onError(Throwable failure) {
            body.completeExceptionally(failure);
        }

        @Override
        public void onComplete() {
            body.complete(Arrays.copyOf(bytes, length));
            Arrays.fill(bytes, (byte) 0);
        }
    }
}
