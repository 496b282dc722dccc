/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.jms;

import jakarta.jms.Destination;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.QueueBrowser;
import jakarta.jms.XAJMSContext;
import java.lang.reflect.Method;
import java.util.Objects;
import javax.transaction.xa.XAResource;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.message.OpenOutcomes;
import org.signetmq.client.internal.opening.AddressedOpener;
import org.signetmq.client.internal.opening.ConsumerAddress;
import org.signetmq.client.internal.opening.MessageOpening;
import org.signetmq.client.internal.provider.ProviderSession;
import org.signetmq.client.internal.provider.Wrapper;

/** A context with consumers that open sealed messages. Like any context, for one thread at a time. */
public class SignetContext extends Wrapper<JMSContext> {
    private final JMSContext delegate;
    private final int sessionMode;
    private final AddressedOpener opener;
    private final SessionSettlement settlement;
    private final OpenOutcomes outcomes;

    private SignetContext(
            Class<? extends JMSContext> shown,
            JMSContext delegate,
            SessionSettlement settlement,
            int sessionMode,
            AddressedOpener opener) {
        super(shown);
        this.delegate = delegate;
        this.sessionMode = sessionMode;
        this.opener = opener;
        this.settlement = settlement;
        this.outcomes = settlement.outcomes();
    }

    /** Wraps a context that was created in {@link SessionSettlement#providerMode} of this mode. */
    public static JMSContext of(JMSContext delegate, int sessionMode, AddressedOpener opener) {
        MessageOpening opening = new MessageOpening(opener, delegate);
        SessionSettlement settlement = new SessionSettlement(ProviderSession.of(delegate), sessionMode, opening);
        return new SignetContext(JMSContext.class, delegate, settlement, sessionMode, opener).shown();
    }

    /** Wraps an XA context. */
    public static XAJMSContext ofXa(XAJMSContext delegate, AddressedOpener opener) {
        MessageOpening opening = new MessageOpening(opener, delegate);
        SignetXAResource resource =
                new SignetXAResource(delegate.getXAResource(), ProviderSession.of(delegate), opening, false);
        return (XAJMSContext) new Xa(delegate, resource, opener).shown();
    }

    /** Wraps the consumers and browsers that the provider makes. */
    @Override
    protected @Nullable Object other(Method method, @Nullable Object[] arguments) throws JMSException {
        Object made = call(method, delegate, arguments);
        if (made instanceof JMSConsumer consumer) {
            return new SignetJmsConsumer(consumer, source(arguments), settlement);
        } else if (made instanceof QueueBrowser browser) {
            return new SignetBrowser(browser, source(arguments), settlement);
        }
        return made;
    }

    /** Returns the address of the destination, which is the first argument, and which the provider accepted. */
    private ConsumerAddress source(@Nullable Object[] arguments) {
        try {
            return opener.source((Destination) Objects.requireNonNull(arguments[0]));
        } catch (JMSException e) {
            throw outcomes.unchecked(e);
        }
    }

    @Own
    JMSContext createContext(int mode) {
        return of(delegate.createContext(SessionSettlement.providerMode(mode)), mode, opener);
    }

    @Own
    JMSProducer createProducer() {
        return new SignetJmsProducer(delegate.createProducer(), settlement::beforeSending, outcomes).shown();
    }

    @Own
    int getSessionMode() {
        return sessionMode;
    }

    @Own
    void acknowledge() {
        if (!SessionSettlement.settlesItself(sessionMode)) {
            outcomes.run(() -> settlement.acknowledgeAll(delegate::acknowledge));
        }
    }

    @Own
    void commit() {
        outcomes.run(settlement::commit);
    }

    @Own
    void rollback() {
        outcomes.run(settlement::rollback);
    }

    @Own
    void recover() {
        delegate.getTransacted(); // throws if closed
        outcomes.run(settlement::recover);
    }

    @Own
    void close() {
        outcomes.run(() -> settlement.close(delegate::close));
    }

    /** An XA context. */
    static final class Xa extends SignetContext {
        private final XAJMSContext delegate;
        private final SignetXAResource resource;

        Xa(XAJMSContext delegate, SignetXAResource resource, AddressedOpener opener) {
            super(XAJMSContext.class, delegate, resource.settlement(), JMSContext.SESSION_TRANSACTED, opener);
            this.delegate = delegate;
            this.resource = resource;
        }

        @Own
        JMSContext getContext() {
            return shown();
        }

        @Own
        XAResource getXAResource() {
            return resource;
        }

        /** Throws the provider's exception, because only the transaction manager commits. */
        @Override
        void commit() {
            delegate.commit();
        }

        /** Throws the provider's exception, because only the transaction manager rolls back. */
        @Override
        void rollback() {
            delegate.rollback();
        }
    }
}
