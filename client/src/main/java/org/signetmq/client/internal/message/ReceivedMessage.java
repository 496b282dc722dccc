/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.message;

import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import java.io.OutputStream;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A received message. Headers, properties and acknowledgement belong to the provider's message that arrived. The body
 * is another message of the same provider with the content of the envelope. The body of an unprotected message is the
 * message itself. Like any message, for one thread at a time.
 */
public class ReceivedMessage implements Message {
    /** Artemis's properties for large messages. An application sets one to write the body to a stream. */
    private static final Set<String> SAVE_STREAMS = Set.of("JMS_AMQ_SaveStream", "JMS_AMQ_OutputStream");

    private final ReceivedEnvelope envelope;
    private final Message received;
    private final @Nullable Message content;
    private SignetProperties added;
    private boolean bodyWritable;

    /**
     * Makes a message.
     *
     * @param content the provider's message with the body; null if {@link #content()} makes it
     */
    ReceivedMessage(ReceivedEnvelope envelope, @Nullable Message content) {
        this.envelope = envelope;
        this.received = envelope.message();
        this.content = content;
        this.added = envelope.added();
    }

    /** Returns the message as it arrived. */
    public final Message received() {
        return received;
    }

    /** Returns the provider's message with the body. */
    Message content() throws JMSException {
        return Objects.requireNonNull(content, "content: not made");
    }

    /** Returns whether the body came from an envelope. */
    final boolean opened() {
        return content != received;
    }

    final void checkBodyWritable() throws JMSException {
        if (opened() && !bodyWritable) {
            throw new jakarta.jms.MessageNotWriteableException("body: read-only in a received message");
        }
    }

    /** Puts the missing values into the content. */
    void completeContent() throws JMSException {}

    /** Returns an ordinary message of the provider with this one's body, headers and properties. */
    final Message forSending() throws JMSException {
        if (!opened()) {
            return received;
        }
        completeContent();
        Message sent = content();
        MessageHeaders.copyForSending(this, sent, envelope.library());
        return sent;
    }

    @Override
    public void acknowledge() throws JMSException {
        envelope.acknowledgement().acknowledge(received);
    }

    @Override
    public void clearBody() throws JMSException {
        content().clearBody();
        bodyWritable = true;
    }

    @Override
    public <T> T getBody(Class<T> type) throws JMSException {
        return content().getBody(type);
    }

    @Override
    @SuppressWarnings("rawtypes") // as the interface declares
    public boolean isBodyAssignableTo(Class type) throws JMSException {
        return content().isBodyAssignableTo(type);
    }

    @Override
    public void clearProperties() throws JMSException {
        received.clearProperties();
        added = SignetProperties.NONE;
    }

    @Override
    public boolean propertyExists(String name) throws JMSException {
        return added.covers(name) ? added.exists(name) : received.propertyExists(name);
    }

    @Override
    public Enumeration<?> getPropertyNames() throws JMSException {
        Set<Object> names = new LinkedHashSet<>(Collections.list((Enumeration<?>) received.getPropertyNames()));
        for (Iterator<Object> all = names.iterator(); all.hasNext(); ) {
            if (added.covers((String) all.next())) {
                all.remove();
            }
        }
        names.addAll(added.names());
        return Collections.enumeration(names);
    }

    @Override
    public @Nullable String getStringProperty(String name) throws JMSException {
        return added.covers(name)
                ? PropertyValue.asString(added.get(name), envelope.library().protocol())
                : received.getStringProperty(name);
    }

    @Override
    public @Nullable Object getObjectProperty(String name) throws JMSException {
        return added.covers(name) ? added.get(name) : received.getObjectProperty(name);
    }

    @Override
    public boolean getBooleanProperty(String name) throws JMSException {
        return added.covers(name) ? PropertyValue.asBoolean(added.get(name)) : received.getBooleanProperty(name);
    }

    @Override
    public byte getByteProperty(String name) throws JMSException {
        return added.covers(name) ? PropertyValue.asByte(added.get(name)) : received.getByteProperty(name);
    }

    @Override
    public short getShortProperty(String name) throws JMSException {
        return added.covers(name) ? PropertyValue.asShort(added.get(name)) : received.getShortProperty(name);
    }

    @Override
    public int getIntProperty(String name) throws JMSException {
        return added.covers(name) ? PropertyValue.asInt(added.get(name)) : received.getIntProperty(name);
    }

    @Override
    public long getLongProperty(String name) throws JMSException {
        return added.covers(name) ? PropertyValue.asLong(added.get(name)) : received.getLongProperty(name);
    }

