/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.messaging.AmqpValue;
import org.apache.qpid.proton.amqp.messaging.Data;
import org.apache.qpid.proton.amqp.messaging.Section;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.cli.CliRun.Result;
import org.signetmq.cli.command.policy.PolicyStore;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Json;
import org.signetmq.cli.console.Shell;
import org.signetmq.envelope.Sealer;
import org.signetmq.envelope.message.BodyKind;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.HomeReader;
import org.signetmq.keystore.home.Password;
import org.signetmq.keystore.keys.PregenerationSettings;
import org.signetmq.testkit.Ports;
import org.signetmq.testkit.Tier;

/** The command {@code signet serve} with real clients of HTTP, good and bad ones. */
final class ServeTest {
    private static final byte[] PAYLOAD = "{\"order\": \"4711 \u00e4\"}\n".getBytes(UTF_8);
    private static final String TOKEN = "0123456789abcdef0123456789abcdef";
    private static final int LIMIT = 16 << 20;

    @TempDir
    private Path folder;

    private final HttpClient http = HttpClient.newHttpClient();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final int port = Ports.free();
    private CliRun signet;

    @SuppressWarnings("NullAway.Init") // serve makes it
    private Thread serving;

    @SuppressWarnings("NullAway.Init") // serve makes it
    private CompletableFuture<Result> ended;

