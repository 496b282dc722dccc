/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.body;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedByte;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.apache.qpid.proton.amqp.UnsignedShort;
import org.apache.qpid.proton.amqp.messaging.AmqpSequence;
import org.apache.qpid.proton.amqp.messaging.AmqpValue;
import org.apache.qpid.proton.amqp.messaging.Data;
import org.apache.qpid.proton.amqp.messaging.Footer;
import org.apache.qpid.proton.amqp.messaging.Section;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.client.Mutations;
import org.signetmq.client.internal.provider.ClientLibrary.ClientProtocol;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.message.BodyKind;

/** Bodies of AMQP as Qpid JMS presents them, and as the broker converts them for other clients. */
final class AmqpBodyTest {
    private static final byte[] ABC = "abc".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NOT_UTF8 = {(byte) 0xc3, 0x28};
    private static final String OBJECT = "application/x-java-serialized-object";

    /**
     * A body.
     *
     * @param said how its producer describes it
     * @param qpid what Qpid JMS makes of it; null if that is malformed
     * @param others what the broker makes of it for other clients; null if that is malformed
     */
    record Case(
            Map<String, String> said,
            List<Section> sections,
            @Nullable Body qpid,
            @Nullable Body others) {}

    private static Case both(Map<String, String> said, @Nullable Body body, Section... sections) {
        return new Case(said, List.of(sections), body, body);
    }

    private static Case each(
            Map<String, String> said, @Nullable Body qpid, @Nullable Body others, Section... sections) {
        return new Case(said, List.of(sections), qpid, others);
    }

    private static Map<String, String> type(int type) {
        return Map.of("Jms-Type", Integer.toString(type));
    }

    private static Map<String, String> contentType(String type) {
        return Map.of("Content-Type", type);
    }

    private static Data data(byte[] bytes) {
        return new Data(new Binary(bytes));
    }

    private static Body items(@Nullable Object... items) {
        return new Body.Items(Arrays.asList(items));
    }

