/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.message;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The MIME entity inside an envelope, read. See {@code docs/format.md}.
 *
 * @param contentType the payload's MIME type
 * @param messageId 32 hex digits, unique per sealed message
 * @param address the address it was sealed for
 * @param body the value of Signet-Body, usually a {@link BodyKind#wireName()}
 * @param attribution who sent it, under which policy
 * @param segment the place in a large message, or null
 * @param properties the Signet-Property headers by name
 * @param payload the payload
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
     * What the header says of its origin.
     *
     * @param sender what the header says of the sender, which its signer wrote, or null
     * @param policy {@code pattern@version}, or null
     */
    public record Attribution(
            @Nullable String sender, @Nullable String policy) {}

    /**
     * What the header says of the sender. The maker of the envelope wrote it. For the user that a broker authenticated
     * ask {@link OpenedMessage#sender}.
     */
    public Optional<String> sender() {
        return Optional.ofNullable(attribution.sender());
    }

    /** The kind of body, if it is one of ours. */
    public Optional<BodyKind> bodyKind() {
        return BodyKind.named(body);
    }

    /** The same with another payload. */
    public Entity with(byte[] other) {
        return new Entity(contentType, messageId, address, body, attribution, segment, properties, other);
    }

    /** The same as a whole message. */
    public Entity whole(byte[] payloadOfAll) {
        return new Entity(contentType, messageId, address, body, attribution, null, properties, payloadOfAll);
    }
}
