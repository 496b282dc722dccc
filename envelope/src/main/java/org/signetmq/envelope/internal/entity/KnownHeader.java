/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.entity;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.message.Entity;

/**
 * A header that was read before. Headers of one producer mostly differ only in the digits of the Message-ID. Equal
 * bytes have an equal meaning, so the comparison trusts no sender. Immutable.
 *
 * @param bytes the header with its blank line
 * @param digits the position of the digits of its Message-ID
 * @param head its entity, without a payload
 * @param encoding the value of Signet-Encoding, or null
 */
record KnownHeader(
        byte[] bytes, int digits, Entity head, @Nullable String encoding) {
    /** Tells whether a header in these bytes differs only in the digits of the Message-ID. */
    boolean isLike(byte[] other, int offset, int length) {
        int behind = digits + EntityReader.ID_LENGTH;
        return bytes.length <= length
                && Arrays.equals(other, offset, offset + digits, bytes, 0, digits)
                && Arrays.equals(other, offset + behind, offset + bytes.length, bytes, behind, bytes.length)
                && areDigits(other, offset + digits);
    }

    private static boolean areDigits(byte[] bytes, int start) {
        for (int i = start; i < start + EntityReader.ID_LENGTH; i++) {
            if (!EntityReader.isDigit((char) bytes[i])) {
                return false;
            }
        }
        return true;
    }

    /** Returns the Message-ID of a header like this one. */
    String messageId(byte[] other, int offset) {
        return new String(other, offset + digits, EntityReader.ID_LENGTH, US_ASCII);
    }

    /** Returns the entity of a header like this one. */
    Entity entity(String messageId, byte[] payload) {
        return new Entity(
                head.contentType(),
                messageId,
                head.address(),
                head.body(),
                head.attribution(),
                head.segment(),
                head.properties(),
                payload);
    }
}
