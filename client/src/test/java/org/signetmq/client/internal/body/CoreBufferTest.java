/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.body;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.client.Mutations;
import org.signetmq.envelope.exception.MalformedEnvelopeException;

public final class CoreBufferTest {
    public static Map<String, @Nullable Object> everyValue() {
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
    void map_ofEveryType_asArtemisEncodesIt_isRead() {
        byte[] encoded = CoreBodies.map(everyValue());

        Map<String, @Nullable Object> decoded = CoreBuffer.map(encoded);

        assertThat(decoded).usingRecursiveComparison().isEqualTo(new LinkedHashMap<>(everyValue()));
        assertThat(decoded.get("char")).isInstanceOf(Character.class);
        assertThat(decoded.get("byte")).isInstanceOf(Byte.class);
    }

    @Test
    void emptyMap_isRead() {
        assertThat(CoreBuffer.map(CoreBodies.map(Map.of()))).isEmpty();
        assertThat(CoreBuffer.map(new byte[0])).isEmpty();
    }

    @Test
    void map_truncated_isRejectedAtEveryLength() {
        byte[] encoded = CoreBodies.map(everyValue());
        for (int length = 1; length < encoded.length; length++) {
            byte[] truncated = Arrays.copyOf(encoded, length);
            assertThatThrownBy(() -> CoreBuffer.map(truncated))
                    .as("length %d", length)
                    .isInstanceOf(MalformedEnvelopeException.class);
        }
    }

    @Test
    void map_claimedLengths_areCheckedBeforeAllocation() {
        byte[] count = {1, 0x7f, -1, -1, -1};
        byte[] name = {1, 0, 0, 0, 1, 0x7f, -1, -1, -1, 0};
        byte[] value = {1, 0, 0, 0, 1, 0, 0, 0, 0, 4, 0x7f, -1, -1, -1};
        byte[] negative = {1, 0, 0, 0, 1, -1, -1, -1, -1, 0};

        for (byte[] lie : new byte[][] {count, name, value, negative}) {
            assertThatThrownBy(() -> CoreBuffer.map(lie)).isInstanceOf(MalformedEnvelopeException.class);
        }
    }

    @Test
    void trailingBytesAndRepeatedNames_areReadAsArtemisReadsThem() {
        byte[] trailing = {0, 0};
        byte[] twice = {1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 7, 9};

        assertThat(CoreBuffer.map(trailing)).isEmpty();
        assertThat(CoreBuffer.map(twice)).isEqualTo(Map.of("", (byte) 7));
    }

    static List<@Nullable Object> everyItem() {
        List<@Nullable Object> items = new ArrayList<>();
        items.addAll(Arrays.asList(true, false, (byte) 1, (short) -2, 'c', 3, -4L, 0.5f, -0.25, null));
        items.addAll(Arrays.asList("short", "a longer string with \u20ac and \ud83d\ude00 and \0", "x".repeat(5000)));
        items.add(new byte[] {1, 2, 3});
        items.add(new byte[0]);
        return items;
    }

    @Test
    void stream_ofEveryType_asArtemisEncodesIt_isRead() {
        List<@Nullable Object> decoded =
                CoreBuffer.stream(CoreBodies.stream(everyItem())).items();

        assertThat(decoded).usingRecursiveComparison().isEqualTo(everyItem());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 8, 9, 10, 0xffe, 0xfff, 0x1000})
    void strings_ofEveryForm_areRead(int length) {
        List<@Nullable Object> items = List.of("\u00e9".repeat(length), "z".repeat(length));

        assertThat(CoreBuffer.stream(CoreBodies.stream(items))).isEqualTo(new Body.Items(items));
    }

    @Test
    void stream_truncated_neverGivesMoreThanWasThere() {
        byte[] encoded = CoreBodies.stream(everyItem());
        for (int length = 0; length < encoded.length; length++) {
            byte[] truncated = Arrays.copyOf(encoded, length);
            Body.Items decoded = CoreBuffer.stream(truncated);
            assertThat(decoded.items()).hasSizeLessThan(everyItem().size());
            assertThat(decoded.encoded()).isNull();
        }
    }

    @Test
    void stream_claimedLengths_areCheckedBeforeAllocation() {
        byte[] bytes = {4, 0x7f, -1, -1, -1};
        byte[] string = {10, 1, 0x7f, -1, -1, -1, 0x7f, -1, -1, -1};
        byte[] negative = {10, 1, -1, -1, -1, -1};

        for (byte[] lie : new byte[][] {bytes, string, negative}) {
            assertThat(CoreBuffer.stream(lie)).isEqualTo(new Body.Items(List.of()));
        }
    }

    @Test
    void itemOfAnUnknownType_isTheLast_andKeepsItsType() {
        byte[] body = {3, 7, 12, 4, 0x7f, -1, -1, -1};

        Body.Items decoded = CoreBuffer.stream(body);

        assertThat(decoded.items()).containsExactly((byte) 7);
        assertThat(decoded.encoded()).containsExactly(3, 7, 12);
    }

    @Test
    void mutation_isReadOrRejected() {
        List<@Nullable Object> items = everyItem();
        items.removeIf(item -> item instanceof String text && text.length() > 100);

        Mutations.random(CoreBodies.map(everyValue()), CoreBuffer::map);
        Mutations.random(CoreBodies.stream(items), CoreBuffer::stream);
    }
}
