/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;

final class RelayTest {
    @Test
    void relay_passesBytesOn_andCountsEachDirection() throws Exception {
        Marker marker = Marker.random();
        byte[] marked = marker.payload(1_000);
        try (ServerSocket broker = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Relay relay = Relay.to(broker.getLocalPort(), marker);
                Socket client = new Socket(InetAddress.getLoopbackAddress(), relay.port());
                Socket accepted = broker.accept()) {
            client.getOutputStream().write(marked);
            assertThat(accepted.getInputStream().readNBytes(marked.length)).isEqualTo(marked);
            accepted.getOutputStream().write(marked);
            accepted.getOutputStream().write(marked);
            assertThat(client.getInputStream().readNBytes(2 * marked.length)).startsWith(marked);

            assertThat(relay.toBroker()).isEqualTo(3);
            assertThat(relay.toClients()).isEqualTo(6);
        }
    }

    @Test
    void closedBroker_endsTheClient() throws Exception {
        try (ServerSocket broker = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Relay relay = Relay.to(broker.getLocalPort(), Marker.random());
                Socket client = new Socket(InetAddress.getLoopbackAddress(), relay.port())) {
            broker.accept().close();

            assertThat(client.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void close_endsAllConnections() throws Exception {
        try (ServerSocket broker = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Relay relay = Relay.to(broker.getLocalPort(), Marker.random());
            try (Socket client = new Socket(InetAddress.getLoopbackAddress(), relay.port());
                    Socket accepted = broker.accept()) {
                relay.close();

                assertThat(accepted.getInputStream().read()).isEqualTo(-1);
                assertThat(client.getInputStream().read()).isEqualTo(-1);
            }
        }
    }
}
