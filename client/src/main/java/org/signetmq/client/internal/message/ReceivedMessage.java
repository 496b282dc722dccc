/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.message;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotWriteableException;
import java.io.OutputStream;
import java.lang.reflect.Method;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.provider.ClientLibrary;
import org.signetmq.client.internal.provider.ClientLibrary.ArrivedMessage;
import org.signetmq.client.internal.provider.ClientLibrary.ClientProtocol;
import org.signetmq.client.internal.provider.Wrapper;

/**
 * A received message. Headers, properties and acknowledgement belong to the provider's message that arrived. The body
 * is another message of the same provider with the content of the envelope. The body of an unprotected message is the
 * message itself. Like any message, for one thread at a time.
 */
public class ReceivedMessage extends Wrapper<Message> {
    /** Artemis's properties for large messages. An application sets one to write the body to a stream. */
    private static final Set<String> SAVE_STREAMS = Set.of("JMS_AMQ_SaveStream", "JMS_AMQ_OutputStream");

    private final Envelope envelope;
    private final Class<? extends Message> type;
    private final Message received;
    private final @Nullable Message content;
    private SignetProperties added;
    private boolean bodyWritable;

    /**
     * A message as the provider delivered it, with the additions of opening.
     *
     * @param arrived the provider's message
     * @param added the properties of opening
     * @param acknowledgement the effect of acknowledge()
     */
    public record Envelope(ArrivedMessage arrived, SignetProperties added, Acknowledgement acknowledgement) {
        Message message() {
            return arrived.message();
        }

        ClientLibrary library() {
            return arrived.library();
        }
    }

    /** The effect of the application's acknowledge() on the message that arrived. */
    public interface Acknowledgement {
        /** No effect, for browsers and for sessions that are transacted or acknowledge automatically. */
        Acknowledgement NO_EFFECT = message -> {};

        void acknowledge(Message received) throws JMSException;
    }

    /**
     * Makes a message.
     *
     * @param content the provider's message with the body; null if {@link #content()} makes it
     */
    ReceivedMessage(Envelope envelope, Class<? extends Message> type, @Nullable Message content) {
        super(type);
        this.envelope = envelope;
        this.type = type;
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
            throw new MessageNotWriteableException("body: read-only in a received message");
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
        sent.clearProperties();
        envelope.library().copyHead(shown(), sent, SignetProperties::isReserved); // those of opening do not travel on
        return sent;
    }

    /** Asks the provider: the message that arrived for headers and properties, the content for the body. */
    @Override
    protected @Nullable Object other(Method method, @Nullable Object[] arguments) throws JMSException {
        if (method.getDeclaringClass() != Message.class) {
            return call(method, content(), arguments);
        }
        if (arguments.length == 1 && method.getName().startsWith("get")) { // a property
            String name = (String) arguments[0];
            if (added.covers(name)) {
                return PropertyValue.as(
                        method.getReturnType(),
                        added.get(name),
                        envelope.library().protocol());
            }
        }
        return call(method, received, arguments);
    }

    @Own
    void acknowledge() throws JMSException {
        envelope.acknowledgement().acknowledge(received);
    }

    @Own
    void clearBody() throws JMSException {
        content().clearBody();
        bodyWritable = true;
    }

    @Own
    public <T> @Nullable T getBody(Class<T> asked) throws JMSException {
        return content().getBody(asked);
    }

    @Own
    boolean isBodyAssignableTo(Class<?> asked) throws JMSException {
        return content().isBodyAssignableTo(asked);
    }

    @Own
    void clearProperties() throws JMSException {
        received.clearProperties();
        added = SignetProperties.NONE;
    }

    @Own
    boolean propertyExists(String name) throws JMSException {
        return added.covers(name) ? added.exists(name) : received.propertyExists(name);
    }

    @Own
    Enumeration<?> getPropertyNames() throws JMSException {
        Set<Object> names = new LinkedHashSet<>();
        for (Object name : Collections.list((Enumeration<?>) received.getPropertyNames())) {
            if (!added.covers((String) name)) {
                names.add(name);
            }
        }
        names.addAll(added.names());
        return Collections.enumeration(names);
    }

    @Own
    void setObjectProperty(String name, Object value) throws JMSException {
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

    @Override
    public String toString() {
        return "Received" + type.getSimpleName() + "[" + added + "]";
    }

    /** Converts property values as Jakarta Messaging specifies. */
    private static final class PropertyValue {
        private PropertyValue() {}

        /**
         * Converts a value to the type that an application asked for.
         *
         * @param protocol the protocol of the consumer that received it
         */
        static @Nullable Object as(Class<?> type, @Nullable Object value, ClientProtocol protocol)
                throws MessageFormatException {
            return switch (type.getSimpleName()) {
                case "boolean" -> value instanceof Boolean truth ? truth : Boolean.parseBoolean(text(value, "boolean"));
                case "byte" -> (byte) integer(value, Byte.MIN_VALUE, Byte.MAX_VALUE, "byte");
                case "short" -> (short) integer(value, Short.MIN_VALUE, Short.MAX_VALUE, "short");
                case "int" -> (int) integer(value, Integer.MIN_VALUE, Integer.MAX_VALUE, "int");
                case "long" -> integer(value, Long.MIN_VALUE, Long.MAX_VALUE, "long");
                case "float" -> value instanceof Float number ? number : Float.parseFloat(text(value, "float"));
                case "double" ->
                    value instanceof Float || value instanceof Double
                            ? ((Number) value).doubleValue()
                            : Double.parseDouble(text(value, "double"));
                case "String" -> asString(value, protocol);
                default -> value;
            };
        }

        /** Converts a number to a wider type, and never to a narrower one. */
        private static long integer(@Nullable Object value, long least, long most, String type)
                throws MessageFormatException {
            if (value == null || value instanceof String) {
                long number = Long.parseLong(String.valueOf(value));
                if (number < least || number > most) {
                    throw new NumberFormatException("Value out of range: " + number);
                }
                return number;
            }
            boolean widens = value instanceof Byte
                    || (value instanceof Short && most >= Short.MAX_VALUE)
                    || (value instanceof Integer && most >= Integer.MAX_VALUE)
                    || (value instanceof Long && most == Long.MAX_VALUE);
            if (widens) {
                return ((Number) value).longValue();
            }
            throw notA(type, value);
        }

        /** Returns a text; null for no value, which the parsers of numbers reject. */
        private static @Nullable String text(@Nullable Object value, String type) throws MessageFormatException {
            if (value == null || value instanceof String) {
                return (String) value;
            }
            throw notA(type, value);
        }

        /** Converts a value to a text. Only the ActiveMQ client rejects a character, which is no property type. */
        private static @Nullable String asString(@Nullable Object value, ClientProtocol protocol)
                throws MessageFormatException {
            if (value instanceof byte[] || (value instanceof Character && protocol == ClientProtocol.OPENWIRE)) {
                throw notA("string", value);
            }
            return value == null ? null : value.toString();
        }

        private static MessageFormatException notA(String type, Object value) {
            return new MessageFormatException(
                    "property: not a " + type + " but " + value.getClass().getSimpleName());
        }
    }
}
