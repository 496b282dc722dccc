/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.signetmq.cli.command.message.BrowsedMessage.BrowsedPayload.AmqpText;

final class AmqpTextTest {
    @Test
    void scalars_areTheirText() {
        assertThat(AmqpText.of("a")).isEqualTo("a");
        assertThat(AmqpText.of(7L)).isEqualTo("7");
        assertThat(AmqpText.of(null)).isEqualTo("null");
    }

    @Test
    void bytes_areBase64_andTimesIso8601() {
        assertThat(AmqpText.of(new byte[] {1, 2, 3})).isEqualTo("AQID");
        assertThat(AmqpText.of(Date.from(Instant.EPOCH))).isEqualTo("1970-01-01T00:00:00Z");
    }

    @Test
    void listsMapsAndArrays_holdTheirElements_alsoWithinEachOther() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("bytes", new byte[] {0});
        map.put("list", Arrays.asList(1, null, Date.from(Instant.EPOCH)));
        map.put("array", new int[] {4, 5});

        assertThat(AmqpText.of(map)).isEqualTo("{bytes=AA==, list=[1, null, 1970-01-01T00:00:00Z], array=[4, 5]}");
        assertThat(AmqpText.of(new String[][] {{"a"}, {}})).isEqualTo("[[a], []]");
    }

    @Test
    void lines_holdOneElementEach() {
        assertThat(AmqpText.lines(List.of("a", List.of("b", "c")))).isEqualTo("a\n[b, c]");
        assertThat(AmqpText.lines(Map.of("k", Map.of("l", 1)))).isEqualTo("k={l=1}");
        assertThat(AmqpText.lines(List.of())).isEmpty();
    }
}
