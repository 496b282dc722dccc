/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.message;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A parsed MIME entity from inside an envelope. See {@code docs/format.md}.
 *
 * @param contentType the payload's MIME type
 * @param messageId 32 hex digits, unique per sealed message
 * @param address the address it was sealed for
 * @param body the value of Signet-Body, usually a {@link BodyKind#wireName()}
 * @param attribution the sender and the policy
 * @param segment the position in a large message; null for a whole message
 * @param properties the Signet-Property headers by name
 * @param payload the payload; the receiver of the entity owns the array
 */
public record Entity(
        String contentType,
        String messageId,
        String address,
        String body,
        Attribution attribution,
        @Nullable Segment segment,
        Map<String, String> properties,
        byte[] payload) {

    /**
     * The origin that the header names.
     *
     * @param sender the sender as the sealer wrote it, not proved; or null
     * @param policy {@code pattern@version}, or null
     */
    public record Attribution(
            @Nullable String sender, @Nullable String policy) {}

    /** The sender as the sealer wrote it, not proved; {@link OpenedMessage#sender} is proved. */
    public Optional<String> sender() {
        return Optional.ofNullable(attribution.sender());
    }

    /** The kind of body, or empty if this version does not know it. */
    public Optional<BodyKind> bodyKind() {
        return BodyKind.named(body);
    }

    /** This entity with another payload. */
    public Entity with(byte[] other) {
        return new Entity(contentType, messageId, address, body, attribution, segment, properties, other);
    }

    /** This entity as that of a whole message. */
    public Entity whole(byte[] payloadOfAll) {
        return new Entity(contentType, messageId, address, body, attribution, null, properties, payloadOfAll);
    }
}
