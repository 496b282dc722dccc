/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;
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
import org.apache.qpid.proton.message.Message;

/** A producer of plain AMQP 1.0, as clients in other languages are: its messages say nothing of JMS. */
final class AmqpSender implements AutoCloseable {
    private static final int PATIENCE = 30_000;

    private final Socket socket;
    private final WritableByteChannel out;
    private final Transport transport = Proton.transport();
    private final Connection connection = Proton.connection();
    private final Sender sender;
    private int deliveries;

    AmqpSender(GuardedBroker broker, String address) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), broker.port());
        socket.setSoTimeout(PATIENCE);
        out = Channels.newChannel(socket.getOutputStream());
        transport.sasl().client();
        transport.sasl().plain(GuardedBroker.ADMIN, GuardedBroker.PASSWORD);
        transport.bind(connection);
        connection.setContainer("plain");
        connection.open();
        Session session = connection.session();
        session.open();
        sender = session.sender("sender");
        Target target = new Target();
        target.setAddress(address);
        target.setCapabilities(Symbol.valueOf("queue"));
        sender.setTarget(target);
        sender.setSource(new Source());
        sender.open();
    }

    /** Sends a message, which the broker must accept. */
    void send(Message message) throws IOException {
        await(() -> sender.getCredit() > 0);
        byte[] encoded = new byte[64 << 10];
        int length = message.encode(encoded, 0, encoded.length);
        Delivery delivery = sender.delivery(new byte[] {(byte) deliveries++});
        sender.send(Arrays.copyOf(encoded, length), 0, length);
        sender.advance();
        await(() -> delivery.getRemoteState() != null);
        if (!(delivery.getRemoteState() instanceof Accepted)) {
            throw new IOException("not accepted: " + delivery.getRemoteState());
        }
        delivery.settle();
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
