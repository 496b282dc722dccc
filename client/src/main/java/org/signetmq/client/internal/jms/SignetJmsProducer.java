/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.jms;

import jakarta.jms.CompletionListener;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.Message;
import java.io.Serializable;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.failure.RuntimeExceptions;
import org.signetmq.client.internal.message.OutgoingMessage;
import org.signetmq.client.internal.message.ReceivedMessage;

/** A producer of the simplified API that sends a received message as an ordinary one with the opened content. */
final class SignetJmsProducer implements JMSProducer {
    private final JMSProducer delegate;
    private final Runnable beforeSending;
    private final RuntimeExceptions runtime;
    private @Nullable CompletionListener async;

    /** The correlation id in bytes. The Artemis client fails to return none. */
    private byte[] correlation = {};

    /**
     * Wraps a producer.
     *
     * @param beforeSending runs before each send
     * @param runtime makes the exceptions that sending throws
     */
    SignetJmsProducer(JMSProducer delegate, Runnable beforeSending, RuntimeExceptions runtime) {
        this.runtime = runtime;
        this.delegate = delegate;
        this.beforeSending = beforeSending;
    }

    @Override
    public JMSProducer send(Destination destination, Message message) {
        try {
            beforeSending.run();
            if (message instanceof ReceivedMessage) { // the provider gets another object
                putOn(message);
            }
            OutgoingMessage outgoing = OutgoingMessage.of(message);
            if (async == null) {
                delegate.send(destination, outgoing.toSend());
                outgoing.sent();
            } else {
                send(destination, outgoing, async);
            }
        } catch (JMSException e) {
            throw runtime.of(e);
        }
        return this;
    }

    /** Puts the headers and properties of this producer on the application's message, as the provider's one does. */
    private void putOn(Message message) throws JMSException {
        if (delegate.getJMSCorrelationID() != null) {
            message.setJMSCorrelationID(delegate.getJMSCorrelationID());
        }
        if (correlation.length > 0) {
            message.setJMSCorrelationIDAsBytes(correlation.clone());
        }
        if (delegate.getJMSReplyTo() != null) {
            message.setJMSReplyTo(delegate.getJMSReplyTo());
        }
        if (delegate.getJMSType() != null) {
            message.setJMSType(delegate.getJMSType());
        }
        for (String name : delegate.getPropertyNames()) {
            message.setObjectProperty(name, delegate.getObjectProperty(name));
        }
    }

    private void send(Destination destination, OutgoingMessage outgoing, CompletionListener listener) {
        delegate.setAsync(outgoing.completing(listener));
        try {
            delegate.send(destination, outgoing.toSend());
        } finally {
            delegate.setAsync(listener);
        }
    }

    @Override
    public JMSProducer setAsync(@Nullable CompletionListener listener) {
        delegate.setAsync(listener);
        async = listener;
        return this;
    }

    @Override
    public @Nullable CompletionListener getAsync() {
        return async;
    }

    @Override
    public JMSProducer send(Destination destination, String value) {
        beforeSending.run();
        delegate.send(destination, value);
        return this;
    }

    @Override
    public JMSProducer send(Destination destination, Map<String, Object> body) {
        beforeSending.run();
        delegate.send(destination, body);
        return this;
    }

    @Override
    public JMSProducer send(Destination destination, byte[] bytes) {
        beforeSending.run();
        delegate.send(destination, bytes);
        return this;
    }

    @Override
    public JMSProducer send(Destination destination, Serializable object) {
        beforeSending.run();
        delegate.send(destination, object);
        return this;
    }

    @Override
    public JMSProducer setDisableMessageID(boolean value) {
        delegate.setDisableMessageID(value);
        return this;
    }

    @Override
    public boolean getDisableMessageID() {
        return delegate.getDisableMessageID();
    }

    @Override
    public JMSProducer setDisableMessageTimestamp(boolean value) {
        delegate.setDisableMessageTimestamp(value);
        return this;
    }

    @Override
    public boolean getDisableMessageTimestamp() {
        return delegate.getDisableMessageTimestamp();
    }

    @Override
    public JMSProducer setDeliveryMode(int value) {
        delegate.setDeliveryMode(value);
        return this;
    }

