/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.revocation;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.trust.RevocationSettings;

/**
 * Asks addresses by HTTP within limits of time and size. It connects to the address that was checked, and asks the name
 * service once, which the JDK's clients cannot do. It sends no credentials and no cookies, and follows few
 * redirections. Thread-safe.
 *
 * @param rule the addresses that may be asked
 * @param timeout the most time of a question with its redirections
 */
record HttpDownload(AddressRule rule, Duration timeout) {
    private static final int OK = 200;
    private static final int PORT = 80;
    private static final int LONGEST_HEAD = 16 << 10;
    private static final int LONGEST_CHUNK_LINE = 128;
    private static final int MOST_INTERIM = 5;

    static HttpDownload with(RevocationSettings settings) {
        return new HttpDownload(new AddressRule(settings.hosts()), settings.timeout());
    }

    /** Thrown for an answer that is longer than its limit. */
    private static final class TooLargeException extends IOException {
        private static final long serialVersionUID = 1L;

        TooLargeException(int mostBytes) {
            super("an answer of more than " + mostBytes + " bytes");
        }
    }

    /** An answer. The names of the headers are in lower case. */
    private record Response(int status, Map<String, String> headers, byte[] body) {}

    /**
     * Returns the content of an address.
     *
     * @throws IOException with the reason, in words that the asked host did not choose
     */
    byte[] get(URI address, int mostBytes) throws IOException, InterruptedException {
        long end = System.nanoTime() + timeout.toNanos();
        URI asked = address;
        for (int i = 0; i <= FetchLimits.REDIRECTIONS; i++) {
            Response response = ask(asked, "GET", "", new byte[0], mostBytes, end);
            if (response.status() == OK) {
                return response.body();
            }
            asked = target(asked, response);
        }
        throw new IOException("more than " + FetchLimits.REDIRECTIONS + " redirections");
    }

    /** Returns the answer to a posted question. */
    byte[] post(URI address, byte[] question, int mostBytes) throws IOException, InterruptedException {
        String headers = "Content-Type: application/ocsp-request\r\nContent-Length: " + question.length + "\r\n";
        Response response = ask(address, "POST", headers, question, mostBytes, System.nanoTime() + timeout.toNanos());
        if (response.status() != OK) {
            throw new IOException("HTTP status " + response.status());
        }
        return response.body();
    }

    private static URI target(URI asked, Response response) throws IOException {
        int status = response.status();
        String location = response.headers().getOrDefault("location", "");
        boolean redirects = status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
        if (!redirects || location.isEmpty() || location.length() > FetchLimits.ADDRESS_LENGTH) {
            throw new IOException("HTTP status " + status);
        }
        try {
            return asked.resolve(location);
        } catch (IllegalArgumentException malformed) {
            throw new IOException("HTTP status " + status + " with a malformed location", malformed);
        }
    }

    private Response ask(URI address, String method, String headers, byte[] body, int mostBytes, long end)
            throws IOException, InterruptedException {
        rule.requireName(address);
        InetSocketAddress proxy = proxy(address);
        if (proxy != null && rule.hosts().isEmpty()) {
            throw new IOException("a proxy would resolve its name; name the host under hosts in trust.json");
        }
        int port = address.getPort() < 0 ? PORT : address.getPort();
        List<InetSocketAddress> targets = proxy != null
                ? List.of(proxy)
                : rule.require(address).stream()
                        .map(each -> new InetSocketAddress(each, port))
                        .toList();
        URI ascii = URI.create(address.toASCIIString());
        String head = method + " " + (proxy == null ? "" : "http://" + ascii.getRawAuthority())
                + (ascii.getRawPath().isEmpty() ? "/" : ascii.getRawPath())
                + (ascii.getRawQuery() == null ? "" : "?" + ascii.getRawQuery())
                + " HTTP/1.1\r\nHost: " + ascii.getRawAuthority()
                + "\r\nUser-Agent: Signet\r\nAccept-Encoding: identity\r\nConnection: close\r\n" + headers + "\r\n";
        try (SocketChannel channel = connected(targets, end)) {
            ByteArrayOutputStream request = new ByteArrayOutputStream();
            request.writeBytes(head.getBytes(StandardCharsets.US_ASCII));
            request.writeBytes(body);
            channel.socket().getOutputStream().write(request.toByteArray());
            return response(new BufferedInputStream(new Timed(channel.socket(), end)), mostBytes);
        } catch (ClosedByInterruptException closed) {
            throw new InterruptedException();
        } catch (SocketTimeoutException late) {
            throw new IOException("no complete answer within " + timeout.toSeconds() + " seconds", late);
        } catch (TooLargeException large) {
            throw large;
        } catch (IOException | RuntimeException failed) { // its text could contain what the asked host sent
            throw new IOException("cannot be asked: " + failed.getClass().getSimpleName(), failed);
        }
    }