    @Override
    public float getFloatProperty(String name) throws JMSException {
        return added.covers(name) ? PropertyValue.asFloat(added.get(name)) : received.getFloatProperty(name);
    }

    @Override
    public double getDoubleProperty(String name) throws JMSException {
        return added.covers(name) ? PropertyValue.asDouble(added.get(name)) : received.getDoubleProperty(name);
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + "[" + added + "]";
    }

    @Override
    public String getJMSMessageID() throws JMSException {
        return received.getJMSMessageID();
    }

    @Override
    public void setJMSMessageID(String value) throws JMSException {
        received.setJMSMessageID(value);
    }

    @Override
    public long getJMSTimestamp() throws JMSException {
        return received.getJMSTimestamp();
    }

    @Override
    public void setJMSTimestamp(long value) throws JMSException {
        received.setJMSTimestamp(value);
    }

    @Override
    public byte[] getJMSCorrelationIDAsBytes() throws JMSException {
        return received.getJMSCorrelationIDAsBytes();
    }

    @Override
    public void setJMSCorrelationIDAsBytes(byte[] value) throws JMSException {
        received.setJMSCorrelationIDAsBytes(value);
    }

    @Override
    public void setJMSCorrelationID(String value) throws JMSException {
        received.setJMSCorrelationID(value);
    }

    @Override
    public String getJMSCorrelationID() throws JMSException {
        return received.getJMSCorrelationID();
    }

    @Override
    public Destination getJMSReplyTo() throws JMSException {
        return received.getJMSReplyTo();
    }

    @Override
    public void setJMSReplyTo(Destination destination) throws JMSException {
        received.setJMSReplyTo(destination);
    }

    @Override
    public Destination getJMSDestination() throws JMSException {
        return received.getJMSDestination();
    }

    @Override
    public void setJMSDestination(Destination destination) throws JMSException {
        received.setJMSDestination(destination);
    }

    @Override
    public int getJMSDeliveryMode() throws JMSException {
        return received.getJMSDeliveryMode();
    }

    @Override
    public void setJMSDeliveryMode(int value) throws JMSException {
        received.setJMSDeliveryMode(value);
    }

    @Override
    public boolean getJMSRedelivered() throws JMSException {
        return received.getJMSRedelivered();
    }

    @Override
    public void setJMSRedelivered(boolean value) throws JMSException {
        received.setJMSRedelivered(value);
    }

    @Override
    public String getJMSType() throws JMSException {
        return received.getJMSType();
    }

    @Override
    public void setJMSType(String value) throws JMSException {
        received.setJMSType(value);
    }

    @Override
    public long getJMSExpiration() throws JMSException {
        return received.getJMSExpiration();
    }

    @Override
    public void setJMSExpiration(long value) throws JMSException {
        received.setJMSExpiration(value);
    }

    @Override
    public long getJMSDeliveryTime() throws JMSException {
        return received.getJMSDeliveryTime();
    }

    @Override
    public void setJMSDeliveryTime(long value) throws JMSException {
        received.setJMSDeliveryTime(value);
    }

    @Override
    public int getJMSPriority() throws JMSException {
        return received.getJMSPriority();
    }

    @Override
    public void setJMSPriority(int value) throws JMSException {
        received.setJMSPriority(value);
    }

    @Override
    public void setBooleanProperty(String name, boolean value) throws JMSException {
        received.setBooleanProperty(name, value);
    }

    @Override
    public void setByteProperty(String name, byte value) throws JMSException {
        received.setByteProperty(name, value);
    }

    @Override
    public void setShortProperty(String name, short value) throws JMSException {
        received.setShortProperty(name, value);
    }

    @Override
    public void setIntProperty(String name, int value) throws JMSException {
        received.setIntProperty(name, value);
    }

    @Override
    public void setLongProperty(String name, long value) throws JMSException {
        received.setLongProperty(name, value);
    }

    @Override
    public void setFloatProperty(String name, float value) throws JMSException {
        received.setFloatProperty(name, value);
    }

    @Override
    public void setDoubleProperty(String name, double value) throws JMSException {
        received.setDoubleProperty(name, value);
    }

    @Override
    public void setStringProperty(String name, String value) throws JMSException {
        received.setStringProperty(name, value);
    }

    @Override
    public void setObjectProperty(String name, Object value) throws JMSException {
        if (opened() && SAVE_STREAMS.contains(name) && value instanceof OutputStream out) {
            saveTo(out);
        } else {
            received.setObjectProperty(name, value);
        }
    }

    /** Writes the rest of the body. */
    void saveTo(OutputStream out) throws JMSException {
        throw new MessageFormatException("body: only bytes can be saved to a stream");
    }
}
