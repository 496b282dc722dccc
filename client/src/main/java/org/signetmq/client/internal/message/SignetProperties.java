/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.message;

import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.body.BodyDecoder.Decoded;
import org.signetmq.client.internal.provider.ArrivedMessage;
import org.signetmq.envelope.message.Entity;
import org.signetmq.envelope.message.OpenedMessage;

/**
 * The properties that a message gets on opening. Names that begin with {@code signet_} belong to Signet. A producer's
 * value under such a name is hidden.
 */
public final class SignetProperties {
    public static final String QUALITY = "signet_quality";
    public static final String SIGNER = "signet_signer";
    public static final String SENDER = "signet_sender";
    public static final String ADDRESS = "signet_address";

    /** Nothing added, nothing hidden. */
    public static final SignetProperties NONE = new SignetProperties(Hidden.NOTHING, Map.of(), null);

    /** Nothing added, reserved names hidden: for a message that was not opened. */
    public static final SignetProperties OF_UNOPENED = new SignetProperties(Hidden.RESERVED_NAMES, Map.of(), null);

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
     * @param decoded its payload; null if that is bytes that are not read yet
     * @param receivedFrom the one address that the consumer names; null for a pattern or where it is not known
     */
    public static SignetProperties of(
            OpenedMessage opened, @Nullable Decoded decoded, ArrivedMessage arrived, @Nullable String receivedFrom)
            throws JMSException {
        Map<String, String> values = new LinkedHashMap<>();
        values.put(QUALITY, opened.quality().label());
        opened.signer().ifPresent(signer -> values.put(SIGNER, signer));
        opened.sender().ifPresent(sender -> values.put(SENDER, sender));
        opened.entityIfProtected()
                .map(Entity::address)
                .filter(address -> receivedFrom != null && !address.equals(receivedFrom))
                .ifPresent(address -> values.put(ADDRESS, address));
        Entity entity = opened.entity();
        RestoredProperties restored = entity == null ? null : RestoredProperties.of(entity, decoded, arrived);
        return new SignetProperties(Hidden.RESERVED_NAMES, values, restored);
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
