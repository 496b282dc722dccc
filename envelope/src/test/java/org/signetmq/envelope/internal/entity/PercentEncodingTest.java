/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.entity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.testkit.Tier;

final class PercentEncodingTest {
    @ParameterizedTest
    @CsvSource(
            value = {
                "orders.eu|orders.eu",
                "''|''",
                "a b|a b",
                "' a '|%20a%20",
                "' '|%20",
                "100%|100%25",
                "%41|%2541",
                "Zürich|Z%C3%BCrich",
                "€|%E2%82%AC",
                "a:b;c=d+e|a:b;c=d+e"
            },
            delimiter = '|')
    void text_hasOneEncoding(String text, String encoded) {
        assertThat(PercentEncoding.encode(text)).isEqualTo(encoded);
        assertThat(PercentEncoding.decode(encoded)).isEqualTo(text);
    }

    @Test
    void controls_areEncoded() {
        assertThat(PercentEncoding.encode("a\r\nb\0c\td\u007f")).isEqualTo("a%0D%0Ab%00c%09d%7F");
    }

    @Test
    void loneSurrogate_becomesQuestionMark() {
        assertThat(PercentEncoding.encode("a\ud800b")).isEqualTo("a?b");
        assertThat(PercentEncoding.encode("\ud83d\ude00")).isEqualTo("%F0%9F%98%80");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"%", "%4", "a%", "%zz", "%41", "%c3%bc", "%C3", "%C3%28", "%ED%A0%80", " a", "a ", "%C0%80"})
    void anythingElse_rejected(String encoded) {
        assertThatThrownBy(() -> PercentEncoding.decode(encoded)).isInstanceOf(MalformedEnvelopeException.class);
    }

    @Test
    void randomText_comesBack() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < Tier.rounds(5000); round++) {
            String text = random.ints(random.nextInt(20), 0, random.nextBoolean() ? 128 : 0xD800)
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString();

            String encoded = PercentEncoding.encode(text);

            assertThat(encoded).as("seed " + seed).matches("[ -~]*");
            assertThat(PercentEncoding.decode(encoded)).as("seed " + seed).isEqualTo(text);
        }
    }
}
