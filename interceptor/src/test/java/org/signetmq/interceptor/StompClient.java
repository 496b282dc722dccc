/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** STOMP 1.2 over a plain socket. */
final class StompClient implements AutoCloseable {
    private final Socket socket;

    private StompClient(Socket socket) {
        this.socket = socket;
    }

    static StompClient connect(TestBroker broker) throws IOException {
        StompClient client = new StompClient(new Socket(InetAddress.getLoopbackAddress(), broker.port));
        client.socket.setSoTimeout(180_000);
        client.write("CONNECT\naccept-version:1.2\nhost:localhost\nlogin:alice\npasscode:secret\n\n", new byte[0]);
        client.expect("CONNECTED");
        return client;
    }

    void sendText(String destination, String text) throws IOException {
        write("SEND\npersistent:true\ndestination:" + destination + "\nreceipt:1\n\n", Producers.utf8(text));
        expect("RECEIPT");
    }

    void sendBytes(String destination, byte[] body) throws IOException {
        write(
                "SEND\npersistent:true\ndestination:" + destination + "\nreceipt:1\ncontent-length:" + body.length
                        + "\n\n",
                body);
        expect("RECEIPT");
    }

    /** Sends a frame without body and waits until the broker has done it. */
    void command(String head) throws IOException {
        write(head + "\nreceipt:1\n\n", new byte[0]);
        expect("RECEIPT");
    }

    private void write(String head, byte[] body) throws IOException {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        frame.write(head.getBytes(StandardCharsets.UTF_8));
        frame.write(body);
        frame.write(0);
        socket.getOutputStream().write(frame.toByteArray());
        socket.getOutputStream().flush();
    }

    private void expect(String command) throws IOException {
        InputStream in = socket.getInputStream();
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        int read = in.read();
        while (read > 0 || (read == 0 && frame.size() == 0)) {
            frame.write(read);
            read = in.read();
        }
        String text = frame.toString(StandardCharsets.UTF_8).strip();
        if (!text.startsWith(command)) {
            throw new IOException("expected " + command + ", got " + text);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
