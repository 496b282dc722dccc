/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.body;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.Map;
import org.apache.activemq.artemis.api.core.ActiveMQBuffer;
import org.apache.activemq.artemis.api.core.ActiveMQBuffers;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.utils.DataConstants;
import org.apache.activemq.artemis.utils.collections.TypedProperties;
import org.jspecify.annotations.Nullable;

/** Map and stream bodies as Artemis's own code encodes them. */
public final class CoreBodies {
    private CoreBodies() {}

    public static byte[] map(Map<String, @Nullable Object> values) {
        TypedProperties properties = new TypedProperties();
        values.forEach((name, value) -> TypedProperties.setObjectProperty(SimpleString.of(name), value, properties));
        ByteBuf buffer = Unpooled.buffer();
        properties.encode(buffer);
        byte[] bytes = new byte[buffer.readableBytes()];
        buffer.readBytes(bytes);
        return bytes;
    }

    /** As the client's stream message writes it: a type, then the buffer's form of the value. */
    public static byte[] stream(List<@Nullable Object> items) {
        ActiveMQBuffer buffer = ActiveMQBuffers.dynamicBuffer(64);
        items.forEach(item -> write(buffer, item));
        byte[] bytes = new byte[buffer.readableBytes()];
        buffer.readBytes(bytes);
        return bytes;
    }

    private static void write(ActiveMQBuffer buffer, @Nullable Object item) {
        if (item == null || item instanceof String) {
            buffer.writeByte(DataConstants.STRING);
            buffer.writeNullableString((String) item);
        } else if (item instanceof Boolean value) {
            buffer.writeByte(DataConstants.BOOLEAN);
            buffer.writeBoolean(value);
        } else if (item instanceof Byte value) {
            buffer.writeByte(DataConstants.BYTE);
            buffer.writeByte(value);
        } else if (item instanceof Short value) {
            buffer.writeByte(DataConstants.SHORT);
            buffer.writeShort(value);
        } else if (item instanceof Character value) {
            buffer.writeByte(DataConstants.CHAR);
            buffer.writeShort((short) value.charValue());
        } else if (item instanceof Integer value) {
            buffer.writeByte(DataConstants.INT);
            buffer.writeInt(value);
        } else if (item instanceof Long value) {
            buffer.writeByte(DataConstants.LONG);
            buffer.writeLong(value);
        } else if (item instanceof Float value) {
            buffer.writeByte(DataConstants.FLOAT);
            buffer.writeInt(Float.floatToIntBits(value));
        } else if (item instanceof Double value) {
            buffer.writeByte(DataConstants.DOUBLE);
            buffer.writeLong(Double.doubleToLongBits(value));
        } else {
            byte[] value = (byte[]) item;
            buffer.writeByte(DataConstants.BYTES);
            buffer.writeInt(value.length);
            buffer.writeBytes(value);
        }
    }
}
