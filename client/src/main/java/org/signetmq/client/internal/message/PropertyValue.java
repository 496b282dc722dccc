/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.message;

import jakarta.jms.MessageFormatException;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.provider.ClientLibrary.ClientProtocol;

/** Converts property values as Jakarta Messaging specifies. */
final class PropertyValue {
    private PropertyValue() {}

    /**
     * Converts a value to the type that an application asked for.
     *
     * @param protocol the protocol of the consumer that received it
     */
    static @Nullable Object as(Class<?> type, @Nullable Object value, ClientProtocol protocol)
            throws MessageFormatException {
        return switch (type.getSimpleName()) {
            case "boolean" -> asBoolean(value);
            case "byte" -> (byte) integer(value, Byte.MIN_VALUE, Byte.MAX_VALUE, "byte");
            case "short" -> (short) integer(value, Short.MIN_VALUE, Short.MAX_VALUE, "short");
            case "int" -> (int) integer(value, Integer.MIN_VALUE, Integer.MAX_VALUE, "int");
            case "long" -> integer(value, Long.MIN_VALUE, Long.MAX_VALUE, "long");
            case "float" -> value instanceof Float number ? number : Float.parseFloat(text(value, "float"));
            case "double" -> asDouble(value);
            case "String" -> asString(value, protocol);
            default -> value;
        };
    }

    private static boolean asBoolean(@Nullable Object value) throws MessageFormatException {
        if (value == null || value instanceof String) {
            return Boolean.parseBoolean((String) value);
        }
        if (value instanceof Boolean truth) {
            return truth;
        }
        throw notA("boolean", value);
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

    private static double asDouble(@Nullable Object value) throws MessageFormatException {
        if (value instanceof Float || value instanceof Double) {
            return ((Number) value).doubleValue();
        }
        return Double.parseDouble(text(value, "double"));
    }

    private static String text(@Nullable Object value, String type) throws MessageFormatException {
        if (value == null) {
            throw new NullPointerException(type);
        }
        if (value instanceof String text) {
            return text;
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
