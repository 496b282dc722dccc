/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.apache.qpid.proton.Proton;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.messaging.Accepted;
import org.apache.qpid.proton.amqp.messaging.Source;
import org.apache.qpid.proton.amqp.messaging.Target;
import org.apache.qpid.proton.amqp.transport.DeliveryState;
import org.apache.qpid.proton.engine.Connection;
import org.apache.qpid.proton.engine.Delivery;
import org.apache.qpid.proton.engine.EndpointState;
import org.apache.qpid.proton.engine.Receiver;
import org.apache.qpid.proton.engine.Sender;
import org.apache.qpid.proton.engine.Session;
import org.apache.qpid.proton.engine.Transport;

/** An AMQP 1.0 client that sends and receives encoded messages as they are, byte for byte. For one thread. */
public final class RawAmqp implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 180_000;
    private static final int WINDOW = 64 << 20;

    /** The format of a large Core message within AMQP, in its first version. */
    private static final int LARGE_CORE_MESSAGE = 0x468C0200;

    private final Socket socket;
    private final WritableByteChannel out;
    private final Transport transport = Proton.transport();
    private final Connection connection = Proton.connection();
    private final Session session;
    private int links;
    private int deliveries;

    /** Connects without a user to a port of the loopback. */
    public RawAmqp(int port) throws IOException {
        this(port, false, "", "");
    }

    /** Connects as a user to a port of the loopback. */
    public RawAmqp(int port, String user, String password) throws IOException {
        this(port, true, user, password);
    }

    private RawAmqp(int port, boolean secured, String user, String password) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(PATIENCE_MILLIS);
        out = Channels.newChannel(socket.getOutputStream());
        transport.setMaxFrameSize(64 << 10);
        if (secured) {
            transport.sasl().client();
            transport.sasl().plain(user, password);
        }
        transport.bind(connection);
        connection.setContainer("raw");
        connection.open();
        session = connection.session();
        session.setIncomingCapacity(WINDOW);
        session.open();
        await(() -> session.getRemoteState() == EndpointState.ACTIVE);
    }

    /** Returns a link to an address of queues, with credit. */
    public Sender sender(String address) throws IOException {
        return sender(address, "queue");
    }

    /** Returns a link to an address of topics, with credit. */
    public Sender topicSender(String address) throws IOException {
        return sender(address, "topic");
    }

    /** Returns a link to no address, with credit: each message names its own. */
    public Sender anonymousSender() throws IOException {
        return open(new Target());
    }

    private Sender sender(String address, String capability) throws IOException {
        Target target = new Target();
        target.setAddress(address);
        target.setCapabilities(Symbol.valueOf(capability));
        return open(target);
    }

    private Sender open(Target target, Symbol... desired) throws IOException {
        Sender sender = session.sender("sender-" + links++);
        sender.setTarget(target);
        sender.setSource(new Source());
        sender.setDesiredCapabilities(desired);
        sender.open();
        await(() -> sender.getCredit() > 0);
        return sender;
    }

    /**
     * Sends a message to a queue.
     *
     * @throws IOException if the broker does not accept it
     */
    public void send(String queue, byte[] message) throws IOException {
        DeliveryState outcome = send(sender(queue), message);
        if (!(outcome instanceof Accepted)) {
            throw new IOException("not accepted: " + outcome);
        }
    }

    /** Begins a large message of Core within AMQP, as a mirror sends it. */
    public void beginTunnelled(String address, byte[] head, byte[] beginning) throws IOException {
        Target target = new Target();
        target.setAddress(address);
        Sender sender = open(target, Symbol.valueOf("AMQ_CORE_MESSAGE_TUNNELING"));
        Delivery delivery = delivery(sender);
        delivery.setMessageFormat(LARGE_CORE_MESSAGE);
        for (byte[] each : List.of(section(head, head.length), section(beginning, 2 * beginning.length))) {
            sender.send(each, 0, each.length);
        }
        await(() -> delivery.pending() == 0);
    }

    /** Returns the beginning of a section of data (AMQP 3.2.6, 1.6.19) of this length. */
    private static byte[] section(byte[] beginning, int length) {
        return ByteBuffer.allocate(8 + beginning.length)
                .put(new byte[] {0, 0x53, 0x75, (byte) 0xb0})
                .putInt(length)
                .put(beginning)
                .array();
    }

    /** Sends a message, and returns the broker's outcome. */
    public DeliveryState send(Sender sender, byte[] message) throws IOException {
        return end(sender, delivery(sender), message);
    }

    /** Sends the beginning of a message. */
    public Delivery begin(Sender sender, byte[] beginning) throws IOException {
        Delivery delivery = delivery(sender);
        sender.send(beginning, 0, beginning.length);
        await(() -> delivery.pending() == 0);
        return delivery;
    }

    private Delivery delivery(Sender sender) throws IOException {
        await(() -> sender.getCredit() > 0);
        return sender.delivery(("delivery-" + deliveries++).getBytes(StandardCharsets.UTF_8));
    }

    /** Sends the rest of a message, and returns the broker's outcome. */
    public DeliveryState end(Sender sender, Delivery delivery, byte[] rest) throws IOException {
        sender.send(rest, 0, rest.length);
        sender.advance();
        await(() -> delivery.getRemoteState() != null);
        DeliveryState outcome = delivery.getRemoteState();
        delivery.settle();
        return outcome;
    }

    /** Returns a link from a queue. */
    public Receiver receiver(String address) throws IOException {
        return receiver(address, Symbol.valueOf("queue"));
    }

    /** Returns a link from a queue, named with its address, of any routing type. */
    public Receiver queueReceiver(String address) throws IOException {
        return receiver(address, new Symbol[0]);
    }

    private Receiver receiver(String address, Symbol... capabilities) throws IOException {
        Receiver receiver = session.receiver("receiver-" + links++);
        Source source = new Source();
        source.setAddress(address);
        source.setCapabilities(capabilities);
        receiver.setSource(source);
        receiver.setTarget(new Target());
        receiver.open();
        await(() -> receiver.getRemoteState() == EndpointState.ACTIVE);
        return receiver;
    }

    /** Returns the next message, as it is encoded, and accepts it. */
    public byte[] receive(Receiver receiver) throws IOException {
        receiver.flow(1);
        await(() -> receiver.current() != null && !receiver.current().isPartial());
        Delivery delivery = receiver.current();
        byte[] message = new byte[delivery.pending()];
        receiver.recv(message, 0, message.length);
        receiver.advance();
        delivery.disposition(Accepted.getInstance());
        delivery.settle();
        flush();
        return message;
    }

    private void await(BooleanSupplier reached) throws IOException {
        byte[] bytes = new byte[64 << 10];
        flush();
        while (!reached.getAsBoolean()) {
            if (connection.getRemoteState() == EndpointState.CLOSED) {
                throw new IOException("closed by the broker: " + connection.getRemoteCondition());
            }
            int read = socket.getInputStream().read(bytes, 0, Math.min(bytes.length, transport.capacity()));
            if (read < 0) {
                throw new IOException("the broker has ended the connection");
            }
            transport.tail().put(bytes, 0, read);
            transport.process();
            flush();
        }
    }

    private void flush() throws IOException {
        while (transport.pending() > 0) {
            ByteBuffer head = transport.head();
            int length = head.remaining();
            while (head.hasRemaining()) {
                out.write(head);
            }
            transport.pop(length);
        }
    }

    /** Ends without a word, as a client that crashes. */
    @Override
    public void close() throws IOException {
        socket.close();
    }
}
