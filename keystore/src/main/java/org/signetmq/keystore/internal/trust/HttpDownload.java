/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.trust;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
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
 * service once, which the JDK's clients cannot do. It speaks HTTP/1.0, as OpenSSL does, so servers send no chunks and
 * no interim answers. It sends no credentials and no cookies, and follows few redirections. Thread-safe.
 *
 * @param rule the addresses that may be asked
 * @param timeout the most time of a question with its redirections
 */
record HttpDownload(AddressRule rule, Duration timeout) {
    private static final int OK = 200;
    private static final int PORT = 80;
    private static final int LONGEST_HEAD = 16 << 10;

    static HttpDownload with(RevocationSettings settings) {
        return new HttpDownload(new AddressRule(settings.hosts()), settings.timeout());
    }

    /**
     * An answer.
     *
     * @param headers their names are in lower case
     * @param body null if it is longer than its limit; empty if the status is not 200
     */
    private record Response(int status, Map<String, String> headers, byte @Nullable [] body) {
        IOException problem() {
            return new IOException("HTTP status " + status);
        }

        URI location(URI asked) throws IOException {
            String location = headers.getOrDefault("location", "");
            boolean redirects = List.of(301, 302, 303, 307, 308).contains(status);
            if (!redirects || location.isEmpty() || location.length() > FetchLimits.ADDRESS_LENGTH) {
                throw problem();
            }
            try {
                return asked.resolve(location);
            } catch (IllegalArgumentException malformed) {
                throw new IOException("HTTP status " + status + " with a malformed location", malformed);
            }
        }
    }

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
                return content(response, mostBytes);
            }
            asked = response.location(asked);
        }
        throw new IOException("more than " + FetchLimits.REDIRECTIONS + " redirections");
    }

    /** Returns the answer to a posted question. */
    byte[] post(URI address, byte[] question, int mostBytes) throws IOException, InterruptedException {
        String headers = "Content-Type: application/ocsp-request\r\nContent-Length: " + question.length + "\r\n";
        return content(
                ask(address, "POST", headers, question, mostBytes, System.nanoTime() + timeout.toNanos()), mostBytes);
    }

    private static byte[] content(Response response, int mostBytes) throws IOException {
        if (response.status() != OK) {
            throw response.problem();
        }
        byte[] body = response.body();
        if (body == null) {
            throw new IOException("an answer of more than " + mostBytes + " bytes");
        }
        return body;
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
                + " HTTP/1.0\r\nHost: " + ascii.getRawAuthority()
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
        } catch (IOException | RuntimeException failed) { // its text could contain what the asked host sent
            throw new IOException("cannot be asked: " + failed.getClass().getSimpleName(), failed);
        }
    }

    /** Returns the proxy of the process for an address; null if there is none. */
    private static @Nullable InetSocketAddress proxy(URI address) {
        ProxySelector selector = ProxySelector.getDefault();
        List<Proxy> proxies = selector == null ? List.of() : selector.select(address);
        for (Proxy proxy : proxies) {
            if (proxy.type() == Proxy.Type.HTTP && proxy.address() instanceof InetSocketAddress found) {
                return new InetSocketAddress(found.getHostString(), found.getPort()); // resolves it
            }
        }
        return null;
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
    private static final class Timed extends FilterInputStream {
        private final Socket socket;
        private final long end;

        Timed(Socket socket, long end) throws IOException {
            super(socket.getInputStream());
            this.socket = socket;
            this.end = end;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            socket.setSoTimeout(millisUntil(end));
            return super.read(bytes, offset, length);
        }
    }

    private static Response response(InputStream in, int mostBytes) throws IOException {
        List<String> lines = head(in);
        String[] first = lines.get(0).split(" ", 3);
        if (first.length < 2 || !first[0].startsWith("HTTP/1.") || !first[1].matches("[2-5][0-9][0-9]")) {
            throw new IOException("no HTTP");
        }
        Map<String, String> headers = new HashMap<>();
        for (String line : lines) {
            int colon = Math.max(0, line.indexOf(':'));
            headers.putIfAbsent(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        int status = Integer.parseInt(first[1]);
        return new Response(status, headers, status == OK ? body(in, headers, mostBytes) : new byte[0]);
    }

    /** Reads the lines up to the first empty one, and that one. */
    private static List<String> head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        for (int before = 0, c = in.read(); c != '\n' || before != '\n'; c = in.read()) {
            if (c < 0 || head.length() >= LONGEST_HEAD) {
                throw new EOFException();
            }
            if (c != '\r') {
                head.append((char) c);
                before = c;
            }
        }
        return head.toString().lines().toList();
    }

    /** Reads the body; null if it is longer than its limit. */
    private static byte @Nullable [] body(InputStream in, Map<String, String> headers, int mostBytes)
            throws IOException {
        if (!headers.getOrDefault("transfer-encoding", "identity").equalsIgnoreCase("identity")) {
            throw new IOException("HTTP/1.0 has no other transfer encoding");
        }
        long length = Long.parseLong(headers.getOrDefault("content-length", "-1"));
        if (length > mostBytes) {
            return null;
        }
        byte[] body = in.readNBytes(length < 0 ? mostBytes + 1 : (int) length);
        if (body.length < length) {
            throw new EOFException();
        }
        return body.length > mostBytes ? null : body;
    }
}
