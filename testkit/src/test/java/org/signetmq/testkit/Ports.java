/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Finds ports for brokers. */
public final class Ports {
    private Ports() {}

    /**
     * Returns a free port of the loopback. It is below the ports that the system gives to clients, so that no client of
     * another process takes it before the broker does.
     */
    public static int free() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(10_000, 32_000);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (BindException taken) {
                // another one
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
