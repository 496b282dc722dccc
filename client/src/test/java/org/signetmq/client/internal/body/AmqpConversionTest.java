/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.body;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedByte;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.apache.qpid.proton.amqp.UnsignedShort;
import org.apache.qpid.proton.amqp.messaging.AmqpSequence;
import org.apache.qpid.proton.amqp.messaging.AmqpValue;
import org.apache.qpid.proton.amqp.messaging.Data;
import org.apache.qpid.proton.amqp.messaging.Section;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.envelope.exception.MalformedEnvelopeException;

final class AmqpConversionTest {
    private static final byte[] ABC = "abc".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NOT_UTF8 = {(byte) 0xc3, 0x28};

    private static Body convert(@Nullable String contentType, Section... sections) {
        return AmqpConversion.body(AmqpSections.read(AmqpBodies.sections(sections)), contentType);
    }

    private static Data data(byte[] bytes) {
        return new Data(new Binary(bytes));
    }

    @Test
    void map_isNamedValues_withNumbersOfTheirWidth() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("ubyte", UnsignedByte.valueOf((byte) 0xf0));
        map.put("ushort", UnsignedShort.valueOf((short) 0xfff0));
        map.put("uint", UnsignedInteger.valueOf(-16));
        map.put("ulong", UnsignedLong.valueOf(-16L & Long.MAX_VALUE));
        map.put("char", 'c');
        map.put("", "no name");

        assertThat(((Body.Named) convert(null, new AmqpValue(map))).values())
                .containsEntry("ubyte", (byte) 0xf0)
                .containsEntry("ushort", (short) 0xfff0)
                .containsEntry("uint", -16)
                .containsEntry("ulong", -16L & Long.MAX_VALUE)
                .containsEntry("char", 'c')
                .containsEntry("", "no name");
    }

    @Test
    void whatTheBrokerCannotConvert_isAnObject() {
        List<Object> values = List.of(
                Map.of("inner", Map.of("a", 1)),
                Map.of("id", new UUID(1, 2)),
                Map.of(7, "seven"),
                List.of(UnsignedInteger.valueOf(7)),
                List.of(new Binary(ABC)));

        for (Object value : values) {
            assertThat(convert(null, new AmqpValue(value))).isInstanceOf(Body.Typed.class);
        }
    }

    @Test
    void listsAndSequences_areItems_theFirstOfSeveral() {
        List<Object> items = Arrays.asList(1, "two", null, 'c');

        assertThat(convert(null, new AmqpValue(items))).isEqualTo(new Body.Items(items));
        assertThat(convert("text/plain", new AmqpSequence(items), new AmqpSequence(List.of(3L))))
                .isEqualTo(new Body.Items(items));
    }

    @Test
    void otherValues_areTheirSection() {
        Section value = new AmqpValue(UnsignedInteger.valueOf(-16));

        assertThat(((Body.Bytes) convert(null, value)).bytes()).isEqualTo(AmqpBodies.sections(value));
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "TEXT/PLAIN", "application/json; charset=utf-8", "application/soap+xml"})
    void data_ofTextInUtf8_isText_andBytesIfItIsNot(String contentType) {
        assertThat(convert(contentType, data(ABC), data(NOT_UTF8))).isEqualTo(new Body.Text("abc"));
        assertThat(((Body.Bytes) convert(contentType, data(NOT_UTF8))).bytes()).isEqualTo(NOT_UTF8);
        assertThat(AmqpConversion.areBytes(contentType)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain; charset=iso-8859-1", "application/octet-stream", "image/png", "nonsense"})
    void data_ofAnythingElse_isBytes(String contentType) {
        assertThat(((Body.Bytes) convert(contentType, data(ABC))).bytes()).isEqualTo(ABC);
        assertThat(AmqpConversion.areBytes(contentType)).isTrue();
    }

    @Test
    void encoder_takesLongValues_andRejectsWhatProtonDoes() {
        assertThat(new AmqpEncoder().encode(Map.of(Symbol.valueOf("long"), "x".repeat(100_000))))
                .hasSizeGreaterThan(100_000);
        assertThatThrownBy(() -> new AmqpEncoder().encode(List.of(new int[] {1})))
                .isInstanceOf(MalformedEnvelopeException.class);
    }
}
