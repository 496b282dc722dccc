/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import jakarta.jms.JMSException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.Entity;
import org.signetmq.envelope.OpenedMessage;

/**
 * The properties that a message gets on opening. Names that begin with {@code signet_} are reserved for them: what a
 * producer wrote under such a name is not seen.
 */
final class SignetProperties {
    /** Nothing added, nothing hidden. */
    static final SignetProperties NONE = new SignetProperties(Hidden.NOTHING, Map.of());

    /** Nothing added, reserved names hidden: for a message that was not opened. */
    static final SignetProperties OF_UNOPENED = new SignetProperties(Hidden.RESERVED_NAMES, Map.of());

    private static final String RESERVED = "signet_";

    /** How Artemis shows the content type of an AMQP message to clients of its own protocol. */
    private static final String CONTENT_TYPE = "JMS_AMQP_ContentType";

    private final Hidden hidden;
    private final Map<String, String> values;

    /** Which properties of the message as it arrived are not seen, beside those that have values here. */
    private enum Hidden {
        NOTHING,
        RESERVED_NAMES
    }

    private SignetProperties(Hidden hidden, Map<String, String> values) {
        this.hidden = hidden;
        this.values = values;
    }

    /** Whether the name begins as Signet's do, in any case of its letters. Such names never travel on. */
    static boolean isReserved(String name) {
        return name.regionMatches(true, 0, RESERVED, 0, RESERVED.length());
    }

    static SignetProperties of(OpenedMessage opened, MessageOpening.Request request) throws JMSException {
        Map<String, String> values = new LinkedHashMap<>();
        values.put(SignetConnectionFactory.QUALITY_PROPERTY, opened.quality().label());
        opened.signer().ifPresent(signer -> values.put(SignetConnectionFactory.SIGNER_PROPERTY, signer));
        opened.sender().ifPresent(sender -> values.put(SignetConnectionFactory.SENDER_PROPERTY, sender));
        opened.entityIfProtected()
                .map(Entity::address)
                .filter(address -> isFromElsewhere(address, request.source()))
                .ifPresent(address -> values.put(SignetConnectionFactory.ADDRESS_PROPERTY, address));
        Entity entity = opened.entity();
        String contentType = entity == null ? null : entity.properties().get(BodyDecoder.CONTENT_TYPE);
        if (contentType != null && request.arrived().propertyExists(CONTENT_TYPE)) {
            values.put(CONTENT_TYPE, contentType);
        }
        return new SignetProperties(Hidden.RESERVED_NAMES, values);
    }

    private static boolean isFromElsewhere(String address, Source source) {
        return source.name() != null && !address.equals(source.name());
    }

    /** Whether this name is ours, with or without a value. */
    boolean covers(String name) {
        return values.containsKey(name) || (hidden == Hidden.RESERVED_NAMES && isReserved(name));
    }

    @Nullable
    String get(String name) {
        return values.get(name);
    }

    Collection<String> names() {
        return values.keySet();
    }

    @Override
    public String toString() {
        return values.toString();
    }
}
