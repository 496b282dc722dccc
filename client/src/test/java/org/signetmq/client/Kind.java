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

/** Kinds of bodies, each of any size. */
public enum Kind {
    TEXT {
        @Override
        public Content content(int size) {
            return Content.of(text(size));
        }

        @Override
        public Message message(JMSContext context, int size) {
            return context.createTextMessage(text(size));
        }
    },
    BYTES {
        @Override
        public Content content(int size) {
            return Content.of(bytes(size));
        }

        @Override
        public Message message(JMSContext context, int size) throws JMSException {
            BytesMessage message = context.createBytesMessage();
            message.writeBytes(bytes(size));
            return message;
        }
    },
    MAP {
        @Override
        public Content content(int size) {
            return Content.of(new TreeMap<>(Map.of("bytes", bytes(size), "number", 42, "text", "short")));
        }

        @Override
        public Message message(JMSContext context, int size) throws JMSException {
            MapMessage message = context.createMapMessage();
            message.setBytes("bytes", bytes(size));
            message.setInt("number", 42);
            message.setString("text", "short");
            return message;
        }
    },
    STREAM {
        @Override
        public Content content(int size) {
            return Content.of(new ArrayList<>(List.of(bytes(size), 7L, "short")));
        }

        @Override
        public Message message(JMSContext context, int size) throws JMSException {
            StreamMessage message = context.createStreamMessage();
            message.writeBytes(bytes(size));
            message.writeLong(7L);
            message.writeString("short");
            return message;
        }
    },
    OBJECT {
        @Override
        public Content content(int size) {
            return Content.of(text(size));
        }

        @Override
        public Message message(JMSContext context, int size) {
            return context.createObjectMessage(text(size));
        }
    },
    EMPTY {
        @Override
        public Content content(int size) {
            return Content.of((Object) null);
        }

        @Override
        public Message message(JMSContext context, int size) {
            return context.createMessage();
        }
    };

    private static final String WORDS = "Grüße an alle Welt, 世界, 0123456789; ";

    /** Its content. */
    public abstract Content content(int size);

    /** A message that says it. */
    public abstract Message message(JMSContext context, int size) throws JMSException;

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
