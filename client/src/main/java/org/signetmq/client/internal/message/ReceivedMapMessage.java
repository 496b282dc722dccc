/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.message;

import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.MessageFormatException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A received map message. */
final class ReceivedMapMessage extends ReceivedMessage implements MapMessage {
    private final MapMessage content;
    private final Map<String, Object> beside;

    ReceivedMapMessage(ReceivedEnvelope envelope, MapMessage content) {
        this(envelope, content, Map.of());
    }

    /**
     * Makes a map message.
     *
     * @param beside values that the content cannot hold
     */
    ReceivedMapMessage(ReceivedEnvelope envelope, MapMessage content, Map<String, Object> beside) {
        super(envelope, content);
        this.content = content;
        this.beside = new LinkedHashMap<>(beside);
    }

    @Override
    void completeContent() throws JMSException {
        if (!beside.isEmpty()) {
            throw new MessageFormatException("body: has values that a map message to be sent cannot hold");
        }
    }

    @Override
    public void clearBody() throws JMSException {
        super.clearBody();
        beside.clear();
    }

    @Override
    @SuppressWarnings("unchecked") // the requested type is a supertype of Map
    public <T> T getBody(Class<T> type) throws JMSException {
        if (beside.isEmpty()) {
            return super.getBody(type);
        }
        if (!isAMap(type)) {
            throw new MessageFormatException("body: a map, not " + type.getName());
        }
        Map<String, Object> all = new LinkedHashMap<>(beside);
        if (content.getMapNames().hasMoreElements()) {
            all.putAll((Map<String, Object>) content.getBody(Map.class));
        }
        return (T) all;
    }

    @Override
    @SuppressWarnings("rawtypes") // as the interface declares
    public boolean isBodyAssignableTo(Class type) throws JMSException {
        return beside.isEmpty() ? super.isBodyAssignableTo(type) : isAMap(type);
    }

    private static boolean isAMap(Class<?> type) {
        return type.isAssignableFrom(Map.class);
    }

    /** Returns the name; throws if the content cannot hold the value of this name. */
    private String inContent(String name) throws JMSException {
        if (beside.containsKey(name)) {
            throw new MessageFormatException("value: must be read as an object of "
                    + Objects.requireNonNull(beside.get(name)).getClass().getName());
        }
        return name;
    }

    @Override
    public boolean getBoolean(String name) throws JMSException {
        return content.getBoolean(inContent(name));
    }

    @Override
    public byte getByte(String name) throws JMSException {
        return content.getByte(inContent(name));
    }

    @Override
    public short getShort(String name) throws JMSException {
        return content.getShort(inContent(name));
    }

    @Override
    public char getChar(String name) throws JMSException {
        return content.getChar(inContent(name));
    }

    @Override
    public int getInt(String name) throws JMSException {
        return content.getInt(inContent(name));
    }

    @Override
    public long getLong(String name) throws JMSException {
        return content.getLong(inContent(name));
    }

    @Override
    public float getFloat(String name) throws JMSException {
        return content.getFloat(inContent(name));
    }

    @Override
    public double getDouble(String name) throws JMSException {
        return content.getDouble(inContent(name));
    }

    @Override
    public String getString(String name) throws JMSException {
        Object value = beside.get(name);
        return value == null ? content.getString(name) : value.toString();
    }

    @Override
    public byte[] getBytes(String name) throws JMSException {
        return content.getBytes(inContent(name));
    }

    @Override
    public Object getObject(String name) throws JMSException {
        Object value = beside.get(name);
        return value == null ? content.getObject(name) : value;
    }

    @Override
    public Enumeration<?> getMapNames() throws JMSException {
        if (beside.isEmpty()) {
            return content.getMapNames();
        }
        List<Object> names = new ArrayList<>(beside.keySet());
        names.addAll(Collections.list((Enumeration<?>) content.getMapNames()));
        return Collections.enumeration(names);
    }

    private MapMessage writable() throws JMSException {
        checkBodyWritable();
        return content;
    }

    @Override
    public void setBoolean(String name, boolean value) throws JMSException {
        writable().setBoolean(name, value);
    }

    @Override
    public void setByte(String name, byte value) throws JMSException {
        writable().setByte(name, value);
    }

    @Override
    public void setShort(String name, short value) throws JMSException {
        writable().setShort(name, value);
    }

    @Override
    public void setChar(String name, char value) throws JMSException {
        writable().setChar(name, value);
    }

    @Override
    public void setInt(String name, int value) throws JMSException {
        writable().setInt(name, value);
    }

    @Override
    public void setLong(String name, long value) throws JMSException {
        writable().setLong(name, value);
    }

    @Override
    public void setFloat(String name, float value) throws JMSException {
        writable().setFloat(name, value);
    }

    @Override
    public void setDouble(String name, double value) throws JMSException {
        writable().setDouble(name, value);
    }

    @Override
    public void setString(String name, String value) throws JMSException {
        writable().setString(name, value);
    }

    @Override
    public void setBytes(String name, byte[] bytes) throws JMSException {
        writable().setBytes(name, bytes);
    }

    @Override
    public void setBytes(String name, byte[] bytes, int offset, int length) throws JMSException {
        writable().setBytes(name, bytes, offset, length);
    }

    @Override
    public void setObject(String name, Object value) throws JMSException {
        writable().setObject(name, value);
    }

    @Override
    public boolean itemExists(String name) throws JMSException {
        return beside.containsKey(name) || content.itemExists(name);
    }
}
