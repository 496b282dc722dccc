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
import org.signetmq.envelope.message.OpenedMessage.VerifiedSigner;

/**
 * The properties that a message gets on opening. Names that begin with {@code JMS_Signet_}, or with {@code signet_},
 * belong to Signet. A producer's value under such a name is hidden.
 */
public final class SignetProperties {
    public static final String QUALITY = "JMS_Signet_Quality";
    public static final String SIGNER = "JMS_Signet_Signer";
    public static final String PROOF = "JMS_Signet_Proof";
    public static final String SENDER = "JMS_Signet_Sender";
    public static final String ADDRESS = "JMS_Signet_Address";

    /** Adds and hides no property. */
    public static final SignetProperties NONE = new SignetProperties(false, Map.of(), null);

    /** Hides the reserved names, for a message that was not opened or that no policy covers. */
    public static final SignetProperties HIDING = new SignetProperties(true, Map.of(), null);

    private static final String RESERVED = "JMS_Signet_";
    private static final String ALSO_RESERVED = "signet_";

    /** Whether the reserved names of the arrived message are hidden. */
    private final boolean hides;

    /** The values under reserved names. */
    private final Map<String, String> values;

    private final @Nullable RestoredProperties restored;

    private SignetProperties(boolean hides, Map<String, String> values, @Nullable RestoredProperties restored) {
        this.hides = hides;
        this.values = values;
        this.restored = restored;
    }

    /** Returns whether the name is reserved, in upper or lower case. Such properties are never sent again. */
    static boolean isReserved(String name) {
        return name.regionMatches(true, 0, RESERVED, 0, RESERVED.length())
                || name.regionMatches(true, 0, ALSO_RESERVED, 0, ALSO_RESERVED.length());
    }

    /**
     * Returns the properties of an opened message.
     *
     * @param decoded its decoded payload; null for bytes that are not read yet
     * @param receivedFrom the consumer's single address; null for one with wildcards or an unknown one
     * @param hides the names of the properties that count only from inside the envelope
     */
    public static SignetProperties of(
            OpenedMessage opened,
            @Nullable Decoded decoded,
            ArrivedMessage arrived,
            @Nullable String receivedFrom,
            List<String> hides)
            throws JMSException {
        Entity entity = opened.entity();
        VerifiedSigner signer = opened.verifiedSigner();
        Map<String, String> values = new LinkedHashMap<>();
        values.put(QUALITY, opened.quality().label());
        if (signer != null) {
            values.put(SIGNER, signer.name());
            opened.proof().ifPresent(proof -> values.put(PROOF, proof));
        }
        if (opened.provedSender() != null) {
            values.put(SENDER, opened.provedSender());
        }
        if (entity == null) {
            return new SignetProperties(true, values, null);
        }
        if (receivedFrom != null && !entity.address().equals(receivedFrom)) {
            values.put(ADDRESS, entity.address());
        }
        return new SignetProperties(true, values, new RestoredProperties(entity, decoded, arrived, hides));
    }

    /** Returns whether this class decides about the name, with or without a value. */
    boolean covers(String name) throws JMSException {
        return (hides && isReserved(name)) || (restored != null && restored.covers(name));
    }

    boolean exists(String name) throws JMSException {
        return values.containsKey(name) || (restored != null && restored.exists(name));
    }

    @Nullable
    Object get(String name) throws JMSException {
        String value = values.get(name);
        return value == null && restored != null ? restored.get(name) : value;
    }

    Collection<String> names() throws JMSException {
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
