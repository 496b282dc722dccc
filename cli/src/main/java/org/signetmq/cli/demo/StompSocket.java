/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.demo;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** The part of a STOMP 1.2 client that sends text. */
final class StompSocket implements AutoCloseable {
    private static final byte[] LOOPBACK = {127, 0, 0, 1};
    private static final int TIMEOUT_MILLIS = 10_000;

    private final Socket socket;
    private int receipts;

    private StompSocket(Socket socket) {
        this.socket = socket;
    }

    static StompSocket connect(int port, String user, String password) throws IOException {
        StompSocket stomp = new StompSocket(new Socket(InetAddress.getByAddress(LOOPBACK), port));
        try {
            stomp.socket.setTcpNoDelay(true);
            stomp.socket.setSoTimeout(TIMEOUT_MILLIS);
            String connect = "CONNECT\naccept-version:1.2\nhost:%s\nlogin:%s\npasscode:%s\n\n";
            stomp.request(connect.formatted(DemoBroker.HOST, user, password), "CONNECTED");
            return stomp;
        } catch (IOException e) {
            stomp.close();
            throw e;
        }
    }

    /** Sends text, durably, and waits until the broker has it. */
    void send(String address, String text) throws IOException {
        receipts++;
        String send = "SEND\ndestination:%s\ndestination-type:ANYCAST\npersistent:true\nreceipt:%d\n\n%s";
        request(send.formatted(address, receipts, text), "RECEIPT");
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private void request(String frame, String expected) throws IOException {
        socket.getOutputStream().write((frame + '\0').getBytes(StandardCharsets.UTF_8));
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        InputStream in = socket.getInputStream();
        for (int octet = in.read(); octet != 0; octet = in.read()) {
            if (octet < 0) {
                throw new EOFException("stomp: the broker closed the connection");
            }
            answer.write(octet);
        }
        // line ends may stand before a frame
        String text = answer.toString(StandardCharsets.UTF_8).stripLeading();
        String found = text.lines().findFirst().orElse("nothing");
        if (!found.equals(expected)) {
            throw new IOException("stomp: expected " + expected + ", found " + found);
        }
    }
}
