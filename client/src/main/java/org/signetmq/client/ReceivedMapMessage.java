/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import java.util.Enumeration;

/** A received map. */
final class ReceivedMapMessage extends ReceivedMessage implements MapMessage {
    private final MapMessage content;

    ReceivedMapMessage(Arrival arrival, MapMessage content) {
        super(arrival, content);
        this.content = content;
    }

    @Override
    public boolean getBoolean(String name) throws JMSException {
        return content.getBoolean(name);
    }

    @Override
    public byte getByte(String name) throws JMSException {
        return content.getByte(name);
    }

    @Override
    public short getShort(String name) throws JMSException {
        return content.getShort(name);
    }

    @Override
    public char getChar(String name) throws JMSException {
        return content.getChar(name);
    }

    @Override
    public int getInt(String name) throws JMSException {
        return content.getInt(name);
    }

    @Override
    public long getLong(String name) throws JMSException {
        return content.getLong(name);
    }

    @Override
    public float getFloat(String name) throws JMSException {
        return content.getFloat(name);
    }

    @Override
    public double getDouble(String name) throws JMSException {
        return content.getDouble(name);
    }

    @Override
    public String getString(String name) throws JMSException {
        return content.getString(name);
    }

    @Override
    public byte[] getBytes(String name) throws JMSException {
        return content.getBytes(name);
    }

    @Override
    public Object getObject(String name) throws JMSException {
        return content.getObject(name);
    }

    @Override
    public Enumeration<?> getMapNames() throws JMSException {
        return content.getMapNames();
    }

    @Override
    public void setBoolean(String name, boolean value) throws JMSException {
        checkBodyWritable();
        content.setBoolean(name, value);
    }

    @Override
    public void setByte(String name, byte value) throws JMSException {
        checkBodyWritable();
        content.setByte(name, value);
    }

    @Override
    public void setShort(String name, short value) throws JMSException {
        checkBodyWritable();
        content.setShort(name, value);
    }

    @Override
    public void setChar(String name, char value) throws JMSException {
        checkBodyWritable();
        content.setChar(name, value);
    }

    @Override
    public void setInt(String name, int value) throws JMSException {
        checkBodyWritable();
        content.setInt(name, value);
    }

    @Override
    public void setLong(String name, long value) throws JMSException {
        checkBodyWritable();
        content.setLong(name, value);
    }

    @Override
    public void setFloat(String name, float value) throws JMSException {
        checkBodyWritable();
        content.setFloat(name, value);
    }

    @Override
    public void setDouble(String name, double value) throws JMSException {
        checkBodyWritable();
        content.setDouble(name, value);
    }

    @Override
    public void setString(String name, String value) throws JMSException {
        checkBodyWritable();
        content.setString(name, value);
    }

    @Override
    public void setBytes(String name, byte[] bytes) throws JMSException {
        checkBodyWritable();
        content.setBytes(name, bytes);
    }

    @Override
    public void setBytes(String name, byte[] bytes, int offset, int length) throws JMSException {
        checkBodyWritable();
        content.setBytes(name, bytes, offset, length);
    }

    @Override
    public void setObject(String name, Object value) throws JMSException {
        checkBodyWritable();
        content.setObject(name, value);
    }

    @Override
    public boolean itemExists(String name) throws JMSException {
        return content.itemExists(name);
    }
}
