/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.signetmq.cli.demo.DemoClients.StompSocket;

/** A server that gives prepared answers stands in place of the broker. */
final class StompSocketTest {
    private ServerSocket server;
    private CompletableFuture<String> received = new CompletableFuture<>();

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    /** Answers all frames at once, ends its output, and reads until the client closes. */
    private void answer(String frames) {
        received = CompletableFuture.supplyAsync(() -> {
            try (Socket client = server.accept()) {
                client.getOutputStream().write(frames.getBytes(UTF_8));
                client.shutdownOutput();
                return new String(client.getInputStream().readAllBytes(), UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    @Test
    void text_isSentDurably_eachWithAReceiptOfItsOwn() throws Exception {
        answer("CONNECTED\nversion:1.2\n\n\0\nRECEIPT\nreceipt-id:1\n\n\0\r\n\nRECEIPT\r\nreceipt-id:2\r\n\r\n\0");

        try (StompSocket socket = connect()) {
            socket.send("orders", "Zoë");
            socket.send("orders", "two");
        }

        assertThat(received.get(3, TimeUnit.MINUTES))
                .startsWith("CONNECT\naccept-version:1.2\nhost:127.0.0.1\nlogin:me\npasscode:secret\n\n\0")
                .contains("SEND\ndestination:orders\ndestination-type:ANYCAST\npersistent:true\nreceipt:1\n\nZoë\0")
                .endsWith("receipt:2\n\ntwo\0");
    }

    @Test
    void rejectedLogin_isToldByTheFirstLineOfTheAnswer_andTheConnectionIsClosed() {
        answer("ERROR\nmessage:no\n\n\0");

        assertThatThrownBy(this::connect)
                .isExactlyInstanceOf(IOException.class)
                .hasMessage("stomp: expected CONNECTED, found ERROR");
        assertThat(received).succeedsWithin(10, TimeUnit.SECONDS); // the server has read to the end
    }

    @Test
    void rejectedMessage_isAnError() throws IOException {
        answer("CONNECTED\n\n\0ERROR\nmessage:rejected\n\n\0");

        try (StompSocket socket = connect()) {
            assertThatThrownBy(() -> socket.send("orders", "x")).hasMessage("stomp: expected RECEIPT, found ERROR");
        }
    }

    @Test
    void commandThatOnlyBeginsAsExpected_isAnError() {
        answer("CONNECTEDX\n\n\0");

        assertThatThrownBy(this::connect).hasMessage("stomp: expected CONNECTED, found CONNECTEDX");
    }

    @Test
    void brokerThatClosesInAFrame_isTheEndOfTheStream() {
        answer("CONNECTED\n");

        assertThatThrownBy(this::connect)
                .isInstanceOf(EOFException.class)
                .hasMessage("stomp: the broker closed the connection");
    }

    private StompSocket connect() throws IOException {
        return StompSocket.connect(server.getLocalPort(), "me", "secret");
    }
}
