/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.trust;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A distribution point and OCSP responder on this machine, which obeys a test. */
public final class RevocationServer implements AutoCloseable {
    /** Answers one question. */
    @FunctionalInterface
    public interface Answer {
        void to(HttpExchange exchange) throws IOException;
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, Answer> answers = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> counts = new ConcurrentHashMap<>();
    private final CountDownLatch end = new CountDownLatch(1);

    public RevocationServer() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    private void handle(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        counts.computeIfAbsent(path, any -> new AtomicInteger()).incrementAndGet();
        try (exchange) {
            Answer answer = answers.get(path);
            if (answer == null) {
                exchange.sendResponseHeaders(404, -1);
            } else {
                answer.to(exchange);
            }
        }
    }

    public String url(String path) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    public void answer(String path, Answer answer) {
        answers.put(path, answer);
    }

    public void answer(String path, byte[] content) {
        answer(path, exchange -> send(exchange, content));
    }

    public static void send(HttpExchange exchange, byte[] content) throws IOException {
        exchange.getRequestBody().readAllBytes();
        exchange.sendResponseHeaders(200, content.length);
        exchange.getResponseBody().write(content);
    }

    public void redirect(String path, String location) {
        answer(path, exchange -> {
            exchange.getResponseHeaders().set("Location", location);
            exchange.sendResponseHeaders(302, -1);
        });
    }

    /** Lets a path answer nothing until the server is closed. */
    public void hang(String path) {
        answer(path, exchange -> await());
    }

    /** Lets a path send a few bytes and then nothing until the server is closed. */
    public void hangInTheMiddle(String path) {
        answer(path, exchange -> {
            exchange.sendResponseHeaders(200, 100);
            exchange.getResponseBody().write(new byte[10]);
            exchange.getResponseBody().flush();
            await();
        });
    }

    /** Lets a path send zeros for ever. */
    public void neverEnd(String path) {
        answer(path, exchange -> {
            exchange.sendResponseHeaders(200, 0);
            OutputStream out = exchange.getResponseBody();
            byte[] zeros = new byte[1 << 16];
            while (end.getCount() > 0) {
                out.write(zeros); // throws when the other side has gone
            }
        });
    }

    private void await() {
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public int count(String path) {
        AtomicInteger count = counts.get(path);
        return count == null ? 0 : count.get();
    }

    public int countOfAll() {
        return counts.values().stream().mapToInt(AtomicInteger::get).sum();
    }

    @Override
    public void close() {
        end.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
