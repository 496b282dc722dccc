/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.perf.experiment.StoredMessages.Marker;
import org.signetmq.perf.experiment.StoredMessages.Relay;

final class MarkerTest {
    private static final Marker MARKER = Marker.random();

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 100, 5000})
    void marker_isFoundInEachForm_whateverThePartsInWhichItComes(int part) {
        byte[] payload = MARKER.payload(4096);
        Marker.Scan scan = MARKER.new Scan();
        long found = 0;
        for (int from = 0; from < payload.length; from += part) {
            byte[] bytes = Arrays.copyOfRange(payload, from, Math.min(payload.length, from + part));
            found = scan.next(bytes, bytes.length);
        }

        assertThat(found).isEqualTo(3);
        assertThat(Marker.random().new Scan().next(payload, payload.length)).isZero();
    }

    @Test
    void folder_isSearchedWithAllFilesBelow_alsoBehindHoles() throws IOException {
        byte[] image = new byte[5 << 20];
        byte[] payload = MARKER.payload(300);
        System.arraycopy(payload, 0, image, (3 << 20) - 20, payload.length);
        Files.write(Files.createDirectory(folder.resolve("below")).resolve("image"), image);
        Files.write(folder.resolve("one"), payload);

        assertThat(MARKER.countIn(folder)).isEqualTo(6);
        assertThat(MARKER.countIn(folder.resolve("missing"))).isZero();
    }

    @Test
    void relay_passesBytesOn_andCountsInBothDirections() throws Exception {
        InetAddress here = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        byte[] payload = MARKER.payload(1000);
        try (ServerSocket broker = new ServerSocket(0, 1, here);
                Relay relay = Relay.to(broker.getLocalPort(), MARKER);
                Socket client = new Socket(here, relay.port());
                Socket server = broker.accept()) {
            client.getOutputStream().write(payload);
            assertThat(read(server, payload.length)).isEqualTo(payload);
            server.getOutputStream().write(payload);
            server.getOutputStream().write(payload);
            assertThat(read(client, 2 * payload.length)).hasSize(2 * payload.length);

            assertThat(relay.toBroker).hasValue(3);
            assertThat(relay.toClients).hasValue(6);
        }
    }

    private static byte[] read(Socket socket, int length) throws IOException {
        InputStream in = socket.getInputStream();
        return in.readNBytes(length);
    }
}
