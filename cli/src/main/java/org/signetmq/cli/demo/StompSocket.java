/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.demo;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** The part of a STOMP 1.2 client that sends text. */
final class StompSocket implements AutoCloseable {
    private static final byte[] LOOPBACK = {127, 0, 0, 1};
    private static final int TIMEOUT_MILLIS = 10_000;

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private int receipts;

    private StompSocket(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream());
        this.out = socket.getOutputStream();
    }

    static StompSocket connect(int port, String user, String password) throws IOException {
        Socket socket = new Socket(InetAddress.getByAddress(LOOPBACK), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        StompSocket stomp = new StompSocket(socket);
        try {
            stomp.write("CONNECT\naccept-version:1.2\nhost:%s\nlogin:%s\npasscode:%s\n\n"
                    .formatted(DemoBroker.HOST, user, password));
            stomp.expect("CONNECTED");
            return stomp;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Sends text, durably, and waits until the broker has it. */
    void send(String address, String text) throws IOException {
        receipts++;
        write("SEND\ndestination:%s\ndestination-type:%s\npersistent:true\nreceipt:%d\n\n%s"
                .formatted(address, "ANYCAST", receipts, text));
        expect("RECEIPT");
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private void write(String frame) throws IOException {
        out.write((frame + '\0').getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    private void expect(String command) throws IOException {
        String frame = read();
        if (!frame.startsWith(command + "\n")) {
            throw new IOException("stomp: expected " + command + ", found "
                    + frame.lines().findFirst().orElse("nothing"));
        }
    }

    private String read() throws IOException {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        int octet = in.read();
        while (octet == '\n' || octet == '\r') {
            octet = in.read(); // line ends between frames
        }
        while (octet != 0) {
            if (octet < 0) {
                throw new EOFException("stomp: the broker closed the connection");
            }
            frame.write(octet);
            octet = in.read();
        }
        return frame.toString(StandardCharsets.UTF_8).replace("\r\n", "\n");
    }
}
