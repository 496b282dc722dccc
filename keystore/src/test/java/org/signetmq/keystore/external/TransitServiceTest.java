/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.external;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.home.Home;

/** A server at the address of a key service that answers as no service should. */
final class TransitServiceTest {
    private static final Duration SHORT = Duration.ofSeconds(1);

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicReference<String> token = new AtomicReference<>("");
    private final CountDownLatch end = new CountDownLatch(1);

    @SuppressWarnings("NullAway.Init") // before each test
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newCachedThreadPool());
        server.start();
        tokenFile("s.first");
    }

    @AfterEach
    void stop() {
        end.countDown();
        server.stop(0);
        ((ExecutorService) server.getExecutor()).shutdownNow();
    }

    private void tokenFile(String text) throws IOException {
        Path next = folder.resolve("next");
        Files.deleteIfExists(next);
        Files.createFile(next, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(next, text + "\n");
        Files.move(next, folder.resolve("token"), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    }

    private void answer(int status, String body) {
        server.createContext("/", exchange -> {
            requests.incrementAndGet();
            token.set(exchange.getRequestHeaders().getFirst("X-Vault-Token"));
            byte[] bytes = body.getBytes(US_ASCII);
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
    }

    private TransitKeyStore store() {
        return new TransitKeyStore(uri(server.getAddress().getPort()), SHORT);
    }

    private TransitUri uri(int port) {
        return TransitUri.parse(
                "transit:http://127.0.0.1:" + port + "/transit/alice?token-file=" + folder.resolve("token"));
    }

    private void assertUnusable(TransitKeyStore store, String problem) {
        assertThatThrownBy(() -> store.loadAll("alice", new Home(folder)))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageMatching("key service 127\\.0\\.0\\.1:[0-9]+, key 'alice': .*")
                .hasMessageContaining(problem)
                .hasMessageNotContaining("s.first")
                .satisfies(e -> assertThat(String.valueOf(e.getMessage())).hasSizeLessThan(500));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "200 | '' | it answers 200",
                "200 | <html>hello</html> | its answer is no JSON",
                "200 | {\"data\":[]} | it answers 200",
                "200 | {\"data\":{\"type\":\"rsa-2048\"}} | has no public key",
                "200 | {\"data\":{\"type\":\"rsa-2048\",\"keys\":{\"x\":{}}}} | a version that is no number",
                "200 | {\"data\":{\"type\":\"rsa-2048\",\"keys\":{\"1\":1}}} | its public key is malformed",
                "200 | {\"data\":{\"type\":\"ed25519\",\"keys\":{\"1\":{\"public_key\":\"AA==\"}}}} | its public key is malformed",
                "200 | {\"data\":{\"type\":\"ed25519\",\"derived\":true,\"keys\":{}}} | a type that Signet does not use",
                "200 | {\"data\":{\"type\":\"aes256-gcm96\",\"keys\":{\"1\":5}}} | a type that Signet does not use",
                "404 | {\"errors\":[]} | there is no such key in the engine at transit: it answers 404",
                "403 | {\"errors\":[\"permission denied\"]} | check the login",
                "503 | {\"errors\":[\"Vault is sealed\"]} | it answers 503 (Vault is sealed)",
                "307 | '' | it answers 307",
                "500 | {\"errors\":[\"a\\u001b[2J\\nb\"]} | it answers 500 (a?[2J b)",
            })
    void answerThatIsWrong_isTold_onOneLine(int status, String body, String problem) {
        answer(status, body);

        assertUnusable(store(), problem);
    }

    @Test
    void answerThatIsTooLong_isCut_beforeItIsRead() {
        AtomicInteger written = new AtomicInteger();
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            try (OutputStream out = exchange.getResponseBody()) {
                while (written.get() < 1 << 30) {
                    out.write(new byte[1 << 16]);
                    written.addAndGet(1 << 16);
                }
            }
        });

        assertUnusable(store(), "its answer is longer than 1048576 bytes");
        assertThat(written.get()).isLessThan(1 << 29);
    }

    @Test
    void answerInDeepJson_isRefused() {
        answer(200, "[".repeat(100_000));

        assertUnusable(store(), "its answer is no JSON");
    }

    @Test
    void answerThatComesByDrops_endsAtTheLimit_andOthersDoNotWait() {
        server.createContext("/", exchange -> {
            requests.incrementAndGet();
            exchange.sendResponseHeaders(200, 0);
            try (OutputStream out = exchange.getResponseBody()) {
                while (!end.await(50, TimeUnit.MILLISECONDS)) {
                    out.write(' ');
                    out.flush();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        TransitKeyStore store = store();

        assertUnusable(store, "no answer in 1 s");
        for (int i = 0; i < 100; i++) {
            assertUnusable(store, "no answer in 1 s");
        }
        assertThat(requests.get()).isEqualTo(1);
    }

    @Test
    void manyCalls_useFewConnections() throws Exception {
        AtomicInteger now = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        server.createContext("/", exchange -> {
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            try {
                end.await(20, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            now.decrementAndGet();
            exchange.sendResponseHeaders(404, -1);
            exchange.close();
        });
        TransitKeyStore store = new TransitKeyStore(uri(server.getAddress().getPort()), Duration.ofMinutes(1));
        ExecutorService threads = Executors.newFixedThreadPool(64);
        try {
            List<Future<?>> calls = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                calls.add(threads.submit(() -> assertUnusable(store, "it answers 404")));
            }
            for (Future<?> call : calls) {
                call.get(3, TimeUnit.MINUTES);
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(most.get()).isBetween(1, 16);
    }

    @Test
    void connectionThatEnds_isTriedOnceMore() throws Exception {
        AtomicInteger accepted = new AtomicInteger();
        try (ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread closing = new Thread(() -> {
                while (!listening.isClosed()) {
                    try (Socket socket = listening.accept()) {
                        accepted.incrementAndGet();
                        assertThat(socket.getInputStream().read()).isPositive();
                    } catch (IOException closed) {
                        // the end of the test
                    }
                }
            });
            closing.start();

            assertUnusable(new TransitKeyStore(uri(listening.getLocalPort()), SHORT), "it cannot be reached");

            assertThat(accepted.get()).isBetween(2, 6); // Java itself may repeat a request
        }
    }

    @Test
    void tokenFile_isReadAgain_whenItChanges() throws Exception {
        answer(404, "");
        TransitKeyStore store = store();
        assertUnusable(store, "it answers 404");
        assertThat(token.get()).isEqualTo("s.first");

        tokenFile("s.second");
        assertUnusable(store, "it answers 404");
        assertThat(token.get()).isEqualTo("s.second");
    }

    @ParameterizedTest
    @CsvSource({"'s.first\rX-Evil: 1'", "'s first'", "'s\u00e4'"})
    void tokenThatIsNoHeader_isNotSent_andNotShown(String text) throws Exception {
        answer(404, "");
        tokenFile(text);

        assertThatThrownBy(() -> store().loadAll("alice", new Home(folder)))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessage("token-file " + folder.resolve("token")
                        + ": its token is not one line of 1 to 4096 printable ASCII characters");
        assertThat(requests.get()).isZero();
    }

    @Test
    void tokenFileThatOthersMayRead_isRefused() throws Exception {
        answer(404, "");
        Files.setPosixFilePermissions(folder.resolve("token"), PosixFilePermissions.fromString("rw-r--r--"));

        assertThatThrownBy(() -> store().loadAll("alice", new Home(folder)))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("token");
        assertThat(requests.get()).isZero();
    }

    @Test
    void loginByKubernetes_thatFails_isNotRepeatedForEachMessage() throws Exception {
        answer(400, "{\"errors\":[\"invalid role name\"]}");
        Path jwt = Files.writeString(folder.resolve("jwt"), "a.b.c");
        TransitKeyStore store = new TransitKeyStore(
                TransitUri.parse(
                        "transit:http://127.0.0.1:" + server.getAddress().getPort()
                                + "/transit/alice?kubernetes-role=orders&kubernetes-token-file=" + jwt),
                SHORT);

        for (int i = 0; i < 50; i++) {
            assertUnusable(
                    store,
                    "the login by Kubernetes with role 'orders' failed: it answers 400 (invalid role name); check the"
                            + " role and the service account");
        }
        assertThat(requests.get()).isLessThan(5);
    }

    @Test
    void loginByKubernetes_thatFails_leavesTheTokenInUse_thatHasNotEndedYet() throws Exception {
        AtomicInteger logins = new AtomicInteger();
        answer(404, "");
        server.createContext("/v1/auth/", exchange -> {
            byte[] body = "{\"auth\":{\"client_token\":\"s.pod\",\"lease_duration\":3}}".getBytes(US_ASCII);
            boolean isFirst = logins.incrementAndGet() == 1;
            exchange.sendResponseHeaders(isFirst ? 200 : 503, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        Path jwt = Files.writeString(folder.resolve("jwt"), "a.b.c");
        TransitService service = new TransitService(
                TransitUri.parse(
                        "transit:http://127.0.0.1:" + server.getAddress().getPort()
                                + "/transit/alice?kubernetes-role=orders&kubernetes-token-file=" + jwt),
                SHORT);

        await().until(() -> {
            assertThatThrownBy(() -> service.call("transit/keys/alice", null)).hasMessage("it answers 404");
            return logins.get() > 1;
        });
        assertThat(token.get()).isEqualTo("s.pod");
        await().untilAsserted(() -> assertThatThrownBy(() -> service.call("transit/keys/alice", null))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("it answers 503"));
    }
}
