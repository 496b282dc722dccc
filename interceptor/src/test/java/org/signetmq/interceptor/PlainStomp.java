/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A STOMP 1.2 client: sends frames of each kind, and tells all of those it gets. */
final class PlainStomp implements AutoCloseable {
    private static final String LENGTH = "content-length";

    private final Socket socket;
    private final InputStream in;

    private PlainStomp(TestBroker broker) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), broker.port);
        socket.setSoTimeout(180_000);
        in = new BufferedInputStream(socket.getInputStream());
        write("CONNECT\naccept-version:1.2\nhost:localhost\nlogin:alice\npasscode:secret", new byte[0]);
        next("CONNECTED");
    }

    /** Headers and body of a frame. */
    private record Frame(String command, Map<String, String> headers, byte[] body) {}

    static int send(TestBroker broker, String address, int length) throws IOException {
        byte[] body = LargeBodies.text(length).getBytes(StandardCharsets.UTF_8);
        String bytes = "\n" + LENGTH + ":" + body.length;
        try (PlainStomp client = new PlainStomp(broker)) {
            String send = "SEND\ndestination:" + address
                    + "\npersistent:true\npriority:7\nexpires:4000000000000\ncorrelation-id:a correlation\ntype:a type"
                    + "\nreply-to:replies\nsignet_signer:written by a producer\nstring:tschüß, κόσμε\\cx";
            client.write(send + bytes + "\nreceipt:1", body);
            client.next("RECEIPT");
            client.write(send + "\nreceipt:2", body);
            client.next("RECEIPT");
            client.write("SEND\ndestination:" + address + bytes, body);
            client.write("BEGIN\ntransaction:t", new byte[0]);
            client.write(send + bytes + "\ntransaction:t", body);
            client.write("SEND\ndestination:" + address + "\ntransaction:t\nsecond:in the transaction", body);
            client.write("COMMIT\ntransaction:t\nreceipt:3", new byte[0]);
            client.next("RECEIPT");
            return 5;
        }
    }

    static List<String> receive(TestBroker broker, String address, String queue, long count) throws IOException {
        List<String> told = new ArrayList<>();
        try (PlainStomp client = new PlainStomp(broker)) {
            client.write("SUBSCRIBE\nid:s\nack:auto\ndestination:" + address + "\\c\\c" + queue, new byte[0]);
            for (long i = 0; i < count; i++) {
                Frame frame = client.next("MESSAGE");
                Told one = new Told().with("body", frame.body());
                frame.headers().forEach(one::with);
                one.with("message-id", null);
                told.add(one.toString());
            }
        }
        return told;
    }

    private void write(String head, byte[] body) throws IOException {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        frame.write((head + "\n\n").getBytes(StandardCharsets.UTF_8));
        frame.write(body);
        frame.write(0);
        socket.getOutputStream().write(frame.toByteArray());
        socket.getOutputStream().flush();
    }

    private Frame next(String command) throws IOException {
        String said = line();
        while (said.isEmpty()) {
            said = line();
        }
        Map<String, String> headers = new TreeMap<>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            headers.putIfAbsent(
                    line.substring(0, colon), line.substring(colon + 1).replace("\\c", ":"));
        }
        Frame frame = new Frame(said, headers, body(headers));
        if (!said.equals(command)) {
            throw new IOException(
                    "expected " + command + ", got " + frame + ": " + new String(frame.body(), StandardCharsets.UTF_8));
        }
        return frame;
    }

    private byte[] body(Map<String, String> headers) throws IOException {
        if (headers.containsKey(LENGTH)) {
            byte[] body = in.readNBytes(Integer.parseInt(headers.get(LENGTH)));
            if (in.read() != 0) {
                throw new IOException("no end of a frame");
            }
            return body;
        }
        return until(0);
    }

    private String line() throws IOException {
        return new String(until('\n'), StandardCharsets.UTF_8);
    }

    private byte[] until(int end) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int read = in.read();
        while (read >= 0 && read != end) {
            bytes.write(read);
            read = in.read();
        }
        if (read < 0) {
            throw new IOException("the broker has ended the connection after " + bytes);
        }
        return bytes.toByteArray();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