    @Override
    public int getDeliveryMode() {
        return delegate.getDeliveryMode();
    }

    @Override
    public JMSProducer setPriority(int value) {
        delegate.setPriority(value);
        return this;
    }

    @Override
    public int getPriority() {
        return delegate.getPriority();
    }

    @Override
    public JMSProducer setTimeToLive(long value) {
        delegate.setTimeToLive(value);
        return this;
    }

    @Override
    public long getTimeToLive() {
        return delegate.getTimeToLive();
    }

    @Override
    public JMSProducer setDeliveryDelay(long value) {
        delegate.setDeliveryDelay(value);
        return this;
    }

    @Override
    public long getDeliveryDelay() {
        return delegate.getDeliveryDelay();
    }

    @Override
    public JMSProducer setProperty(String name, boolean value) {
        delegate.setProperty(name, value);
        return this;
    }

    @Override
    public JMSProducer setProperty(String name, byte value) {
        delegate.setProperty(name, value);
        return this;
    }

    @Override
    public JMSProducer setProperty(String name, short value) {
        delegate.setProperty(name, value);
        return this;
    }

    @Override
    public JMSProducer setProperty(String name, int value) {
        delegate.setProperty(name, value);
        return this;
    }

    @Override
    public JMSProducer setProperty(String name, long value) {
        delegate.setProperty(name, value);
        return this;
    }

    @Override
    public JMSProducer setProperty(String name, float value) {
        delegate.setProperty(name, value);
        return this;
    }

    @Override
    public JMSProducer setProperty(String name, double value) {
        delegate.setProperty(name, value);
        return this;
    }

    @Override
    public JMSProducer setProperty(String name, String value) {
        delegate.setProperty(name, value);
        return this;
    }

    @Override
    public JMSProducer setProperty(String name, Object value) {
        delegate.setProperty(name, value);
        return this;
    }

    @Override
    public JMSProducer clearProperties() {
        delegate.clearProperties();
        return this;
    }

    @Override
    public boolean propertyExists(String name) {
        return delegate.propertyExists(name);
    }

    @Override
    public boolean getBooleanProperty(String name) {
        return delegate.getBooleanProperty(name);
    }

    @Override
    public byte getByteProperty(String name) {
        return delegate.getByteProperty(name);
    }

    @Override
    public short getShortProperty(String name) {
        return delegate.getShortProperty(name);
    }

    @Override
    public int getIntProperty(String name) {
        return delegate.getIntProperty(name);
    }

    @Override
    public long getLongProperty(String name) {
        return delegate.getLongProperty(name);
    }

    @Override
    public float getFloatProperty(String name) {
        return delegate.getFloatProperty(name);
    }

    @Override
    public double getDoubleProperty(String name) {
        return delegate.getDoubleProperty(name);
    }

    @Override
    public String getStringProperty(String name) {
        return delegate.getStringProperty(name);
    }

    @Override
    public Object getObjectProperty(String name) {
        return delegate.getObjectProperty(name);
    }

    @Override
    public Set<String> getPropertyNames() {
        return delegate.getPropertyNames();
    }

    @Override
    public JMSProducer setJMSCorrelationIDAsBytes(byte @Nullable [] value) {
        delegate.setJMSCorrelationIDAsBytes(value);
        correlation = value == null ? new byte[0] : value.clone();
        return this;
    }

    @Override
    public byte[] getJMSCorrelationIDAsBytes() {
        return delegate.getJMSCorrelationIDAsBytes();
    }

    @Override
    public JMSProducer setJMSCorrelationID(String value) {
        delegate.setJMSCorrelationID(value);
        return this;
    }

    @Override
    public String getJMSCorrelationID() {
        return delegate.getJMSCorrelationID();
    }

    @Override
    public JMSProducer setJMSType(String value) {
        delegate.setJMSType(value);
        return this;
    }

    @Override
    public String getJMSType() {
        return delegate.getJMSType();
    }

    @Override
    public JMSProducer setJMSReplyTo(Destination destination) {
        delegate.setJMSReplyTo(destination);
        return this;
    }

    @Override
    public Destination getJMSReplyTo() {
        return delegate.getJMSReplyTo();
    }
}
