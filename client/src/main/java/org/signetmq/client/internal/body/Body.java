/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.body;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A decoded body. */
public sealed interface Body {
    /** No body: a message of headers and properties. */
    record Empty() implements Body {}

    /** A text, or the null of a text message without one. */
    record Text(@Nullable String text) implements Body {}

    /** Bytes. */
    record Bytes(byte[] bytes) implements Body {}

    /** Named values of any AMQP or Core type. */
    record Named(Map<String, @Nullable Object> values) implements Body {}

    /**
     * Items in order, of any AMQP or Core type.
     *
     * @param encoded the items in the encoding of Artemis Core, with the unknown type of the next one, which cannot be
     *     read; null if these items are all
     */
    record Items(List<@Nullable Object> items, byte @Nullable [] encoded) implements Body {
        /** Items that are the whole body. */
        public Items(List<@Nullable Object> items) {
            this(items, null);
        }
    }

    /**
     * A serialised Java object. The provider decides whether its classes may be loaded.
     *
     * @param bytes null for no object; may be no valid serialisation
     */
    record Serialized(byte @Nullable [] bytes) implements Body {
        static final Serialized NOTHING = new Serialized(null);
    }

    /** A value that no Java serialisation made, such as an AMQP map. */
    record Typed(Object value) implements Body {}

    /** Returns whether map and stream messages of Jakarta Messaging accept this value. */
    static boolean isPrimitive(@Nullable Object value) {
        return value == null
                || value instanceof String
                || value instanceof Boolean
                || value instanceof Character
                || value instanceof Byte
                || value instanceof Short
                || value instanceof Integer
                || value instanceof Long
                || value instanceof Float
                || value instanceof Double
                || value instanceof byte[];
    }
}
