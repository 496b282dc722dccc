/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.message;

import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.MessageFormatException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A received map message. */
final class ReceivedMapMessage extends ReceivedMessage {
    private final MapMessage content;
    private final Map<String, Object> beside;

    /**
     * Makes a map message.
     *
     * @param beside values that the content cannot hold
     */
    ReceivedMapMessage(Envelope envelope, MapMessage content, Map<String, Object> beside) {
        super(envelope, MapMessage.class, content);
        this.content = content;
        this.beside = new LinkedHashMap<>(beside);
    }

    @Override
    void completeContent() throws JMSException {
        if (!beside.isEmpty()) {
            throw new MessageFormatException("body: has values that a map message to be sent cannot hold");
        }
    }

    /** Writes only into a cleared body, and reads only what the content can hold. */
    @Override
    protected @Nullable Object other(Method method, @Nullable Object[] arguments) throws JMSException {
        if (method.getDeclaringClass() == MapMessage.class) {
            Object value = beside.get(arguments[0]);
            if (method.getName().startsWith("set")) {
                checkBodyWritable();
            } else if (value != null) {
                throw new MessageFormatException("value: must be read as an object of "
                        + value.getClass().getName());
            }
        }
        return super.other(method, arguments);
    }

    @Override
    void clearBody() throws JMSException {
        super.clearBody();
        beside.clear();
    }

    @Override
    @SuppressWarnings("unchecked") // the requested type is a supertype of Map
    public <T> @Nullable T getBody(Class<T> type) throws JMSException {
        if (beside.isEmpty()) {
            return super.getBody(type);
        }
        if (!type.isAssignableFrom(Map.class)) {
            throw new MessageFormatException("body: a map, not " + type.getName());
        }
        Map<String, Object> all = new LinkedHashMap<>(beside);
        if (content.getMapNames().hasMoreElements()) {
            all.putAll((Map<String, Object>) content.getBody(Map.class));
        }
        return (T) all;
    }

    @Override
    boolean isBodyAssignableTo(Class<?> type) throws JMSException {
        return beside.isEmpty() ? super.isBodyAssignableTo(type) : type.isAssignableFrom(Map.class);
    }

    @Own
    String getString(String name) throws JMSException {
        Object value = beside.get(name);
        return value == null ? content.getString(name) : value.toString();
    }

    @Own
    Object getObject(String name) throws JMSException {
        Object value = beside.get(name);
        return value == null ? content.getObject(name) : value;
    }

    @Own
    Enumeration<?> getMapNames() throws JMSException {
        List<Object> names = new ArrayList<>(beside.keySet());
        names.addAll(Collections.list((Enumeration<?>) content.getMapNames()));
        return Collections.enumeration(names);
    }

    @Own
    boolean itemExists(String name) throws JMSException {
        return beside.containsKey(name) || content.itemExists(name);
    }
}
