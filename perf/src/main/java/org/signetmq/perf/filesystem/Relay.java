/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.filesystem;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/** Passes bytes on between clients and a broker on this machine, and counts a marker in them. Thread-safe. */
final class Relay implements AutoCloseable {
    private static final int BUFFER = 64 * 1024;
    private static final int BACKLOG = 64;

    private final int broker;
    private final Marker marker;
    private final ServerSocket listening;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicLong toBroker = new AtomicLong();
    private final AtomicLong toClients = new AtomicLong();

    private Relay(int broker, Marker marker, ServerSocket listening) {
        this.broker = broker;
        this.marker = marker;
        this.listening = listening;
    }

    /**
     * Opens a relay to a broker.
     *
     * @param broker its port
     */
    static Relay to(int broker, Marker marker) throws IOException {
        Relay relay = new Relay(broker, marker, new ServerSocket(0, BACKLOG, here()));
        relay.threads.execute(relay::accept);
        return relay;
    }

    private static InetAddress here() throws IOException {
        return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    }

    /** Returns the port for clients. */
    int port() {
        return listening.getLocalPort();
    }

    /** Returns how often the marker went to the broker so far. */
    long toBroker() {
        return toBroker.get();
    }

    /** Returns how often the marker went to clients so far. */
    long toClients() {
        return toClients.get();
    }

    private void accept() {
        try {
            while (!listening.isClosed()) {
                Socket client = listening.accept();
                open.add(client);
                Socket server = new Socket(here(), broker);
                open.add(server);
                threads.execute(() -> pass(client, server, toBroker));
                threads.execute(() -> pass(server, client, toClients));
            }
        } catch (IOException closed) {
            // or the broker cannot be reached
        } finally {
            closeAll(); // also what was accepted meanwhile; clients notice that, and fail
        }
    }

    private void pass(Socket from, Socket to, AtomicLong count) {
        Marker.Scan scan = marker.new Scan();
        long found = 0;
        byte[] buffer = new byte[BUFFER];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                long now = scan.next(buffer, length);
                count.addAndGet(now - found);
                found = now;
                out.write(buffer, 0, length);
            }
        } catch (IOException ended) {
            // the other direction ends with it
        }
    }

    private void closeAll() {
        open.forEach(Relay::close);
    }

    private static void close(Closeable socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // it is of no use any more
        }
    }

    /** Ends all connections. */
    @Override
    public void close() {
        close(listening);
        closeAll();
        threads.shutdown();
    }
}
