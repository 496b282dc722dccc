/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** STOMP 1.2 over a plain socket. */
final class Stomp implements AutoCloseable {
    private static final Pattern LENGTH = Pattern.compile("(?m)^content-length:(\\d+)$");

    private final Socket socket;
    private final InputStream in;

    /** The frames of the broker. */
    private record Frame(String head, byte[] body) {}

    Stomp(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(180_000);
        in = new BufferedInputStream(socket.getInputStream());
        write("CONNECT\naccept-version:1.2\nhost:localhost\n\n", new byte[0]);
        expect("CONNECTED");
    }

    void sendText(String destination, String text) throws IOException {
        write("SEND\npersistent:true\ndestination:" + destination + "\nreceipt:1\n\n", utf8(text));
        expect("RECEIPT");
    }

    void sendBytes(String destination, byte[] body) throws IOException {
        String head = "SEND\npersistent:true\ndestination:%s\nreceipt:1\ncontent-length:%d\n\n";
        write(head.formatted(destination, body.length), body);
        expect("RECEIPT");
    }

    /** Sends a frame with these header lines, each with its line break. */
    void send(String destination, String headers, byte[] body) throws IOException {
        write("SEND\ndestination:" + destination + "\nreceipt:1\n" + headers + "\n", body);
        expect("RECEIPT");
    }

    void subscribe(String topic) throws IOException {
        write("SUBSCRIBE\nid:0\ndestination:" + topic + "\nsubscription-type:MULTICAST\nreceipt:1\n\n", new byte[0]);
        expect("RECEIPT");
    }

    /** The body of the next message. Announces itself first: the broker drops a client that is silent for a minute. */
    byte[] next() throws IOException {
        socket.getOutputStream().write('\n');
        return expect("MESSAGE").body();
    }

    private void write(String head, byte[] body) throws IOException {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        frame.write(utf8(head));
        frame.write(body);
        frame.write(0);
        socket.getOutputStream().write(frame.toByteArray());
        socket.getOutputStream().flush();
    }

    private Frame expect(String command) throws IOException {
        Frame frame = read();
        if (!frame.head().startsWith(command)) {
            throw new IOException("expected " + command + ", got "
                    + frame.head().lines().findFirst().orElse("").toLowerCase(Locale.ROOT));
        }
        return frame;
    }

    private Frame read() throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        String text = "";
        while (!text.endsWith("\n\n")) {
            int read = in.read();
            if (read < 0) {
                throw new IOException("the broker closed the connection");
            }
            if (head.size() > 0 || read != '\n') { // frames may be separated by line breaks
                head.write(read);
                text = read == '\n' ? head.toString(StandardCharsets.UTF_8) : "";
            }
        }
        Matcher length = LENGTH.matcher(text);
        byte[] body = length.find() ? exactly(Integer.parseInt(length.group(1))) : untilZero();
        return new Frame(text, body);
    }

    private byte[] exactly(int length) throws IOException {
        byte[] body = new byte[length];
        new DataInputStream(in).readFully(body);
        if (in.read() != 0) {
            throw new IOException("the frame does not end where it should");
        }
        return body;
    }

    private byte[] untilZero() throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (int read = in.read(); read > 0; read = in.read()) {
            body.write(read);
        }
        return body.toByteArray();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