    private static Map<String, @Nullable Object> map(Object bytes) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("int", 42);
        map.put("text", "abc");
        map.put("bytes", bytes);
        return map;
    }

    static Stream<Case> collections() {
        Map<String, @Nullable Object> unsigned = new LinkedHashMap<>();
        unsigned.put("ubyte", UnsignedByte.valueOf((byte) 0xf0));
        unsigned.put("ushort", UnsignedShort.valueOf((short) 0xfff0));
        unsigned.put("uint", UnsignedInteger.valueOf(-16));
        unsigned.put("ulong", UnsignedLong.valueOf(-16L & Long.MAX_VALUE));
        unsigned.put("char", 'c');
        unsigned.put("", "no name");
        Map<String, @Nullable Object> signed = new LinkedHashMap<>(unsigned);
        signed.putAll(Map.of("ubyte", (byte) 0xf0, "ushort", (short) 0xfff0, "uint", -16));
        signed.put("ulong", -16L & Long.MAX_VALUE);
        List<Object> list = Arrays.asList(1, "two", null, 'c');
        AmqpSequence first = new AmqpSequence(Arrays.asList(1, "two"));
        AmqpSequence last = new AmqpSequence(Arrays.asList(3L, null));
        return Stream.of(
                both(type(2), new Body.Named(map(ABC)), new AmqpValue(map(new Binary(ABC)))),
                each(
                        Map.of(),
                        new Body.Typed(map(new Binary(ABC))),
                        new Body.Named(map(ABC)),
                        new AmqpValue(map(new Binary(ABC)))),
                each(Map.of(), new Body.Typed(unsigned), new Body.Named(signed), new AmqpValue(unsigned)),
                each(type(4), items(3L, null), items(1, "two"), first, last),
                each(contentType("text/plain"), new Body.Typed(Arrays.asList(3L, null)), items(1, "two"), first, last),
                both(type(4), items(1, "two"), new AmqpValue(List.of(1, "two"))),
                each(Map.of(), new Body.Typed(List.of(1, 2)), items(1, 2), new AmqpSequence(List.of(1, 2))),
                each(Map.of(), new Body.Typed(list), items(1, "two", null, 'c'), new AmqpValue(list)),
                each(
                        Map.of(),
                        new Body.Typed(List.of(new Binary(ABC))),
                        new Body.Typed(List.of(ABC)),
                        new AmqpValue(List.of(new Binary(ABC)))));
    }

    /** What the broker cannot convert is an object to all. */
    static Stream<Case> objects() {
        return Stream.of(
                        Map.of("inner", Map.of("a", 1)),
                        Map.of("id", new UUID(1, 2)),
                        Map.of(7, "seven"),
                        List.of(UnsignedInteger.valueOf(7)))
                .map(value -> both(Map.of(), new Body.Typed(value), new AmqpValue(value)));
    }

    static Stream<Case> data() {
        List<Case> cases = new ArrayList<>(List.of(
                each(
                        Map.of(),
                        new Body.Bytes(ABC),
                        new Body.Bytes(new byte[0]),
                        data(new byte[0]),
                        data(new byte[7]),
                        data(ABC)),
                each(contentType("text/plain"), null, new Body.Bytes(NOT_UTF8), data(NOT_UTF8)),
                each(contentType("text/csv; charset=iso-8859-1"), new Body.Text("abc"), new Body.Bytes(ABC), data(ABC)),
                each(
                        Map.of("Jms-Type", "5", "Content-Type", "text/plain; charset=\"ISO-8859-1\""),
                        new Body.Text("\u00e9"),
                        new Body.Bytes("\u00e9".getBytes(StandardCharsets.UTF_8)),
                        data("\u00e9".getBytes(StandardCharsets.UTF_8))),
                both(contentType(OBJECT), new Body.Serialized(ABC), data(ABC)),
                each(type(1), new Body.Serialized(ABC), new Body.Bytes(ABC), data(ABC)),
                both(Map.of(), new Body.Bytes(new byte[0])),
                both(contentType("text/plain"), new Body.Text(null)),
                both(contentType("image/png"), new Body.Empty())));
        List.of(
                        "text/plain",
                        "TEXT/PLAIN",
                        "application/json; charset=utf-8",
                        "application/xml",
                        "application/soap+xml",
                        "application/problem+json")
                .forEach(type -> cases.add(both(contentType(type), new Body.Text("abc"), data(ABC))));
        List.of("application/octet-stream", "image/png", "nonsense")
                .forEach(type -> cases.add(both(contentType(type), new Body.Bytes(ABC), data(ABC))));
        return cases.stream();
    }

    static Stream<Case> values() {
        AmqpValue number = new AmqpValue(UnsignedInteger.valueOf(-16));
        AmqpValue answer = new AmqpValue(42);
        Body converted = new Body.Bytes(AmqpBodies.sections(answer));
        Footer footer = new Footer(Map.of(Symbol.valueOf("x-opt-checksum"), 7));
        return Stream.of(
                both(Map.of(), new Body.Text("abc"), new AmqpValue("abc")),
                both(Map.of(), new Body.Text("abc"), new AmqpValue("abc"), footer),
                both(Map.of(), new Body.Text(null), new AmqpValue(null)),
                both(Map.of(), new Body.Bytes(ABC), new AmqpValue(new Binary(ABC))),
                each(
                        Map.of(),
                        new Body.Typed(UnsignedInteger.valueOf(-16)),
                        new Body.Bytes(AmqpBodies.sections(number)),
                        number),
                each(type(0), new Body.Empty(), new Body.Text(null), new AmqpValue(null)),
                each(type(1), new Body.Typed(42), converted, answer),
                each(type(2), null, converted, answer),
                each(type(3), null, converted, answer),
                each(type(4), null, converted, answer),
                each(type(5), null, converted, answer),
                each(type(9), null, converted, answer));
    }

    static Stream<Case> sectionsThatDoNotGoTogether() {
        return Stream.of(
                both(Map.of(), null, new AmqpValue("a"), new AmqpValue("b")),
                both(Map.of(), null, data(ABC), new AmqpValue("b")),
                both(Map.of(), null, new AmqpSequence(List.of(1)), data(ABC)),
                both(Map.of(), null, new Footer(Map.of()), data(ABC)));
    }

    @ParameterizedTest
    @MethodSource({"collections", "objects", "data", "values", "sectionsThatDoNotGoTogether"})
    void body_isWhatQpidAndTheBrokerMakeOfIt(Case body) {
        byte[] payload = AmqpBodies.sections(body.sections().toArray(Section[]::new));

        assertDecodes(body.said(), payload, ClientProtocol.AMQP, body.qpid());
        assertDecodes(body.said(), payload, ClientProtocol.CORE, body.others());
    }

    private static void assertDecodes(
            Map<String, String> said, byte[] payload, ClientProtocol protocol, @Nullable Body expected) {
        if (expected == null) {
            assertThatThrownBy(() -> decode(payload, said, protocol)).isInstanceOf(MalformedEnvelopeException.class);
        } else {
            assertThat(decode(payload, said, protocol))
                    .as("%s", protocol)
                    .hasSameClassAs(expected)
                    .usingRecursiveComparison()
                    .isEqualTo(expected);
        }
    }

    private static Body decode(byte[] payload, Map<String, String> said, ClientProtocol protocol) {
        return BodyDecoder.decode(BodyKind.AMQP_SECTIONS, payload, said, protocol)
                .body();
    }

    @ParameterizedTest
    @CsvSource({
        "text/plain, false",
        "application/soap+xml, false",
        "text/plain; charset=iso-8859-1, true",
        "application/octet-stream, true",
        "image/png, true",
        "nonsense, true"
    })
    void dataForOthersThanQpid_areAlwaysBytes_unlessTheyMayBeText(String contentType, boolean bytes) {
        assertThat(AmqpConversion.areBytes(contentType)).isEqualTo(bytes);
    }

    @Test
    void encoder_takesLongValues_andRejectsWhatProtonDoes() {
        assertThat(new AmqpEncoder().encode(Map.of(Symbol.valueOf("long"), "x".repeat(100_000))))
                .hasSizeGreaterThan(100_000);
        assertThatThrownBy(() -> new AmqpEncoder().encode(List.of(new int[] {1})))
                .isInstanceOf(MalformedEnvelopeException.class);
    }

    @Test
    void truncationAndMutation_areReadOrRejected() {
        byte[] valid =
                AmqpBodies.sections(new AmqpValue(map(new Binary(ABC))), new Footer(Map.of(Symbol.valueOf("a"), 1)));
        for (Map<String, String> said : List.of(Map.<String, String>of(), type(2), type(4), type(5))) {
            Mutations.everyTruncation(valid, bytes -> decode(bytes, said, ClientProtocol.AMQP));
            Mutations.random(valid, bytes -> decode(bytes, said, ClientProtocol.AMQP));
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

        assertThatThrownBy(() -> decode(nested, Map.of(), ClientProtocol.AMQP))
                .isInstanceOf(MalformedEnvelopeException.class);
    }
}
