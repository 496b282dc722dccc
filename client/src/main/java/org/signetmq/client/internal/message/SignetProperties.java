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
import org.signetmq.client.internal.provider.ClientLibrary.ArrivedMessage;
import org.signetmq.envelope.message.Entity;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.envelope.message.VerifiedSigner;

/**
 * The properties that a message gets on opening. Names that begin with {@code JMS_Signet_}, or with {@code signet_},
 * belong to Signet. A producer's value under such a name is hidden.
 */
public final class SignetProperties {
    public static final String QUALITY = "JMS_Signet_Quality";
    public static final String SIGNER = "JMS_Signet_Signer";
    public static final String SENDER = "JMS_Signet_Sender";
    public static final String ADDRESS = "JMS_Signet_Address";

    /** Adds and hides no property. */
    public static final SignetProperties NONE = new SignetProperties(Hidden.NOTHING, Values.NONE, null);

    /** Hides the reserved names, for a message that was not opened or that no policy covers. */
    public static final SignetProperties HIDING = new SignetProperties(Hidden.RESERVED_NAMES, Values.NONE, null);

    private static final List<String> RESERVED = List.of("JMS_Signet_", "signet_");

    private final Hidden hidden;
    private final Values values;
    private final @Nullable RestoredProperties restored;

    /** The properties of the arrived message that are hidden, besides those with values here. */
    private enum Hidden {
        NOTHING,
        RESERVED_NAMES
    }

    /** The values under reserved names; null where the message has none. Few messages are asked for more than one. */
    private record Values(
            @Nullable String quality,
            @Nullable String signer,
            @Nullable String sender,
            @Nullable String address) {
        static final Values NONE = new Values(null, null, null, null);

        @Nullable
        String get(String name) {
            return switch (name) {
                case QUALITY -> quality;
                case SIGNER -> signer;
                case SENDER -> sender;
                case ADDRESS -> address;
                default -> null;
            };
        }

        /** Returns the values by name, in the order of the names here. */
        Map<String, String> all() {
            Map<String, String> all = new LinkedHashMap<>();
            for (String name : List.of(QUALITY, SIGNER, SENDER, ADDRESS)) {
                String value = get(name);
                if (value != null) {
                    all.put(name, value);
                }
            }
            return all;
        }
    }

    private SignetProperties(Hidden hidden, Values values, @Nullable RestoredProperties restored) {
        this.hidden = hidden;
        this.values = values;
        this.restored = restored;
    }

    /** Returns whether the name is reserved, in upper or lower case. Such properties are never sent again. */
    static boolean isReserved(String name) {
        return RESERVED.stream().anyMatch(prefix -> name.regionMatches(true, 0, prefix, 0, prefix.length()));
    }

    /**
     * Returns the properties of an opened message.
     *
     * @param decoded its decoded payload; null for bytes that are not read yet
     * @param receivedFrom the consumer's single address; null for one with wildcards or an unknown one
     */
    public static SignetProperties of(
            OpenedMessage opened, @Nullable Decoded decoded, ArrivedMessage arrived, @Nullable String receivedFrom)
            throws JMSException {
        Entity entity = opened.entity();
        VerifiedSigner signer = opened.verifiedSigner();
        Values values = new Values(
                opened.quality().label(),
                signer == null ? null : signer.name(),
                opened.provedSender(),
                otherAddress(entity, receivedFrom));
        RestoredProperties restored = entity == null ? null : RestoredProperties.of(entity, decoded, arrived);
        return new SignetProperties(Hidden.RESERVED_NAMES, values, restored);
    }

    /** Returns the address inside the envelope if it differs from the consumer's single address; else null. */
    private static @Nullable String otherAddress(@Nullable Entity entity, @Nullable String receivedFrom) {
        return entity == null || receivedFrom == null || entity.address().equals(receivedFrom)
                ? null
                : entity.address();
    }

    /** Returns whether this class decides about the name, with or without a value. */
    boolean covers(String name) throws JMSException {
        return (hidden == Hidden.RESERVED_NAMES && isReserved(name)) || (restored != null && restored.covers(name));
    }

    boolean exists(String name) throws JMSException {
        return values.get(name) != null || (restored != null && restored.exists(name));
    }

    @Nullable
    Object get(String name) throws JMSException {
        String value = values.get(name);
        return value == null && restored != null ? restored.get(name) : value;
    }

    Collection<String> names() throws JMSException {
        List<String> names = new ArrayList<>(values.all().keySet());
        if (restored != null) {
            names.addAll(restored.names());
        }
        return names;
    }

    @Override
    public String toString() {
        return values.all().toString();
    }
}
