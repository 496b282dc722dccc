/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.message;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The kind of a payload, from which a consumer rebuilds the message. The header line Signet-Body carries it. */
public enum BodyKind {
    /** Text as UTF-8. */
    JMS_TEXT("jms/text"),
    /** A text message without a text; empty payload. */
    JMS_TEXT_NULL("jms/text-null"),
    /** Text that UTF-8 cannot carry (lone surrogates), as UTF-16 big endian. */
    JMS_TEXT_UTF16("jms/text-utf16"),
    /** Bytes as they are. */
    JMS_BYTES("jms/bytes"),
    /** Named values in Artemis's encoding of typed properties. */
    JMS_MAP("jms/map"),
    /** Typed items in Artemis's encoding. */
    JMS_STREAM("jms/stream"),
    /** A serialised Java object, without length; empty for null. */
    JMS_OBJECT("jms/object"),
    /** The body of an Artemis Core text message that is not encoded as one, as it is. */
    JMS_TEXT_CORE("jms/text-core"),
    /** The body of an Artemis Core object message that is not encoded as one, as it is. */
    JMS_OBJECT_CORE("jms/object-core"),
    /** A message without body; empty payload. */
    JMS_EMPTY("jms/empty"),
    /** The body sections and the footer of an AMQP 1.0 message (section 3.2) as they are. */
    AMQP_SECTIONS("amqp/sections"),
    /** The payload of an MQTT message as it is. */
    MQTT("mqtt"),
    /** Bytes that belong to no messaging system. */
    BYTES("bytes");

    private static final Map<String, BodyKind> BY_WIRE_NAME =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(BodyKind::wireName, kind -> kind));

    private final String wireName;

    BodyKind(String wireName) {
        this.wireName = wireName;
    }

    /** The value of Signet-Body. */
    public String wireName() {
        return wireName;
    }

    /** The kind with this {@link #wireName()}. */
    public static Optional<BodyKind> named(String wireName) {
        return Optional.ofNullable(BY_WIRE_NAME.get(wireName));
    }
}
