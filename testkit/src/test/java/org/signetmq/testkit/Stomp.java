/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Map;
import java.util.TreeMap;

/**
 * A STOMP 1.2 client over a plain socket of the loopback. For one thread. A head is a command and its header lines,
 * with a line break between them and none at the end.
 */
public final class Stomp implements AutoCloseable {
    private static final String LENGTH = "content-length";
    private static final int PATIENCE_MILLIS = 180_000;

    private final Socket socket;
    private final InputStream in;

    /** A frame of the broker. Of a repeated header it has the first value. */
    public record Frame(String command, Map<String, String> headers, byte[] body) {}

    /** Connects without a user. */
    public Stomp(int port) throws IOException {
        this(port, "");
    }

    /** Connects as a user. */
    public Stomp(int port, String user, String password) throws IOException {
        this(port, "\nlogin:" + user + "\npasscode:" + password);
    }

    private Stomp(int port, String headers) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        try {
            socket.setSoTimeout(PATIENCE_MILLIS);
            in = new BufferedInputStream(socket.getInputStream());
            write("CONNECT\naccept-version:1.2\nhost:localhost" + headers, new byte[0]);
            next("CONNECTED");
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Waits no longer than this for a byte of the broker; without it 3 minutes. */
    public Stomp patience(int millis) throws IOException {
        socket.setSoTimeout(millis);
        return this;
    }

    /** Sends a durable text message, and waits until the broker has it. */
    public void sendText(String destination, String text) throws IOException {
        send(destination + "\npersistent:true", text.getBytes(UTF_8));
    }

    /** Sends a durable bytes message, and waits until the broker has it. */
    public void sendBytes(String destination, byte[] body) throws IOException {
        send(destination + "\npersistent:true\n" + LENGTH + ":" + body.length, body);
    }

    /**
     * Sends a message, and waits until the broker has it.
     *
     * @param destination and further header lines
     */
    public void send(String destination, byte[] body) throws IOException {
        command("SEND\ndestination:" + destination, body);
    }

    /** Subscribes to an address. */
    public void subscribe(String destination) throws IOException {
        command("SUBSCRIBE\nid:s\nack:auto\ndestination:" + destination);
    }

    /** Sends a frame without body, and waits until the broker has done it. */
    public void command(String head) throws IOException {
        command(head, new byte[0]);
    }

    private void command(String head, byte[] body) throws IOException {
        write(head + "\nreceipt:1", body);
        next("RECEIPT");
    }

    /** Sends a frame, and does not wait. */
    public void write(String head, byte[] body) throws IOException {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        frame.write((head + "\n\n").getBytes(UTF_8));
        frame.write(body);
        frame.write(0);
        socket.getOutputStream().write(frame.toByteArray());
        socket.getOutputStream().flush();
    }

    /**
     * Returns the next message. The client announces itself first: the broker drops a client that is silent for a
     * minute.
     */
    public Frame next() throws IOException {
        socket.getOutputStream().write('\n');
        return next("MESSAGE");
    }

    /**
     * Returns the next frame.
     *
     * @throws IOException with the frame if it has another command
     */
    public Frame next(String command) throws IOException {
        String said = line();
        while (said.isEmpty()) { // frames may be separated by line breaks
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
                    "expected " + command + ", got " + said + " " + headers + "\n\n" + new String(frame.body(), UTF_8));
        }
        return frame;
    }

    private byte[] body(Map<String, String> headers) throws IOException {
        String length = headers.get(LENGTH);
        if (length == null) {
            return until(0);
        }
        byte[] body = in.readNBytes(Integer.parseInt(length));
        if (in.read() != 0) {
            throw new IOException("the frame does not end where it should");
        }
        return body;
    }

    private String line() throws IOException {
        return new String(until('\n'), UTF_8);
    }

    private byte[] until(int end) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int read = in.read();
        while (read >= 0 && read != end) {
            bytes.write(read);
            read = in.read();
        }
        if (read < 0) {
            throw new IOException("the broker has ended the connection after " + bytes.toString(UTF_8));
        }
        return bytes.toByteArray();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