    @BeforeEach
    void setUp() throws Exception {
        signet = new CliRun(folder);
        signet.given(CliRun.ALICE_AND_BOB);
        signet.ok("policy set agreed --quality authenticity --recipient alice");
        Files.createFile(
                folder.resolve("token"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(folder.resolve("token"), TOKEN + "\n");
    }

    @AfterEach
    void tearDown() {
        threads.shutdownNow();
        if (serving != null) {
            var unused = stop();
        }
    }

    private void serve(String name) {
        ended = new CompletableFuture<>();
        serving = new Thread(() -> ended.complete(
                new CliRun(folder).run("serve --token-file token --as", name, "--listen", "127.0.0.1:" + port)));
        serving.start();
        await().until(() -> {
            try (Socket tried = socket()) {
                return tried.isConnected();
            } catch (IOException notYet) {
                return ended.isDone();
            }
        });
        assertThat(ended).isNotDone();
    }

    /** Ends the command, and returns the lines of its audit. */
    private List<JsonNode> stop() {
        serving.interrupt();
        Result result = ended.join();
        assertThat(result.exitCode()).isZero();
        return result.out().lines().map(Json::parse).toList();
    }

    private Socket socket() throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), port);
    }

    private byte[] sealed(String address) {
        return signet.input(PAYLOAD)
                .ok("message seal --as alice --address", address)
                .bytes();
    }

    private HttpRequest.Builder request(String pathAndQuery) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + pathAndQuery))
                .timeout(Duration.ofMinutes(3))
                .header("Authorization", "Bearer " + TOKEN);
    }

    private HttpResponse<String> sent(HttpRequest request) throws Exception {
        return http.send(request, HttpResponse.BodyHandlers.ofString(UTF_8));
    }

    private HttpResponse<String> open(String address, byte[] body) throws Exception {
        return sent(request("/open?address=" + address)
                .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                .build());
    }

    /** Sends bytes and returns all that is answered until the server closes the connection. */
    private String raw(String text) throws IOException {
        try (Socket socket = socket()) {
            socket.setSoTimeout(180_000);
            socket.getOutputStream().write(text.getBytes(ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        }
    }

    private static String head(String start, String... lines) {
        List<String> all = new ArrayList<>(List.of(start, "Host: 127.0.0.1", "Authorization: Bearer " + TOKEN));
        all.addAll(List.of(lines));
        return String.join("\r\n", all) + "\r\n\r\n";
    }

    @ParameterizedTest
    @CsvSource({
        "integrity, bob, signature",
        "privacy, bob, signature",
        "confidentiality, bob,",
        "agreed, alice, agreement"
    })
    void sealedMessage_isOpened_withWhatIsProved(String address, String reader, String proof) throws Exception {
        serve(reader);

        HttpResponse<String> answer = open(address, sealed(address));

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.headers().map())
                .containsEntry("content-type", List.of("application/json"))
                .containsEntry("cache-control", List.of("no-store"))
                .doesNotContainKey("access-control-allow-origin");
        JsonNode json = Json.parse(answer.body());
        assertThat(json.path("quality").asText()).isEqualTo(address.equals("agreed") ? "authenticity" : address);
        assertThat(json.path("proof").asText(null)).isEqualTo(proof);
        assertThat(json.path("signer").asText(null)).isEqualTo(proof == null ? null : "CN=alice");
        assertThat(json.path("message-id").asText()).matches("[0-9a-f]{32}");
        assertThat(json.path("payload").path("text").asText()).isEqualTo(new String(PAYLOAD, UTF_8));
        assertThat(json.path("payload").path("length").asInt()).isEqualTo(PAYLOAD.length);
        assertThat(stop()).singleElement().satisfies(line -> {
            assertThat(line.path("event").asText()).isEqualTo("message-opened");
            assertThat(line.path("identity").asText()).isEqualTo(reader);
            assertThat(line.path("from").asText()).matches("127\\.0\\.0\\.1:[0-9]+");
            assertThat(line.path("address").asText()).isEqualTo(address);
            assertThat(line.path("message-id")).isEqualTo(json.path("message-id"));
            assertThat(line.toString()).doesNotContain("4711").doesNotContain(TOKEN);
        });
    }

    @Test
    void largeMessage_andOneThatIsNoText_areOpened() throws Exception {
        byte[] large = new byte[5_000_000];
        large[0] = (byte) 0xff;
        byte[] sealed = signet.input(large)
                .ok("message seal --as alice --address privacy")
                .bytes();
        serve("bob");

        JsonNode payload = Json.parse(open("privacy", sealed).body()).path("payload");

        assertThat(payload.path("text").isNull()).isTrue();
        assertThat(Base64.getDecoder().decode(payload.path("base64").asText())).isEqualTo(large);
    }

    /** As brokers seal the messages of their protocols. */
    static Stream<Arguments> bodies() {
        byte[] binary = {(byte) 0xff, 0, 1};
        return Stream.of(
                Arguments.of(BodyKind.JMS_TEXT, "\u00e4 text".getBytes(UTF_8), "\u00e4 text"),
                Arguments.of(BodyKind.JMS_TEXT_UTF16, "\u00e4 text".getBytes(UTF_16BE), "\u00e4 text"),
                Arguments.of(BodyKind.JMS_TEXT_NULL, new byte[0], ""),
                Arguments.of(BodyKind.JMS_EMPTY, new byte[0], ""),
                Arguments.of(BodyKind.JMS_BYTES, binary, null),
                Arguments.of(BodyKind.JMS_BYTES, "plain".getBytes(UTF_8), "plain"),
                Arguments.of(BodyKind.JMS_MAP, binary, null),
                Arguments.of(BodyKind.MQTT, "21.5".getBytes(UTF_8), "21.5"),
                Arguments.of(BodyKind.AMQP_SECTIONS, sections(new AmqpValue("\u00e4 value")), "\u00e4 value"),
                Arguments.of(BodyKind.AMQP_SECTIONS, sections(new Data(new Binary("data".getBytes(UTF_8)))), "data"),
                Arguments.of(BodyKind.AMQP_SECTIONS, sections(new Data(new Binary(binary))), null),
                Arguments.of(BodyKind.AMQP_SECTIONS, sections(new AmqpValue(7)), null),
                Arguments.of(BodyKind.AMQP_SECTIONS, binary, null),
                Arguments.of(BodyKind.AMQP_SECTIONS, nested(100_000), null));
    }

    /** Lists within lists, as the one value of an AMQP message. */
    private static byte[] nested(int depth) {
        ByteBuffer bytes = ByteBuffer.allocate(3 + 9 * depth + 1).put(new byte[] {0x00, 0x53, 0x77});
        for (int inside = depth - 1; inside >= 0; inside--) {
            bytes.put((byte) 0xd0).putInt(4 + 9 * inside + 1).putInt(1);
        }
        return bytes.put((byte) 0x45).array(); // an empty list
    }

    private static byte[] sections(Section body) {
        org.apache.qpid.proton.message.Message message = org.apache.qpid.proton.message.Message.Factory.create();
        message.setBody(body);
        byte[] bytes = new byte[1000];
        return Arrays.copyOf(bytes, message.encode(bytes, 0, bytes.length));
    }

    @ParameterizedTest
    @MethodSource("bodies")
    void bodyOfEachProtocol_isAnsweredAsText_orElseAsItsBytes(BodyKind kind, byte[] bytes, String text)
            throws Exception {
        Home home = new Home(folder.resolve("signet-home"));
        HomeReader files = home.reader();
        byte[] sealed;
        try (Password password = Password.takeOwnershipOf("correct horse".toCharArray());
                Sealer sealer = Sealer.create(files, files, Clock.systemUTC(), PregenerationSettings.OFF)) {
            sealed = sealer.seal(
                    new ClearMessage(
                            "privacy",
                            new ClearMessage.Body(kind, "application/x-test"),
                            bytes,
                            null,
                            Map.of("Jms-Type", "a")),
                    new PolicyStore(home).read().find("privacy").orElseThrow(),
                    home.identityStore().load("alice", password));
        } finally {
            files.close();
        }
        serve("bob");

        JsonNode json = Json.parse(open("privacy", sealed).body());

        JsonNode payload = json.path("payload");
        assertThat(payload.path("kind").asText()).isEqualTo(kind.wireName());
        assertThat(payload.path("text").asText(null)).isEqualTo(text);
        assertThat(payload.path("base64").binaryValue()).isEqualTo(text == null ? bytes : null);
        assertThat(json.path("content-type").asText()).isEqualTo("application/x-test");
        assertThat(json.path("properties").path("Jms-Type").asText()).isEqualTo("a");
    }

    @Test
    void auditThatCannotBeWritten_answersNoPayload() throws Exception {
        byte[] sealed = sealed("privacy");
        OutputStream full = new OutputStream() {
            @Override
            public void write(int value) throws IOException {
                throw new IOException("No space left on device");
            }
        };
        Shell.Streams streams = new Shell.Streams(
                new ByteArrayInputStream(new byte[0]), full, new PrintStream(OutputStream.nullOutputStream()), null);
        Shell shell = new Shell(streams, Map.of("SIGNET_PASSWORD", "correct horse"), folder, Clock.systemUTC());
        CompletableFuture<Integer> exitCode = new CompletableFuture<>();
        Thread command = new Thread(() -> exitCode.complete(
                Main.run(shell, "serve", "--as", "bob", "--token-file", "token", "--listen", "127.0.0.1:" + port)));
        command.start();
        await().ignoreExceptions().until(() -> {
            try (Socket tried = socket()) {
                return tried.isConnected();
            }
        });

        HttpResponse<String> answer = open("privacy", sealed);

        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body()).contains("the audit cannot be written").doesNotContain("4711");
        command.interrupt();
        assertThat(exitCode.get(3, TimeUnit.MINUTES)).isEqualTo(ExitCode.FAILURE);
    }

    @Test
    void messageThatDoesNotOpen_isAnsweredByItsReason_withoutPayload() throws Exception {
        serve("bob");
        byte[] changed = sealed("privacy");
        changed[changed.length - 20] ^= 1;
        signet.ok("identity create carol --dn CN=carol");
        signet.ok("policy set carols --quality confidentiality --recipient carol");

        assertFailure(open("privacy", changed), 422, "AUTHENTICATION_FAILED");
        assertFailure(open("integrity", sealed("privacy")), 422, "ADDRESS_MISMATCH");
        assertFailure(open("carols", sealed("carols")), 422, "NOT_A_RECIPIENT");
        assertFailure(open("privacy", PAYLOAD), 422, "UNPROTECTED");
        assertFailure(open("nowhere", PAYLOAD), 422, "UNPROTECTED");
        assertFailure(open("privacy", new byte[0]), 422, "UNPROTECTED");
        assertThat(Json.parse(open("none", PAYLOAD).body()).path("quality").asText())
                .isEqualTo("none");
        assertThat(stop().stream().map(line -> line.path("reason").asText("-")))
                .containsExactly(
                        "authentication-failed",
                        "address-mismatch",
                        "not-a-recipient",
                        "unprotected",
                        "unprotected",
                        "unprotected",
                        "-");
    }

    private static void assertFailure(HttpResponse<String> answer, int status, String cause) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(Json.parse(answer.body()).path("failure").path("cause").asText())
                .isEqualTo(cause);
        assertThat(Json.parse(answer.body()).has("payload")).isFalse();
    }

    @Test
    void policiesAndKeys_thatChange_countWithoutARestart() throws Exception {
        byte[] before = sealed("privacy");
        serve("bob");
        assertThat(open("privacy", before).statusCode()).isEqualTo(200);

        signet.ok("identity renew bob");
        byte[] after = sealed("privacy");
        assertThat(open("privacy", after).statusCode()).isEqualTo(200);
        assertThat(open("privacy", before).statusCode()).isEqualTo(200);
        signet.ok("policy set privacy --quality privacy --recipient bob --signer bob");
        assertFailure(open("privacy", after), 422, "SIGNER_NOT_AUTHORIZED");
        Files.writeString(folder.resolve("signet-home/policies.json"), "{");
        assertFailure(open("privacy", after), 503, "KEYSTORE");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Authorization: Bearer",
                "Authorization: Bearer ",
                "Authorization: " + TOKEN,
                "Authorization: Basic " + TOKEN,
                "Authorization: Bearer 0123456789abcdef0123456789abcde",
                "Authorization: Bearer 0123456789abcdef0123456789abcdeF",
                "Authorization: Bearer " + TOKEN + "0",
                "Authorization: Bearer wrong\r\nAuthorization: Bearer " + TOKEN,
                "Cookie: token=" + TOKEN
            })
    void requestWithoutTheToken_learnsNothing(String header) throws Exception {
        serve("bob");
        String lines = "Host: 127.0.0.1\r\n" + header + (header.isEmpty() ? "" : "\r\n");

        String first = raw("POST /open?address=privacy HTTP/1.1\r\n" + lines + "Content-Length: 5\r\n\r\nhello");
        assertThat(first).startsWith("HTTP/1.1 401 ").contains("UNAUTHORIZED");
        assertThat(raw("GET /nothing HTTP/1.1\r\n" + lines + "\r\n")).isEqualTo(first);
        assertThat(raw("POST /open HTTP/1.1\r\n" + lines + "Content-Length: 99999999999\r\n\r\n"))
                .isEqualTo(first);
        List<JsonNode> audit = stop();
        assertThat(audit)
                .singleElement()
                .satisfies(line -> assertThat(line.path("event").asText()).isEqualTo("request-refused"));
        assertThat(audit.toString()).doesNotContain("0123456789abcdef");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Host: evil.example",
                "Host: 127.0.0.1.evil.example",
                "Host: 127.0.0.evil",
                "Host: evil.example:8790",
                "Host: localhost@evil.example",
                "Host: 127.0.0.1\r\nHost: evil.example",
                "X: y",
                "Host: 127.0.0.1\r\nOrigin: https://evil.example",
                "Host: 127.0.0.1\r\nOrigin: null",
                "Host: 127.0.0.1\r\nOrigin: http://127.0.0.1",
                "Host: 127.0.0.1\r\nSec-Fetch-Site: cross-site"
            })
    void requestOfABrowser_orForAnotherHost_isRefused(String header) throws Exception {
        serve("bob");

        assertThat(raw("POST /open?address=none HTTP/1.1\r\n" + header + "\r\nAuthorization: Bearer " + TOKEN
                        + "\r\nContent-Length: 5\r\n\r\nhello"))
                .startsWith("HTTP/1.1 403 ")
                .doesNotContainIgnoringCase("access-control")
                .doesNotContain("hello");
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.2", "127.1.2.3:8790", "[::1]:8790", "[0:0:0:0:0:0:0:1]:8790", "LocalHost:8790"})
    void requestForAnyAddressOfTheLoopback_isServed(String host) throws Exception {
        serve("bob");

        assertThat(raw("POST /open?address=none HTTP/1.1\r\nHost: " + host + "\r\nAuthorization: Bearer " + TOKEN
                        + "\r\nContent-Length: 5\r\n\r\nhello"))
                .startsWith("HTTP/1.1 200 ");
    }

    @Test
    void preflightOfABrowser_getsNoPermission() throws Exception {
        serve("bob");

        assertThat(raw(String.join(
                        "\r\n",
                        "OPTIONS /open HTTP/1.1",
                        "Host: 127.0.0.1",
                        "Origin: https://evil.example",
                        "Access-Control-Request-Method: POST",
                        "",
                        "")))
                .startsWith("HTTP/1.1 403 ")
                .doesNotContainIgnoringCase("access-control-allow");
    }

    @ParameterizedTest
    @CsvSource({
        "GET /open?address=none, 405",
        "PUT /open?address=none, 405",
        "DELETE /open?address=none, 405",
        "TRACE /open?address=none, 405",
        "POST /, 404",
        "POST /open/?address=none, 404",
        "POST //open?address=none, 404",
        "POST /open/../open?address=none, 404",
        "POST /../../etc/passwd?address=none, 404",
        "POST /%6fpen?address=none, 404",
        "POST /open, 400",
        "POST /open?address=, 400",
        "POST /open?address=%, 400",
        "POST /open?address=%zz, 400",
        "POST /open?address=a&address=b, 400",
        "POST /open?address=a&x=b, 400"
    })
    void otherMethodPathOrQuery_isRefused(String start, int status) throws Exception {
        serve("bob");

        assertThat(raw(head(start + " HTTP/1.1", "Content-Length: 0"))).startsWith("HTTP/1.1 " + status + " ");
    }

    @Test
    void requestThatIsNoHttp_orHasLongHeaders_isRefused() throws Exception {
        serve("bob");

        assertThat(raw("hello\r\n\r\n")).startsWith("HTTP/1.1 400 ");
        assertThat(raw(head("POST /open?address=none HTTP/1.1", "X: " + "y".repeat(20_000))))
                .startsWith("HTTP/1.1 400 ");
        assertThat(raw("POST /" + "a".repeat(5_000) + " HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 400 ");
        assertThat(raw(head("POST /open?address=none HTTP/1.1", "Content-Length: -1")))
                .startsWith("HTTP/1.1 400 ");
        assertThat(raw(head("POST /open?address=none HTTP/1.1", "Transfer-Encoding: chunked") + "zz\r\nhello"))
                .startsWith("HTTP/1.1 400 ");
        assertThat(open("none", PAYLOAD).statusCode()).isEqualTo(200);
    }

    @Test
    void bodyThatIsTooLong_isRefused_beforeOrWhileItComes() throws Exception {
        serve("bob");

        assertThat(raw(head("POST /open?address=none HTTP/1.1", "Content-Length: " + (LIMIT + 1))))
                .startsWith("HTTP/1.1 413 ");
        assertThat(raw(head("POST /open?address=none HTTP/1.1", "Content-Length: " + Long.MAX_VALUE)))
                .startsWith("HTTP/1.1 413 ");
        long sent = 0;
        String answered = "";
        try (Socket socket = socket()) {
            OutputStream out = socket.getOutputStream();
            out.write(head("POST /open?address=none HTTP/1.1", "Transfer-Encoding: chunked")
                    .getBytes(US_ASCII));
            byte[] chunk = ("10000\r\n" + "x".repeat(0x10000) + "\r\n").getBytes(US_ASCII);
            while (socket.getInputStream().available() == 0 && sent < 4L * LIMIT) {
                out.write(chunk);
                sent += 0x10000;
            }
            answered = new String(socket.getInputStream().readNBytes(12), US_ASCII);
        } catch (SocketException closed) {
            answered = answered.isEmpty() ? "HTTP/1.1 413" : answered;
        }
        assertThat(answered).isEqualTo("HTTP/1.1 413");
        assertThat(sent).isLessThan(4L * LIMIT);
        assertThat(open("none", new byte[LIMIT]).statusCode()).isEqualTo(200);
    }

    @Test
    void manyConnections_areClosed_andTheFirstOnesServed() throws Exception {
        serve("bob");
        List<Socket> held = new ArrayList<>();
        try {
            for (int i = 0; i < 200; i++) {
                held.add(socket());
            }
            await().until(() -> held.stream().filter(ServeTest::isClosed).count() >= 136);
            Socket first = held.get(0);
            first.setSoTimeout(180_000);
            first.getOutputStream()
                    .write((head("POST /open?address=none HTTP/1.1", "Content-Length: 5") + "hello")
                            .getBytes(US_ASCII));
            assertThat(new String(first.getInputStream().readNBytes(12), US_ASCII))
                    .isEqualTo("HTTP/1.1 200");
        } finally {
            for (Socket socket : held) {
                socket.close();
            }
        }
        await().ignoreExceptions().until(() -> open("none", PAYLOAD).statusCode() == 200);
    }

    private static boolean isClosed(Socket socket) {
        try {
            socket.setSoTimeout(1);
            return socket.getInputStream().read() < 0;
        } catch (java.net.SocketTimeoutException open) {
            return false;
        } catch (IOException closed) {
            return true;
        }
    }

    @Test
    void messagesThatComeSlowly_keepOthersOut_onlyUntilTheirEnd() throws Exception {
        serve("bob");
        List<Socket> slow = new ArrayList<>();
        try {
            for (int i = 0; i < 4; i++) {
                Socket socket = socket();
                socket.getOutputStream()
                        .write((head("POST /open?address=none HTTP/1.1", "Content-Length: 5") + "hell")
                                .getBytes(US_ASCII));
                slow.add(socket);
            }
            await().until(() -> open("none", PAYLOAD).statusCode() == 503);
            slow.get(0).getOutputStream().write('o');
            assertThat(new String(slow.get(0).getInputStream().readNBytes(12), US_ASCII))
                    .isEqualTo("HTTP/1.1 200");
            await().until(() -> open("none", PAYLOAD).statusCode() == 200);
            slow.get(1).close(); // in the middle of its body
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
        await().until(() -> {
            List<Future<Integer>> all = Stream.generate(
                            () -> threads.submit(() -> open("none", PAYLOAD).statusCode()))
                    .limit(4)
                    .toList();
            int right = 0;
            for (Future<Integer> one : all) {
                right += one.get() == 200 ? 1 : 0;
            }
            return right == 4;
        });
    }

    @Tag(Tier.LONG)
    @Test
    void requestThatComesByDrops_isCut() throws Exception {
        serve("bob");
        try (Socket socket = socket()) {
            long begun = System.nanoTime();
            await().ignoreExceptionsInstanceOf(IllegalStateException.class)
                    .pollInterval(Duration.ofMillis(500))
                    .until(() -> {
                        try {
                            socket.getOutputStream().write('a');
                            return isClosed(socket);
                        } catch (IOException cut) {
                            return true;
                        }
                    });
            assertThat(Duration.ofNanos(System.nanoTime() - begun))
                    .isBetween(Duration.ofSeconds(20), Duration.ofSeconds(60));
        }
        assertThat(open("none", PAYLOAD).statusCode()).isEqualTo(200);
    }

    @Test
    void requestsWithoutToken_haveOneLineOfTheAudit_inTenSeconds() throws Exception {
        serve("bob");
        for (int i = 0; i < 30; i++) {
            assertThat(raw("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")).startsWith("HTTP/1.1 401 ");
        }
        assertThat(stop().size()).isBetween(1, 10);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"0.0.0.0:8790", "192.0.2.1:8790", "[2001:db8::1]:8790", "8790", "127.0.0.1", "127.0.0.1:70000"})
    void placeThatIsNotLocal_isRefused(String place) {
        assertThat(signet.fails(ExitCode.USAGE, "serve --token-file token --as bob --listen", place))
                .startsWith("signet: error: --listen: must be ");
    }

    @Test
    void placeThatIsTaken_isNamed() {
        serve("bob");

        assertThat(signet.run("serve --token-file token --as bob --listen", "127.0.0.1:" + port)
                        .err())
                .contains("--listen: cannot listen at 127.0.0.1:" + port);
    }

    @Test
    void tokenFile_isMade_orMustBeSecretAndLong() throws Exception {
        Path token = folder.resolve("token");
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(signet.fails(ExitCode.CONFIGURATION, "serve --token-file token --as bob"))
                .contains("token");
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
        Files.writeString(token, "short\n");
        assertThat(signet.fails(ExitCode.CONFIGURATION, "serve --token-file token --as bob"))
                .contains("its first line is no token: 32 to 1024 printable ASCII characters")
                .doesNotContain("short\n");

        Files.delete(token);
        serve("bob");
        assertThat(Files.getPosixFilePermissions(token)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
        String made = Files.readString(token).strip();
        assertThat(made).matches("[A-Za-z0-9_-]{43}");
        assertThat(raw("GET /open HTTP/1.1\r\nHost: [::1]:9\r\nAuthorization: Bearer " + made + "\r\n\r\n"))
                .startsWith("HTTP/1.1 405 ");
    }

    @Test
    void identityThatIsNotThere_orAWrongPassword_doesNotStart() {
        assertThat(signet.fails(ExitCode.CONFIGURATION, "serve --token-file token --as nobody"))
                .contains("identity 'nobody'");
        assertThat(new CliRun(folder)
                        .environment("SIGNET_PASSWORD", "wrong")
                        .fails(ExitCode.CONFIGURATION, "serve --token-file token --as bob"))
                .contains("wrong password");
    }

    @Test
    void bodyOfUnknownLength_isOpened() throws Exception {
        serve("bob");
        byte[] sealed = sealed("privacy");

        HttpResponse<String> answer = http.sendAsync(
                        request("/open?address=privacy")
                                .expectContinue(true)
                                .POST(HttpRequest.BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(sealed)))
                                .build(),
                        HttpResponse.BodyHandlers.ofString(UTF_8))
                .get(3, TimeUnit.MINUTES);

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }
}
