/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.BodyDecoder.Decoded;
import org.signetmq.envelope.Entity;
import org.signetmq.envelope.OpenedMessage;

/**
 * The properties that a message gets on opening. Names that begin with {@code signet_} are reserved for Signet's own:
 * what a producer wrote under such a name is not seen.
 */
final class SignetProperties {
    /** Nothing added, nothing hidden. */
    static final SignetProperties NONE = new SignetProperties(Hidden.NOTHING, Map.of(), null);

    /** Nothing added, reserved names hidden: for a message that was not opened. */
    static final SignetProperties OF_UNOPENED = new SignetProperties(Hidden.RESERVED_NAMES, Map.of(), null);

    private static final String RESERVED = "signet_";

    private final Hidden hidden;
    private final Map<String, String> values;
    private final @Nullable RestoredProperties restored;

    /** Which properties of the message as it arrived are not seen, beside those that have values here. */
    private enum Hidden {
        NOTHING,
        RESERVED_NAMES
    }

    private SignetProperties(Hidden hidden, Map<String, String> values, @Nullable RestoredProperties restored) {
        this.hidden = hidden;
        this.values = values;
        this.restored = restored;
    }

    /** Whether the name begins as Signet's do, in any case of its letters. Such names never travel on. */
    static boolean isReserved(String name) {
        return name.regionMatches(true, 0, RESERVED, 0, RESERVED.length());
    }

    /**
     * Those of a message that may be handed on.
     *
     * @param decoded its payload; null if that is bytes that nobody has read yet
     */
    static SignetProperties of(OpenedMessage opened, @Nullable Decoded decoded, MessageOpening.Request request)
            throws JMSException {
        Map<String, String> values = new LinkedHashMap<>();
        values.put(SignetConnectionFactory.QUALITY_PROPERTY, opened.quality().label());
        opened.signer().ifPresent(signer -> values.put(SignetConnectionFactory.SIGNER_PROPERTY, signer));
        opened.sender().ifPresent(sender -> values.put(SignetConnectionFactory.SENDER_PROPERTY, sender));
        opened.entityIfProtected()
                .map(Entity::address)
                .filter(address -> isFromElsewhere(address, request.source()))
                .ifPresent(address -> values.put(SignetConnectionFactory.ADDRESS_PROPERTY, address));
        Entity entity = opened.entity();
        RestoredProperties restored = entity == null ? null : RestoredProperties.of(entity, decoded, request.arrived());
        return new SignetProperties(Hidden.RESERVED_NAMES, values, restored);
    }

    private static boolean isFromElsewhere(String address, Source source) {
        return source.name() != null && !address.equals(source.name());
    }

    /** Whether this name is ours, with or without a value. */
    boolean covers(String name) {
        return values.containsKey(name)
                || (restored != null && restored.covers(name))
                || (hidden == Hidden.RESERVED_NAMES && isReserved(name));
    }

    boolean exists(String name) {
        return values.containsKey(name) || (restored != null && restored.exists(name));
    }

    @Nullable
    Object get(String name) {
        String value = values.get(name);
        return value == null && restored != null ? restored.get(name) : value;
    }

    Collection<String> names() {
        List<String> names = new ArrayList<>(values.keySet());
        if (restored != null) {
            names.addAll(restored.names());
        }
        return names;
    }

    @Override
    public String toString() {
        return values.toString();
    }
}
