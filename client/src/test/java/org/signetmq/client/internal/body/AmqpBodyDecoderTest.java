/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.body;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.amqp.messaging.AmqpSequence;
import org.apache.qpid.proton.amqp.messaging.AmqpValue;
import org.apache.qpid.proton.amqp.messaging.Data;
import org.apache.qpid.proton.amqp.messaging.Footer;
import org.apache.qpid.proton.amqp.messaging.Section;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.signetmq.client.Mutations;
import org.signetmq.envelope.exception.MalformedEnvelopeException;

final class AmqpBodyDecoderTest {
    private static final byte[] ABC = "abc".getBytes(StandardCharsets.US_ASCII);

    private static Body decode(Map<String, String> properties, Section... sections) {
        return decode(AmqpBodies.sections(sections), properties);
    }

    private static Body decode(byte[] payload, Map<String, String> properties) {
        return AmqpBodyDecoder.body(AmqpSections.read(payload), properties);
    }

    private static Map<String, String> type(int type) {
        return Map.of("Jms-Type", Integer.toString(type));
    }

    private static Data data(byte[] bytes) {
        return new Data(new Binary(bytes));
    }

    private static Map<String, Object> map() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("int", 42);
        map.put("text", "abc");
        map.put("bytes", new Binary(ABC));
        return map;
    }

    @Test
    void map_annotatedAsMap_isNamedValues() {
        Body body = decode(type(2), new AmqpValue(map()));

        assertThat(((Body.Named) body).values())
                .containsEntry("int", 42)
                .containsEntry("text", "abc")
                .hasEntrySatisfying("bytes", bytes -> assertThat((byte[]) bytes).isEqualTo(ABC));
    }

    @Test
    void map_withoutAnnotation_isAnObject() {
        Body body = decode(Map.of(), new AmqpValue(map()));

        assertThat(((Body.Typed) body).value()).isInstanceOf(Map.class);
    }

    @Test
    void ofSequences_annotatedAsStream_theLastIsTaken() {
        Body body =
                decode(type(4), new AmqpSequence(Arrays.asList(1, "two")), new AmqpSequence(Arrays.asList(3L, null)));

        assertThat(((Body.Items) body).items()).containsExactly(3L, null);
    }

    @Test
    void list_annotatedAsStream_isItems() {
        Body body = decode(type(4), new AmqpValue(List.of(1, "two")));

        assertThat(((Body.Items) body).items()).containsExactly(1, "two");
    }

    @Test
    void sequence_withoutAnnotation_isAnObject() {
        Body body = decode(Map.of(), new AmqpSequence(List.of(1, 2)));

        assertThat(((Body.Typed) body).value()).isEqualTo(List.of(1, 2));
    }

    @Test
    void ofDataSections_theLastIsTaken() {
        Body body = decode(Map.of(), data(new byte[0]), data(new byte[7]), data(ABC));

        assertThat(((Body.Bytes) body).bytes()).isEqualTo(ABC);
    }

    @ParameterizedTest
    @CsvSource({
        "text/plain",
        "text/csv; charset=iso-8859-1",
        "application/json",
        "application/xml",
        "application/soap+xml",
        "application/problem+json"
    })
    void data_ofTextualType_isText(String contentType) {
        Body body = decode(Map.of("Content-Type", contentType), data(ABC));

        assertThat(body).isEqualTo(new Body.Text("abc"));
    }

    @Test
    void data_annotatedAsText_isUtf8_whateverItsCharset() {
        Map<String, String> properties = Map.of("Jms-Type", "5", "Content-Type", "text/plain; charset=\"ISO-8859-1\"");

        Body body = decode(properties, data("\u00e9".getBytes(StandardCharsets.UTF_8)));

        assertThat(body).isEqualTo(new Body.Text("\u00e9"));
    }

    @Test
    void serializedObject_isLeftToTheProvider() {
        Map<String, String> properties = Map.of("Content-Type", "application/x-java-serialized-object");

        assertThat(((Body.Serialized) decode(properties, data(ABC))).bytes()).isEqualTo(ABC);
        assertThat(((Body.Serialized) decode(type(1), data(ABC))).bytes()).isEqualTo(ABC);
    }

    @Test
    void otherValues_areWhatQpidMakesOfThem() {
        assertThat(decode(Map.of(), new AmqpValue("abc"))).isEqualTo(new Body.Text("abc"));
        assertThat(decode(Map.of(), new AmqpValue(null))).isEqualTo(new Body.Text(null));
        assertThat(((Body.Bytes) decode(Map.of(), new AmqpValue(new Binary(ABC)))).bytes())
                .isEqualTo(ABC);
        assertThat(((Body.Typed) decode(Map.of(), new AmqpValue(UnsignedInteger.valueOf(7)))).value())
                .isEqualTo(UnsignedInteger.valueOf(7));
        assertThat(decode(type(0), new AmqpValue(null))).isEqualTo(new Body.Empty());
        assertThat(((Body.Typed) decode(type(1), new AmqpValue(42))).value()).isEqualTo(42);
    }

    @Test
    void noSections_areAnEmptyBody() {
        assertThat(((Body.Bytes) decode(Map.of())).bytes()).isEmpty();
        assertThat(decode(Map.of("Content-Type", "text/plain"))).isEqualTo(new Body.Text(null));
        assertThat(decode(Map.of("Content-Type", "image/png"))).isEqualTo(new Body.Empty());
    }

    @Test
    void footer_isReadOver() {
        Footer footer = new Footer(Map.of(Symbol.valueOf("x-opt-checksum"), 7));

        assertThat(decode(Map.of(), new AmqpValue("abc"), footer)).isEqualTo(new Body.Text("abc"));
    }

    @Test
    void sectionsThatDoNotGoTogether_areRejected() {
        Footer footer = new Footer(Map.of());
        List<Section[]> wrong = List.of(
                new Section[] {new AmqpValue("a"), new AmqpValue("b")},
                new Section[] {data(ABC), new AmqpValue("b")},
                new Section[] {new AmqpSequence(List.of(1)), data(ABC)},
                new Section[] {footer, data(ABC)});

        for (Section[] sections : wrong) {
            assertThatThrownBy(() -> decode(Map.of(), sections)).isInstanceOf(MalformedEnvelopeException.class);
        }
    }

    @ParameterizedTest
    @CsvSource({"2", "4", "3", "5"})
    void bodyOfAnotherType_thanAnnotated_isRejected(int type) {
        assertThatThrownBy(() -> decode(type(type), new AmqpValue(42))).isInstanceOf(MalformedEnvelopeException.class);
        assertThatThrownBy(() -> decode(type(9), new AmqpValue(42))).isInstanceOf(MalformedEnvelopeException.class);
    }

    @Test
    void truncationAndMutation_areReadOrRejected() {
        byte[] valid = AmqpBodies.sections(new AmqpValue(map()), new Footer(Map.of(Symbol.valueOf("a"), 1)));
        for (Map<String, String> properties : List.of(Map.<String, String>of(), type(2), type(4), type(5))) {
            Mutations.everyTruncation(valid, bytes -> decode(bytes, properties));
            Mutations.random(valid, bytes -> decode(bytes, properties));
        }
    }

    @Test
    void deepNesting_isRejected() {
        int depth = 100_000;
        byte[] nested = new byte[3 + 5 * depth];
        nested[1] = 0x53;
        nested[2] = 0x77;
        for (int i = 0; i < depth; i++) {
            int at = 3 + 5 * i;
            int left = nested.length - at;
            nested[at] = (byte) 0xc0;
            nested[at + 1] = (byte) Math.min(255, left);
            nested[at + 2] = 1;
        }

        assertThatThrownBy(() -> decode(nested, Map.of())).isInstanceOf(MalformedEnvelopeException.class);
    }
}
