/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.function.BooleanSupplier;
import org.apache.qpid.proton.Proton;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.messaging.Accepted;
import org.apache.qpid.proton.amqp.messaging.Source;
import org.apache.qpid.proton.amqp.messaging.Target;
import org.apache.qpid.proton.engine.Connection;
import org.apache.qpid.proton.engine.Delivery;
import org.apache.qpid.proton.engine.EndpointState;
import org.apache.qpid.proton.engine.Sender;
import org.apache.qpid.proton.engine.Session;
import org.apache.qpid.proton.engine.Transport;

/** An AMQP producer that sends encoded messages as they are, byte for byte. For one thread. */
final class AmqpWire implements AutoCloseable {
    private static final int PATIENCE = 30_000;

    private final Socket socket;
    private final WritableByteChannel out;
    private final Transport transport = Proton.transport();
    private final Connection connection = Proton.connection();
    private final Session session;
    private int deliveries;

    AmqpWire(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(PATIENCE);
        out = Channels.newChannel(socket.getOutputStream());
        transport.setMaxFrameSize(64 << 10);
        transport.bind(connection);
        connection.setContainer("wire");
        connection.open();
        session = connection.session();
        session.open();
        await(() -> session.getRemoteState() == EndpointState.ACTIVE);
    }

    /** Sends a message to a queue, and says whether the broker took it. */
    boolean send(String queue, byte[] message) throws IOException {
        Sender sender = session.sender("sender-" + deliveries);
        Target target = new Target();
        target.setAddress(queue);
        target.setCapabilities(Symbol.valueOf("queue"));
        sender.setTarget(target);
        sender.setSource(new Source());
        sender.open();
        await(() -> sender.getCredit() > 0);
        Delivery delivery = sender.delivery(("delivery-" + deliveries++).getBytes(StandardCharsets.UTF_8));
        sender.send(message, 0, message.length);
        sender.advance();
        await(() -> delivery.getRemoteState() != null);
        boolean accepted = delivery.getRemoteState() instanceof Accepted;
        delivery.settle();
        sender.close();
        flush();
        return accepted;
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

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
