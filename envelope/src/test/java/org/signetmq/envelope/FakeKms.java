/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.KeyAgreement;

/**
 * A fake of AWS KMS: requests and answers of its actions DeriveSharedSecret and Sign have the same shape, but it checks
 * no credentials. It fails in ways in which an emulator does not.
 */
final class FakeKms implements AutoCloseable {
    private final HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final PrivateKey key;
    private volatile Mode mode = Mode.WORKS;

    enum Mode {
        WORKS,
        DISABLED_KEY,
        INTERNAL_ERROR,
        NO_ANSWER,
        HALF_AN_ANSWER,
        HUGE_ANSWER,
        NO_JSON,
        NO_FIELD,
        SHORT_RESULT,
        OTHER_RESULT
    }

    FakeKms(PrivateKey key) throws IOException {
        this.key = key;
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    }

    void become(Mode next) {
        mode = next;
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String action = String.valueOf(exchange.getRequestHeaders().getFirst("X-Amz-Target"));
            String request = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
            switch (mode) {
                case DISABLED_KEY ->
                    answer(exchange, 400, "{\"__type\":\"DisabledException\",\"message\":\"disabled\"}");
                case INTERNAL_ERROR -> answer(exchange, 500, "{\"__type\":\"KMSInternalException\"}");
                case NO_ANSWER -> await();
                case HALF_AN_ANSWER -> {
                    exchange.sendResponseHeaders(200, 100);
                    exchange.getResponseBody().write('{');
                    exchange.getResponseBody().flush();
                    await();
                }
                case HUGE_ANSWER -> exchange.sendResponseHeaders(200, 1L << 40);
                case NO_JSON -> answer(exchange, 200, "<html>login</html>");
                case NO_FIELD -> answer(exchange, 200, "{}");
                default -> answer(exchange, 200, result(action, request));
            }
        } catch (GeneralSecurityException e) {
            answer(exchange, 400, "{\"__type\":\"ValidationException\"}");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void await() throws InterruptedException {
        closed.await();
    }

    private String result(String action, String request) throws GeneralSecurityException {
        return switch (action) {
            case "TrentService.DeriveSharedSecret" ->
                "{\"KeyAgreementAlgorithm\":\"ECDH\",\"KeyId\":\"arn:aws:kms:x:1:key/1\",\"KeyOrigin\":\"AWS_KMS\","
                        + "\"SharedSecret\":\"" + encoded(agreed(field(request, "PublicKey"))) + "\"}";
            case "TrentService.Sign" ->
                "{\"KeyId\":\"arn:aws:kms:x:1:key/1\",\"Signature\":\"" + encoded(signed(field(request, "Message")))
                        + "\",\"SigningAlgorithm\":\"ECDSA_SHA_512\"}";
            default -> throw new GeneralSecurityException(action);
        };
    }

    private byte[] agreed(byte[] other) throws GeneralSecurityException {
        KeyAgreement agreement = KeyAgreement.getInstance("ECDH", "SunEC");
        agreement.init(key);
        agreement.doPhase(KeyFactory.getInstance("EC").generatePublic(new X509EncodedKeySpec(other)), true);
        return agreement.generateSecret();
    }

    private byte[] signed(byte[] digest) throws GeneralSecurityException {
        Signature signature = Signature.getInstance("NONEwithECDSA");
        signature.initSign(key);
        signature.update(digest);
        return signature.sign();
    }

    private static byte[] field(String request, String name) throws GeneralSecurityException {
        Matcher found = Pattern.compile("\"" + name + "\":\"([^\"]*)\"").matcher(request);
        if (!found.find()) {
            throw new GeneralSecurityException(name);
        }
        return Base64.getDecoder().decode(found.group(1));
    }

    private String encoded(byte[] result) {
        byte[] changed = result.clone();
        if (mode == Mode.SHORT_RESULT) {
            changed = new byte[] {1};
        } else if (mode == Mode.OTHER_RESULT) {
            changed[changed.length - 1] ^= 1;
        }
        return Base64.getEncoder().encodeToString(changed);
    }

    private static void answer(HttpExchange exchange, int status, String json) throws IOException {
        byte[] bytes = json.getBytes(UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/x-amz-json-1.1");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
