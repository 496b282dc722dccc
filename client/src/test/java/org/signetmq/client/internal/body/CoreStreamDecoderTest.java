/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.body;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.client.Mutations;

final class CoreStreamDecoderTest {
    static List<@Nullable Object> everyType() {
        List<@Nullable Object> items = new ArrayList<>();
        items.addAll(Arrays.asList(true, false, (byte) 1, (short) -2, 'c', 3, -4L, 0.5f, -0.25, null));
        items.addAll(Arrays.asList("short", "a longer string with \u20ac and \ud83d\ude00 and \0", "x".repeat(5000)));
        items.add(new byte[] {1, 2, 3});
        items.add(new byte[0]);
        return items;
    }

    @Test
    void everyType_asArtemisEncodesIt_isRead() {
        List<@Nullable Object> decoded =
                CoreStreamDecoder.decode(CoreBodies.stream(everyType())).items();

        assertThat(decoded).usingRecursiveComparison().isEqualTo(everyType());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 8, 9, 10, 0xffe, 0xfff, 0x1000})
    void strings_ofEveryForm_areRead(int length) {
        List<@Nullable Object> items = List.of("\u00e9".repeat(length), "z".repeat(length));

        assertThat(CoreStreamDecoder.decode(CoreBodies.stream(items))).isEqualTo(new Body.Items(items));
    }

    @Test
    void truncation_neverGivesMoreThanWasThere() {
        byte[] encoded = CoreBodies.stream(everyType());
        for (int length = 0; length < encoded.length; length++) {
            byte[] truncated = Arrays.copyOf(encoded, length);
            Body.Items decoded = CoreStreamDecoder.decode(truncated);
            assertThat(decoded.items()).hasSizeLessThan(everyType().size());
            assertThat(decoded.encoded()).isNull();
        }
    }

    @Test
    void mutation_isReadOrRejected() {
        List<@Nullable Object> items = everyType();
        items.removeIf(item -> item instanceof String text && text.length() > 100);
        Mutations.random(CoreBodies.stream(items), CoreStreamDecoder::decode);
    }

    @Test
    void claimedLengths_areCheckedBeforeAllocation() {
        byte[] bytes = {4, 0x7f, -1, -1, -1};
        byte[] string = {10, 1, 0x7f, -1, -1, -1, 0x7f, -1, -1, -1};
        byte[] negative = {10, 1, -1, -1, -1, -1};

        for (byte[] lie : new byte[][] {bytes, string, negative}) {
            assertThat(CoreStreamDecoder.decode(lie)).isEqualTo(new Body.Items(List.of()));
        }
    }

    @Test
    void itemOfAnUnknownType_isTheLast_andKeepsItsType() {
        byte[] body = {3, 7, 12, 4, 0x7f, -1, -1, -1};

        Body.Items decoded = CoreStreamDecoder.decode(body);

        assertThat(decoded.items()).containsExactly((byte) 7);
        assertThat(decoded.encoded()).containsExactly(3, 7, 12);
    }
}
