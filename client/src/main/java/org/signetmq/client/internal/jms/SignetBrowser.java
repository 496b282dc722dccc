/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.jms;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import java.util.Enumeration;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.MessageOpenRuntimeException;
import org.signetmq.client.internal.address.Source;
import org.signetmq.client.internal.settlement.Inbox;
import org.signetmq.client.internal.settlement.UnreadRest;

/**
 * A browser that opens what it shows. Asking for an element that cannot be opened throws a
 * {@link MessageOpenRuntimeException}; the one after it is there for the next call. A very large message is opened
 * while it is read, until the next is asked for, as one that a consumer takes.
 */
final class SignetBrowser implements QueueBrowser {
    private final QueueBrowser delegate;
    private final Source source;
    private final Inbox inbox;

    SignetBrowser(QueueBrowser delegate, Source source, Inbox inbox) {
        this.delegate = delegate;
        this.source = source;
        this.inbox = inbox;
    }

    @Override
    public Enumeration<?> getEnumeration() throws JMSException {
        Enumeration<?> arrived = delegate.getEnumeration();
        UnreadRest unread = new UnreadRest();
        return new Enumeration<Message>() {
            @Override
            public boolean hasMoreElements() {
                inbox.beforeBrowsing(unread); // for that, providers ask for the next message
                return arrived.hasMoreElements();
            }

            @Override
            public Message nextElement() {
                inbox.beforeBrowsing(unread);
                @Nullable Message next = (Message) arrived.nextElement();
                if (next == null) { // what the ActiveMQ client has at the end
                    throw new NoSuchElementException("browser: no more messages");
                }
                try {
                    return inbox.browse(next, source, unread);
                } catch (JMSException e) {
                    throw inbox.runtimeExceptions().of(e);
                }
            }
        };
    }

    @Override
    public Queue getQueue() throws JMSException {
        return delegate.getQueue();
    }

    @Override
    public String getMessageSelector() throws JMSException {
        return delegate.getMessageSelector();
    }

    @Override
    public void close() throws JMSException {
        delegate.close();
    }
}
