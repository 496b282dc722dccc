/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import jakarta.jms.JMSException;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.Entity;
import org.signetmq.envelope.OpenedMessage;

/** The properties that a message gets on opening. Whatever a producer wrote under these names is not seen. */
final class SignetProperties {
    /** Nothing added, nothing hidden. */
    static final SignetProperties NONE = new SignetProperties(Set.of(), Map.of());

    /** Names that never travel on. */
    static final Set<String> OURS = Set.of(
            SignetConnectionFactory.QUALITY_PROPERTY,
            SignetConnectionFactory.SIGNER_PROPERTY,
            SignetConnectionFactory.SENDER_PROPERTY,
            SignetConnectionFactory.ADDRESS_PROPERTY);

    /** How Artemis shows the content type of an AMQP message to clients of its own protocol. */
    private static final String CONTENT_TYPE = "JMS_AMQP_ContentType";

    private final Set<String> covered;
    private final Map<String, String> values;

    private SignetProperties(Set<String> covered, Map<String, String> values) {
        this.covered = covered;
        this.values = values;
    }

    static SignetProperties of(OpenedMessage opened, MessageOpening.Request request) throws JMSException {
        Set<String> covered = OURS;
        Map<String, String> values = new LinkedHashMap<>();
        values.put(SignetConnectionFactory.QUALITY_PROPERTY, opened.quality().label());
        opened.signer().ifPresent(signer -> values.put(SignetConnectionFactory.SIGNER_PROPERTY, signer));
        opened.entityIfProtected()
                .flatMap(Entity::sender)
                .ifPresent(sender -> values.put(SignetConnectionFactory.SENDER_PROPERTY, sender));
        opened.entityIfProtected()
                .map(Entity::address)
                .filter(address -> isFromElsewhere(address, request.source()))
                .ifPresent(address -> values.put(SignetConnectionFactory.ADDRESS_PROPERTY, address));
        Entity entity = opened.entity();
        String contentType = entity == null ? null : entity.properties().get(BodyDecoder.CONTENT_TYPE);
        if (contentType != null && request.arrived().propertyExists(CONTENT_TYPE)) {
            covered = new HashSet<>(OURS);
            covered.add(CONTENT_TYPE);
            values.put(CONTENT_TYPE, contentType);
        }
        return new SignetProperties(covered, values);
    }

    private static boolean isFromElsewhere(String address, Source source) {
        return source.name() != null && !address.equals(source.name());
    }

    /** Whether this name is ours, with or without a value. */
    boolean covers(String name) {
        return covered.contains(name);
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
