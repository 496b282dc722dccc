/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.jms;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import java.util.Enumeration;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.opening.ConsumerAddress;

/**
 * A browser that opens its messages. For a message that cannot be opened the enumeration throws
 * {@code MessageOpenRuntimeException}, and returns the message after it on the next call. A large bytes message is
 * opened while the application reads it, until the next call.
 */
final class SignetBrowser implements QueueBrowser {
    private final QueueBrowser delegate;
    private final ConsumerAddress source;
    private final SessionSettlement settlement;
    private final SessionSettlement.UnreadBody unread = new SessionSettlement.UnreadBody();

    SignetBrowser(QueueBrowser delegate, ConsumerAddress source, SessionSettlement settlement) {
        this.delegate = delegate;
        this.source = source.ofBrowser();
        this.settlement = settlement;
    }

    @Override
    public Enumeration<?> getEnumeration() throws JMSException {
        Enumeration<?> arrived = delegate.getEnumeration();
        return new Enumeration<Message>() {
            @Override
            public boolean hasMoreElements() {
                settlement.beforeBrowsing(unread); // providers fetch the next message for this
                return arrived.hasMoreElements();
            }

            @Override
            public Message nextElement() {
                settlement.beforeBrowsing(unread);
                @Nullable Message next = (Message) arrived.nextElement();
                if (next == null) { // as the ActiveMQ client does at the end
                    throw new NoSuchElementException("browser: no more messages");
                }
                try {
                    return settlement.browse(next, source, unread).shown();
                } catch (JMSException e) {
                    throw settlement.outcomes().unchecked(e);
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
        unread.release();
    }
}
