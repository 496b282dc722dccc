/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.body;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.signetmq.client.Mutations;
import org.signetmq.envelope.exception.MalformedEnvelopeException;

public final class CoreMapDecoderTest {
    public static Map<String, @Nullable Object> everyType() {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        values.put("true", true);
        values.put("false", false);
        values.put("byte", (byte) -7);
        values.put("short", Short.MIN_VALUE);
        values.put("char", '\u20ac');
        values.put("int", Integer.MAX_VALUE);
        values.put("long", Long.MIN_VALUE);
        values.put("float", 1.5f);
        values.put("double", -2.25);
        values.put("string", "gr\u00fc\u00df \ud83d\ude00");
        values.put("lone surrogate", "\ud800");
        values.put("empty", "");
        values.put("bytes", new byte[] {0, -1, 1});
        values.put("null", null);
        values.put("", "the empty name");
        return values;
    }

    @Test
    void everyType_asArtemisEncodesIt_isRead() {
        byte[] encoded = CoreBodies.map(everyType());

        Map<String, @Nullable Object> decoded = CoreMapDecoder.decode(encoded);

        assertThat(decoded).usingRecursiveComparison().isEqualTo(new LinkedHashMap<>(everyType()));
        assertThat(decoded.get("char")).isInstanceOf(Character.class);
        assertThat(decoded.get("byte")).isInstanceOf(Byte.class);
    }

    @Test
    void emptyMap_isRead() {
        assertThat(CoreMapDecoder.decode(CoreBodies.map(Map.of()))).isEmpty();
        assertThat(CoreMapDecoder.decode(new byte[0])).isEmpty();
    }

    @Test
    void truncation_isRejectedAtEveryLength() {
        byte[] encoded = CoreBodies.map(everyType());
        for (int length = 1; length < encoded.length; length++) {
            byte[] truncated = Arrays.copyOf(encoded, length);
            assertThatThrownBy(() -> CoreMapDecoder.decode(truncated))
                    .as("length %d", length)
                    .isInstanceOf(MalformedEnvelopeException.class);
        }
    }

    @Test
    void mutation_isReadOrRejected() {
        Mutations.random(CoreBodies.map(everyType()), CoreMapDecoder::decode);
    }

    @Test
    void claimedLengths_areCheckedBeforeAllocation() {
        byte[] count = {1, 0x7f, -1, -1, -1};
        byte[] name = {1, 0, 0, 0, 1, 0x7f, -1, -1, -1, 0};
        byte[] value = {1, 0, 0, 0, 1, 0, 0, 0, 0, 4, 0x7f, -1, -1, -1};
        byte[] negative = {1, 0, 0, 0, 1, -1, -1, -1, -1, 0};

        for (byte[] lie : new byte[][] {count, name, value, negative}) {
            assertThatThrownBy(() -> CoreMapDecoder.decode(lie)).isInstanceOf(MalformedEnvelopeException.class);
        }
    }

    @Test
    void trailingBytesAndRepeatedNames_areReadAsArtemisReadsThem() {
        byte[] trailing = {0, 0};
        byte[] twice = {1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 7, 9};

        assertThat(CoreMapDecoder.decode(trailing)).isEmpty();
        assertThat(CoreMapDecoder.decode(twice)).isEqualTo(Map.of("", (byte) 7));
    }
}