    /** Returns the proxy of the process for an address; null if there is none. */
    private static @Nullable InetSocketAddress proxy(URI address) {
        ProxySelector selector = ProxySelector.getDefault();
        List<Proxy> proxies = selector == null ? List.of() : selector.select(address);
        return proxies.stream()
                .filter(proxy -> proxy.type() == Proxy.Type.HTTP)
                .map(Proxy::address)
                .filter(InetSocketAddress.class::isInstance)
                .map(InetSocketAddress.class::cast)
                .map(found -> new InetSocketAddress(found.getHostString(), found.getPort())) // resolves it
                .findFirst()
                .orElse(null);
    }

    /** Connects to the first target that can be reached. An interrupt closes the channel. */
    private static SocketChannel connected(List<? extends SocketAddress> targets, long end) throws IOException {
        IOException last = new IOException("no address");
        for (SocketAddress target : targets) {
            SocketChannel channel = SocketChannel.open();
            try {
                channel.socket().connect(target, millisUntil(end));
                return channel;
            } catch (IOException unreachable) {
                channel.close();
                if (Thread.currentThread().isInterrupted()) {
                    throw new ClosedByInterruptException();
                }
                if (unreachable instanceof SocketTimeoutException) {
                    throw unreachable;
                }
                last = unreachable;
            }
        }
        throw last;
    }

    private static int millisUntil(long end) throws SocketTimeoutException {
        long left = Duration.ofNanos(end - System.nanoTime()).toMillis();
        if (left <= 0) {
            throw new SocketTimeoutException();
        }
        return (int) Math.min(left, Integer.MAX_VALUE);
    }

    /** The bytes of a connection until a time of the monotonic clock. */
    private static final class Timed extends InputStream {
        private final Socket socket;
        private final InputStream in;
        private final long end;

        Timed(Socket socket, long end) throws IOException {
            this.socket = socket;
            this.in = socket.getInputStream();
            this.end = end;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            socket.setSoTimeout(millisUntil(end));
            return in.read(bytes, offset, length);
        }
    }

    private static Response response(InputStream in, int mostBytes) throws IOException {
        for (int i = 0; i < MOST_INTERIM; i++) {
            HeadLines lines = new HeadLines(in, LONGEST_HEAD);
            String[] first = lines.next().split(" ", 3);
            if (first.length < 2 || !first[0].startsWith("HTTP/1.") || !first[1].matches("[1-5][0-9][0-9]")) {
                throw new IOException("no HTTP");
            }
            int status = Integer.parseInt(first[1]);
            Map<String, String> headers = new HashMap<>();
            for (String line = lines.next(); !line.isEmpty(); line = lines.next()) {
                int colon = line.indexOf(':');
                if (colon > 0) {
                    headers.putIfAbsent(
                            line.substring(0, colon).toLowerCase(Locale.ROOT),
                            line.substring(colon + 1).strip());
                }
            }
            if (status >= 200) {
                return new Response(status, headers, status == OK ? body(in, headers, mostBytes) : new byte[0]);
            }
        }
        throw new IOException("too many interim answers");
    }

    /** Reads lines of a limited length in all. */
    private static final class HeadLines {
        private final InputStream in;
        private int left;

        HeadLines(InputStream in, int longest) {
            this.in = in;
            this.left = longest;
        }

        String next() throws IOException {
            StringBuilder line = new StringBuilder();
            for (int c = in.read(); c != '\n'; c = in.read()) {
                if (c < 0 || --left < 0) {
                    throw new EOFException();
                }
                line.append((char) c);
            }
            return line.toString().strip();
        }
    }

    private static byte[] body(InputStream in, Map<String, String> headers, int mostBytes) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        String coding = headers.getOrDefault("transfer-encoding", "identity");
        String length = headers.get("content-length");
        if (coding.equalsIgnoreCase("chunked")) {
            for (long size = chunkSize(in); size > 0; size = chunkSize(in)) {
                copy(in, size, body, mostBytes);
                if (!new HeadLines(in, LONGEST_CHUNK_LINE).next().isEmpty()) {
                    throw new IOException("chunk: its end is missing");
                }
            }
        } else if (!coding.equalsIgnoreCase("identity")) {
            throw new IOException("transfer encoding: unknown");
        } else if (length == null) {
            byte[] all = in.readNBytes(mostBytes + 1);
            if (all.length > mostBytes) {
                throw new TooLargeException(mostBytes);
            }
            return all;
        } else {
            copy(in, Long.parseLong(length), body, mostBytes);
        }
        return body.toByteArray();
    }

    private static long chunkSize(InputStream in) throws IOException {
        String line = new HeadLines(in, LONGEST_CHUNK_LINE).next();
        int extension = line.indexOf(';');
        return Long.parseLong((extension < 0 ? line : line.substring(0, extension)).strip(), 16);
    }

    private static void copy(InputStream in, long length, ByteArrayOutputStream body, int mostBytes)
            throws IOException {
        if (length < 0 || length > mostBytes - body.size()) {
            throw new TooLargeException(mostBytes);
        }
        byte[] read = in.readNBytes((int) length);
        if (read.length < length) {
            throw new EOFException();
        }
        body.writeBytes(read);
    }
}
