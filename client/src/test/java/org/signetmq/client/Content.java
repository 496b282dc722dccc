/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageEOFException;
import jakarta.jms.ObjectMessage;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.io.ByteArrayInputStream;
import java.io.ObjectInputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.body.Body;
import org.signetmq.client.internal.body.BodyDecoder;
import org.signetmq.client.internal.provider.ClientLibrary.ClientProtocol;
import org.signetmq.envelope.message.OpenedMessage;

/**
 * The content of a message, the same for all libraries and protocols.
 *
 * @param value a text, bytes, a map, a list of items, an object; empty where there is no body
 */
public record Content(Optional<Object> value) {
    private static final Content NOTHING = new Content(Optional.empty());

    static Content of(@Nullable Object value) {
        return value == null ? NOTHING : new Content(Optional.of(value));
    }

    /** The content that an application gets from a library that opens. */
    static Content of(Message message) throws JMSException {
        if (message instanceof TextMessage text) {
            return of(text.getText());
        } else if (message instanceof BytesMessage bytes) {
            byte[] body = new byte[(int) bytes.getBodyLength()];
            bytes.readBytes(body);
            return of(body);
        } else if (message instanceof MapMessage map) {
            Map<String, @Nullable Object> values = new TreeMap<>();
            for (Object name : Collections.list((Enumeration<?>) map.getMapNames())) {
                values.put((String) name, map.getObject((String) name));
            }
            return of(values);
        } else if (message instanceof StreamMessage stream) {
            return of(items(stream));
        } else if (message instanceof ObjectMessage object) {
            return of(object.getObject());
        }
        return NOTHING;
    }

    private static List<Object> items(StreamMessage stream) throws JMSException {
        List<Object> items = new ArrayList<>();
        try {
            while (true) {
                items.add(stream.readObject());
            }
        } catch (MessageEOFException end) {
            return items;
        }
    }

    /** The content that an application finds when it opens bytes itself. */
    static Content of(OpenedMessage opened) throws Exception {
        Body body = BodyDecoder.decode(opened.entityIfProtected().orElseThrow(), opened.payload(), ClientProtocol.AMQP)
                .body();
        if (body instanceof Body.Text text) {
            return of(text.text());
        } else if (body instanceof Body.Bytes bytes) {
            return of(bytes.bytes());
        } else if (body instanceof Body.Named named) {
            return of(new TreeMap<>(named.values()));
        } else if (body instanceof Body.Items items) {
            return of(items.items());
        } else if (body instanceof Body.Serialized object) {
            try (ObjectInputStream stream =
                    new ObjectInputStream(new ByteArrayInputStream(java.util.Objects.requireNonNull(object.bytes())))) {
                return of(stream.readObject());
            }
        }
        return NOTHING;
    }

    /** Arrays and all; without printing megabytes. */
    void assertSameAs(Content sent, String where) {
        assertThat(value.map(Object::getClass).map(Class::getSimpleName))
                .as(where)
                .isEqualTo(sent.value.map(Object::getClass).map(Class::getSimpleName));
        assertThat(java.util.Objects.deepEquals(comparable(this), comparable(sent)))
                .as(where)
                .isTrue();
    }

    /** Arrays all the way down: maps and lists compare byte arrays by identity. */
    private static Object comparable(Content content) {
        Object value = content.value.orElse("");
        if (value instanceof Map<?, ?> map) {
            return new Object[] {map.keySet().toArray(), map.values().toArray()};
        }
        return value instanceof List<?> list ? list.toArray() : value;
    }
}
