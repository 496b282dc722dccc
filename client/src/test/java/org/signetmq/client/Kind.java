/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.StreamMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Kinds of bodies, each of any size. */
public enum Kind {
    TEXT,
    BYTES,
    MAP,
    STREAM,
    OBJECT,
    EMPTY;

    private static final String WORDS = "Grüße an alle Welt, 世界, 0123456789; ";

    /** Its content. */
    public @Nullable Object content(int size) {
        return switch (this) {
            case TEXT, OBJECT -> text(size);
            case BYTES -> bytes(size);
            case MAP -> new TreeMap<>(Map.of("bytes", bytes(size), "number", 42, "text", "short"));
            case STREAM -> new ArrayList<>(List.of(bytes(size), 7L, "short"));
            case EMPTY -> null;
        };
    }

    /** A message that says it. */
    public Message message(JMSContext context, int size) throws JMSException {
        return switch (this) {
            case TEXT -> context.createTextMessage(text(size));
            case BYTES -> {
                BytesMessage bytes = context.createBytesMessage();
                bytes.writeBytes(bytes(size));
                yield bytes;
            }
            case MAP -> {
                MapMessage map = context.createMapMessage();
                map.setBytes("bytes", bytes(size));
                map.setInt("number", 42);
                map.setString("text", "short");
                yield map;
            }
            case STREAM -> {
                StreamMessage stream = context.createStreamMessage();
                stream.writeBytes(bytes(size));
                stream.writeLong(7L);
                stream.writeString("short");
                yield stream;
            }
            case OBJECT -> context.createObjectMessage(text(size));
            case EMPTY -> context.createMessage();
        };
    }

    /** A text of this many bytes in UTF-8. */
    static String text(int size) {
        int length = WORDS.getBytes(UTF_8).length;
        return WORDS.repeat(size / length) + "x".repeat(size % length);
    }

    /** The same ones for the same size. */
    static byte[] bytes(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }
}
