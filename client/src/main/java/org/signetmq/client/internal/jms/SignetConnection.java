/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.jms;

import jakarta.jms.Connection;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueSession;
import jakarta.jms.ServerSession;
import jakarta.jms.ServerSessionPool;
import jakarta.jms.Session;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicSession;
import jakarta.jms.XAQueueConnection;
import jakarta.jms.XASession;
import jakarta.jms.XATopicConnection;
import java.lang.reflect.Method;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.opening.AddressedOpener;
import org.signetmq.client.internal.opening.ConsumerAddress;
import org.signetmq.client.internal.opening.MessageOpening;
import org.signetmq.client.internal.provider.ClientLibrary.ClientProtocol;
import org.signetmq.client.internal.provider.DirectConsumer;
import org.signetmq.client.internal.provider.Wrapper;

/** A connection with sessions that open sealed messages. As thread-safe as the provider's connection. */
public final class SignetConnection extends Wrapper<SignetConnection.Shown> {
    private final Connection delegate;
    private final boolean xa;
    private final DirectConsumer.@Nullable Maker direct;
    private final MessageOpening opening;

    /** The connection as the application sees it. */
    public interface Shown extends QueueConnection, TopicConnection {}

    /** An XA connection as the application sees it. */
    public interface ShownXa extends Shown, XAQueueConnection, XATopicConnection {}

    private SignetConnection(
            Class<? extends Shown> shown,
            Connection delegate,
            AddressedOpener opener,
            DirectConsumer.@Nullable Maker direct) {
        super(Connection.class, shown);
        this.delegate = delegate;
        this.xa = shown == ShownXa.class;
        this.direct = direct;
        this.opening = new MessageOpening(opener, delegate);
    }

    /**
     * Wraps a connection.
     *
     * @param direct makes direct consumers; null if the library has none
     */
    public static Shown of(Connection delegate, AddressedOpener opener, DirectConsumer.@Nullable Maker direct) {
        return new SignetConnection(Shown.class, delegate, opener, direct).shown();
    }

    /**
     * Wraps an XA connection.
     *
     * @param direct makes direct consumers of XA sessions alone; null if the library has none
     */
    public static ShownXa ofXa(Connection delegate, AddressedOpener opener, DirectConsumer.@Nullable Maker direct) {
        return (ShownXa) new SignetConnection(ShownXa.class, delegate, opener, direct).shown();
    }

    /** Wraps the XA sessions that the provider makes, and the pools that an application server passes to it. */
    @Override
    protected @Nullable Object other(Method method, @Nullable Object[] arguments) throws JMSException {
        @Nullable Object[] passed = arguments.clone();
        for (int i = 0; i < passed.length; i++) {
            if (passed[i] instanceof ServerSessionPool pool) {
                passed[i] = new ProviderPool(pool, opening.opener().source((Destination) arguments[0]));
            }
        }
        Object made = call(method, delegate, passed);
        if (!Session.class.isAssignableFrom(method.getReturnType())) {
            return made;
        }
        XASession session = (XASession) Objects.requireNonNull(made); // this class answers the calls for other sessions
        return new SignetSession.SignetXASession(session, resource(session), opening, direct).shown();
    }

    private SignetXAResource resource(XASession session) {
        boolean listens = direct != null || opening.library().protocol() == ClientProtocol.OPENWIRE;
        return new SignetXAResource(session.getXAResource(), session, opening, listens);
    }

    @Own
    Session createSession() throws JMSException {
        return createSession(Session.AUTO_ACKNOWLEDGE);
    }

    @Own
    Session createSession(int acknowledgeMode) throws JMSException {
        return wrapped(() -> delegate.createSession(providerMode(acknowledgeMode)), acknowledgeMode);
    }

    @Own
    Session createSession(boolean transacted, int acknowledgeMode) throws JMSException {
        return createSession(mode(transacted, acknowledgeMode));
    }

    @Own
    QueueSession createQueueSession(boolean transacted, int acknowledgeMode) throws JMSException {
        int mode = mode(transacted, acknowledgeMode);
        QueueConnection connection = (QueueConnection) delegate;
        return wrapped(() -> connection.createQueueSession(transacted, providerMode(mode)), mode);
    }

    @Own
    TopicSession createTopicSession(boolean transacted, int acknowledgeMode) throws JMSException {
        int mode = mode(transacted, acknowledgeMode);
        TopicConnection connection = (TopicConnection) delegate;
        return wrapped(() -> connection.createTopicSession(transacted, providerMode(mode)), mode);
    }

    private int mode(boolean transacted, int acknowledgeMode) throws JMSException {
        if (transacted) {
            return Session.SESSION_TRANSACTED;
        }
        return acknowledgeMode == Session.SESSION_TRANSACTED ? modeWithoutTransaction() : acknowledgeMode;
    }

    /**
     * Returns the provider's mode for a contradictory request. Artemis acknowledges automatically, other libraries
     * reject it.
     */
    private int modeWithoutTransaction() throws JMSException {
        try (Session session = delegate.createSession(false, Session.SESSION_TRANSACTED)) {
            return session.getAcknowledgeMode();
        }
    }

    private int providerMode(int acknowledgeMode) {
        return isDirect(acknowledgeMode) ? Session.AUTO_ACKNOWLEDGE : SessionSettlement.providerMode(acknowledgeMode);
    }

    private boolean isDirect(int acknowledgeMode) {
        return direct != null && !xa && SessionSettlement.settlesItself(acknowledgeMode);
    }

    private SignetSession.Shown wrapped(ConsumerSessions.SessionMaker sessions, int acknowledgeMode)
            throws JMSException {
        Session session = sessions.make();
        ConsumerSessions consumers = isDirect(acknowledgeMode)
                ? new ConsumerSessions(session, sessions, Objects.requireNonNull(direct), opening)
                : null;
        return new SignetSession(session, acknowledgeMode, opening, consumers).shown();
    }

    @Own
    void close() throws JMSException {
        ListenerGate.closeConnection(opening, () -> {
            opening.closed();
            delegate.close();
        });
    }

    /** Presents a server's session pool to the provider, with the provider's own sessions. */
    private record ProviderPool(ServerSessionPool pool, ConsumerAddress source) implements ServerSessionPool {
        @Override
        public ServerSession getServerSession() throws JMSException {
            ServerSession serverSession = pool.getServerSession();
            SignetSession session = behind(serverSession.getSession(), SignetSession.class);
            if (session == null) {
                throw new JMSException("session: not of a connection of SignetConnectionFactory");
            }
            Session delegate = session.loadedFrom(source);
            return new ServerSession() {
                @Override
                public Session getSession() {
                    return delegate;
                }

                @Override
                public void start() throws JMSException {
                    serverSession.start();
                }
            };
        }
    }
}
