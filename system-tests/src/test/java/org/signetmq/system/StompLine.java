/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.system;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** STOMP 1.2 over a plain socket; each message has a receipt. */
final class StompLine implements Client.Line {
    private static final int PATIENCE_MILLIS = 20_000;

    private final Socket socket;
    private final InputStream in;
    private final String destination;

    private StompLine(Socket socket, String destination) throws IOException {
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream());
        this.destination = destination;
    }

    static StompLine connect(int port, String destination) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        try {
            socket.setSoTimeout(PATIENCE_MILLIS);
            StompLine line = new StompLine(socket, destination);
            line.write("CONNECT\naccept-version:1.2\nhost:localhost\nlogin:" + BrokerInstance.USER + "\npasscode:"
                    + BrokerInstance.PASSWORD + "\n\n");
            line.expect("CONNECTED\n");
            return line;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    @Override
    public void send(String text) throws IOException {
        write("SEND\npersistent:true\ndestination:" + destination + "\nreceipt:1\n\n" + text);
        expect("RECEIPT\n");
    }

    private void write(String frame) throws IOException {
        socket.getOutputStream().write((frame + "\0").getBytes(StandardCharsets.UTF_8));
        socket.getOutputStream().flush();
    }

    private void expect(String command) throws IOException {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        for (int read = in.read(); read != 0; read = in.read()) {
            if (read < 0) {
                throw new IOException("the broker closed the connection");
            }
            if (frame.size() > 0 || read != '\n') { // frames may be separated by line breaks
                frame.write(read);
            }
        }
        String text = frame.toString(StandardCharsets.UTF_8);
        if (!text.startsWith(command)) {
            throw new IOException("expected " + command.strip() + ", got " + text);
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException gone) {
            // with its broker
        }
    }
}
