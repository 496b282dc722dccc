/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.signetmq.testkit.Openssl;

/** An issuer of openssl, whose certificates name a distribution point and an OCSP responder on this machine. */
final class OpensslIssuer implements AutoCloseable {
    static final String LIST = "/ca.crl";
    static final String RESPONDER = "/ocsp";

    /** What the server does with a question. */
    enum Mood {
        ANSWERS,
        /** It keeps the question until it answers again. */
        HANGS,
        FAILS
    }

    private final Path folder;
    private final String name;
    private final Openssl openssl;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Phaser moods = new Phaser(1);
    private final AtomicInteger questions = new AtomicInteger();
    private volatile Mood mood = Mood.ANSWERS;

    /**
     * Makes a root that ends soon.
     *
     * @param folder a new folder
     */
    OpensslIssuer(Path folder, String name) throws Exception {
        this.folder = Files.createDirectories(folder);
        this.name = name;
        this.openssl = new Openssl(folder);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
        Files.createFile(folder.resolve("index.txt"));
        Files.writeString(folder.resolve("ca.conf"), """
                [ca]
                default_ca = home
                [home]
                database = index.txt
                new_certs_dir = .
                rand_serial = yes
                certificate = ca.pem
                private_key = ca.key
                default_md = sha256
                default_days = 10
                default_crl_days = 7
                policy = any
                x509_extensions = leaf
                [any]
                commonName = supplied
                [leaf]
                basicConstraints = critical,CA:FALSE
                keyUsage = critical,digitalSignature,keyAgreement
                crlDistributionPoints = URI:%s
                authorityInfoAccess = OCSP;URI:%s
                """.formatted(url(LIST), url(RESPONDER)));
        openssl.line("req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout ca.key -out ca.pem -days 20"
                + " -addext keyUsage=critical,keyCertSign,cRLSign -subj /CN=" + name);
    }

    String url(String path) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    String name() {
        return name;
    }

    Path root() {
        return folder.resolve("ca.pem");
    }

    /** Returns the file of the certificate for a request. */
    Path sign(Path request) throws Exception {
        Path certificate = folder.resolve(request.getFileName() + ".pem");
        openssl.line("ca -batch -notext -config ca.conf -in " + request + " -out " + certificate);
        return certificate;
    }

    void revoke(Path certificate) throws Exception {
        openssl.line("ca -config ca.conf -revoke " + certificate);
    }

    /** Writes a list that is valid between these times, such as 20200108000000Z. */
    void list(Path file, String from, String until) throws Exception {
        Files.createDirectories(file.getParent());
        openssl.line(
                "ca -gencrl -config ca.conf -crl_lastupdate " + from + " -crl_nextupdate " + until + " -out " + file);
    }

    /** Changes what the server does, also with the questions that it keeps. */
    void become(Mood next) {
        mood = next;
        moods.arrive();
    }

    /** Returns the number of questions so far. */
    int questions() {
        return questions.get();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] question = exchange.getRequestBody().readAllBytes();
            int number = questions.incrementAndGet();
            int phase = moods.getPhase();
            while (mood == Mood.HANGS && !moods.isTerminated()) {
                phase = moods.awaitAdvance(phase);
            }
            if (mood == Mood.FAILS) {
                exchange.sendResponseHeaders(503, -1);
                return;
            }
            byte[] answer = exchange.getRequestURI().getPath().equals(LIST) ? list(number) : answer(question, number);
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
        } catch (AssertionError | InterruptedException failed) {
            throw new IOException(failed);
        }
    }

    private byte[] list(int number) throws IOException, InterruptedException {
        String file = "list" + number;
        openssl.line("ca -gencrl -config ca.conf -out " + file + ".pem");
        openssl.line("crl -in " + file + ".pem -outform DER -out " + file);
        return Files.readAllBytes(folder.resolve(file));
    }

    private byte[] answer(byte[] question, int number) throws IOException, InterruptedException {
        String file = "answer" + number;
        Files.write(folder.resolve(file + ".q"), question);
        openssl.line("ocsp -index index.txt -CA ca.pem -rsigner ca.pem -rkey ca.key -ndays 1 -reqin " + file
                + ".q -respout " + file);
        return Files.readAllBytes(folder.resolve(file));
    }

    @Override
    public void close() {
        moods.forceTermination();
        server.stop(0);
        threads.shutdown();
        try { // openssl writes into the folder, which the test deletes next
            assertThat(threads.awaitTermination(3, TimeUnit.MINUTES))
                    .as("each question has ended")
                    .isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
