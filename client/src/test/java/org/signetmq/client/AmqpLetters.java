/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.Decimal128;
import org.apache.qpid.proton.amqp.Decimal32;
import org.apache.qpid.proton.amqp.Decimal64;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedByte;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.apache.qpid.proton.amqp.UnsignedShort;
import org.apache.qpid.proton.amqp.messaging.AmqpSequence;
import org.apache.qpid.proton.amqp.messaging.AmqpValue;
import org.apache.qpid.proton.amqp.messaging.ApplicationProperties;
import org.apache.qpid.proton.amqp.messaging.Data;
import org.apache.qpid.proton.amqp.messaging.DeliveryAnnotations;
import org.apache.qpid.proton.amqp.messaging.Footer;
import org.apache.qpid.proton.amqp.messaging.Header;
import org.apache.qpid.proton.amqp.messaging.MessageAnnotations;
import org.apache.qpid.proton.amqp.messaging.Properties;
import org.apache.qpid.proton.amqp.messaging.Section;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.Letter.Routing;
import org.signetmq.client.internal.body.AmqpBodies;
import org.signetmq.testkit.RawAmqp;

/** Messages of AMQP producers that know nothing of JMS: bodies of every form, and everything before and behind them. */
@SuppressWarnings("JavaUtilDate") // as proton-j has timestamps
final class AmqpLetters {
    private static final byte[] XML = "<gr\u00fc\u00df/>".getBytes(UTF_8);
    private static final byte[] NOT_UTF8 = {(byte) 0xc3, 0x28, 0};
    private static final Symbol JMS_TYPE = Symbol.valueOf("x-opt-jms-msg-type");

    private final Map<String, List<Section>> all = new LinkedHashMap<>();

    private AmqpLetters() {}

    static Stream<Letter> all() throws IOException {
        AmqpLetters letters = new AmqpLetters();
        letters.values();
        letters.collections();
        letters.data();
        letters.annotated();
        letters.heads();
        letters.large();
        return letters.all.entrySet().stream().map(entry -> letter(entry.getKey(), entry.getValue()));
    }

    private static Letter letter(String name, List<Section> sections) {
        return new Letter("raw AMQP " + name, Routing.QUEUE, (broker, addresses) -> {
            byte[] message = AmqpBodies.sections(8 << 20, sections.toArray(new Section[0]));
            try (RawAmqp wire = new RawAmqp(broker.port())) {
                for (String address : addresses) {
                    wire.send(address, message);
                }
            }
        });
    }

    private void put(String name, Section... sections) {
        all.put(name, List.of(sections));
    }

    private static Map<String, @Nullable Object> primitives() {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        values.put("null", null);
        values.put("string", "gr\u00fc\u00df");
        values.put("empty string", "");
        values.put("boolean", true);
        values.put("byte", (byte) -7);
        values.put("short", (short) -700);
        values.put("int", -70_000);
        values.put("long", -7_000_000_000L);
        values.put("ubyte", UnsignedByte.valueOf((byte) 0xf0));
        values.put("ushort", UnsignedShort.valueOf((short) 0xfff0));
        values.put("uint", UnsignedInteger.valueOf(-16));
        values.put("small uint", UnsignedInteger.valueOf(7));
        values.put("ulong", UnsignedLong.valueOf(BigInteger.ONE.shiftLeft(63)));
        values.put("float", 1.5f);
        values.put("double", -2.25);
        values.put("char", '\u20ac');
        values.put("decimal32", new Decimal32(new BigDecimal("1.5")));
        values.put("decimal64", new Decimal64(new BigDecimal("-12.75")));
        values.put("decimal128", new Decimal128(new BigDecimal("123456789.125")));
        values.put("timestamp", new Date(1_700_000_000_123L));
        values.put("uuid", new UUID(0x0123456789abcdefL, 0x8edcba9876543210L));
        values.put("binary", new Binary(new byte[] {0, (byte) 0xff, 7}));
        values.put("symbol", Symbol.valueOf("a-symbol"));
        return values;
    }

    private void values() {
        primitives().forEach((name, value) -> put("value: " + name, new AmqpValue(value)));
        put("value: array of numbers", new AmqpValue(new Integer[] {1, 2, 3}));
        put("value: array of symbols", new AmqpValue(new Symbol[] {Symbol.valueOf("a"), Symbol.valueOf("b")}));
        put("value: empty binary", new AmqpValue(new Binary(new byte[0])));
        for (String type : List.of("text/plain", "application/x-java-serialized-object", "application/octet-stream")) {
            put("string of " + type, contentType(type), new AmqpValue("a text"));
            put("binary of " + type, contentType(type), new AmqpValue(new Binary(XML)));
        }
    }

    private static Map<String, @Nullable Object> flat() {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("text", "abc");
        map.put("int", 42);
        map.put("char", 'x');
        map.put("flag", true);
        map.put("nothing", null);
        map.put("float", 0.5f);
        return map;
    }

    private void collections() {
        put("map", new AmqpValue(flat()));
        put("empty map", new AmqpValue(Map.of()));
        primitives().forEach((name, value) -> {
            Map<String, @Nullable Object> map = new HashMap<>();
            map.put("value", value);
            put("map of " + name, new AmqpValue(map));
            put("list of " + name, new AmqpValue(new ArrayList<>(Arrays.asList("first", value))));
        });
        put("map of maps", new AmqpValue(Map.of("inner", Map.of("a", 1))));
        put("map of lists", new AmqpValue(Map.of("inner", List.of("a", 1))));
        put("map of arrays", new AmqpValue(Map.of("inner", new Integer[] {1, 2})));
        put("map by numbers", new AmqpValue(Map.of(7, "seven")));
        put("map by symbols", new AmqpValue(Map.of(Symbol.valueOf("seven"), 7)));
        put("map with an empty name", new AmqpValue(Map.of("", 7)));
        put("list", new AmqpValue(new ArrayList<>(flat().values())));
        put("empty list", new AmqpValue(List.of()));
        put("list of lists", new AmqpValue(List.of(1, List.of("a", 1))));
        put("sequence", new AmqpSequence(new ArrayList<>(flat().values())));
        put("empty sequence", new AmqpSequence(List.of()));
        put("sequences", new AmqpSequence(List.of(1, "two")), new AmqpSequence(List.of(3L)));
        put("sequence of uint", new AmqpSequence(List.of(UnsignedInteger.valueOf(7))));
        put("sequence of binary", new AmqpSequence(List.of(new Binary(XML))));
        put("sequence of text/plain", contentType("text/plain"), new AmqpSequence(List.of(1, "two")));
        put("map of application/json", contentType("application/json"), new AmqpValue(flat()));
    }

    private void data() throws IOException {
        List<String> types = List.of(
                "text/plain",
                "text/plain; charset=utf-8",
                "text/plain;charset=\"iso-8859-1\"",
                "text/plain; charset=nonsense",
                "TEXT/PLAIN",
                "application/json",
                "application/json;charset=utf-8",
                "application/soap+xml",
                "application/octet-stream",
                "image/png",
                "nonsense");
        put("data", data(XML));
        put("no data", data(new byte[0]));
        put("data twice", data(XML), data(NOT_UTF8));
        put("no body", new Header());
        for (String type : types) {
            put("data of " + type, contentType(type), data(XML));
            put("no data of " + type, contentType(type), data(new byte[0]));
            put("no body of " + type, contentType(type));
            put("broken data of " + type, contentType(type), data(NOT_UTF8));
        }
        String serialized = "application/x-java-serialized-object";
        put("serialized object", contentType(serialized), data(Objects.serialized("an object")));
        put("broken object", contentType(serialized), data(NOT_UTF8));
        put("no serialized object", contentType(serialized), data(new byte[0]));
        put("no body of " + serialized, contentType(serialized));
        put("texts", contentType("text/plain"), data(XML), data(XML));
        Properties encoded = new Properties();
        encoded.setContentType(Symbol.valueOf("text/plain"));
        encoded.setContentEncoding(Symbol.valueOf("gzip"));
        put("data with content encoding", encoded, data(XML));
    }

    private static Data data(byte[] bytes) {
        return new Data(new Binary(bytes));
    }

    private static Properties contentType(String type) {
        Properties properties = new Properties();
        properties.setContentType(Symbol.valueOf(type));
        return properties;
    }

    private static MessageAnnotations type(Object type) {
        return new MessageAnnotations(Map.of(JMS_TYPE, type));
    }

    /** As clients that know of JMS annotate. */
    private void annotated() {
        put("annotated as message", type((byte) 0), new AmqpValue(null));
        put("annotated as object", type((byte) 1), new AmqpValue(Map.of("a", 1)));
        put("annotated as map", type((byte) 2), new AmqpValue(flat()));
        put("annotated as map of maps", type((byte) 2), new AmqpValue(Map.of("inner", Map.of("a", 1))));
        put("annotated as map of uint", type((byte) 2), new AmqpValue(Map.of("a", UnsignedInteger.valueOf(7))));
        put("annotated as bytes", type((byte) 3), data(XML));
        put("annotated as bytes with type", type((byte) 3), contentType("text/plain"), data(XML));
        put("annotated as bytes, a value", type((byte) 3), new AmqpValue(new Binary(XML)));
        put("annotated as stream", type((byte) 4), new AmqpSequence(List.of(1, "two")));
        put("annotated as stream, a list", type((byte) 4), new AmqpValue(List.of(1, "two")));
        put("annotated as stream of binary", type((byte) 4), new AmqpSequence(List.of(new Binary(XML))));
        put("annotated as stream of uint", type((byte) 4), new AmqpSequence(List.of(1, UnsignedInteger.valueOf(7))));
        put("annotated as stream of lists", type((byte) 4), new AmqpValue(List.of("a", List.of(1, 2))));
        put("annotated as text", type((byte) 5), new AmqpValue("a text"));
        put("annotated as text, nothing", type((byte) 5), new AmqpValue(null));
        put("annotated as text, data", type((byte) 5), data(XML));
        put("annotated as text, latin", type((byte) 5), contentType("text/plain;charset=iso-8859-1"), data(XML));
        put("annotated as bytes, no body", type((byte) 3));
        put("annotated as text, no body", type((byte) 5));
    }

    private static Map<Symbol, @Nullable Object> symbols(String prefix) {
        Map<Symbol, @Nullable Object> annotations = new LinkedHashMap<>();
        primitives().forEach((name, value) -> annotations.put(Symbol.valueOf(prefix + name.replace(' ', '-')), value));
        annotations.put(Symbol.valueOf(prefix + "map"), new LinkedHashMap<>(Map.of("a", 1)));
        annotations.put(Symbol.valueOf(prefix + "list"), new ArrayList<>(List.of(1L, "two")));
        return annotations;
    }

    /** A producer uses the names that the broker itself uses for converted properties. */
    private static Map<String, Object> strangersNames() {
        return Map.of(
                "JMS_AMQP_ContentType",
                "image/png",
                "JMS_AMQP_FT_x-sum",
                8,
                "JMS_AMQP_TYPED_ENCODING",
                true,
                "mqtt.content.type",
                "text/plain",
                "mqtt.payload.format.indicator",
                1);
    }

    private void heads() {
        AmqpValue text = new AmqpValue("a text");
        primitives().forEach((name, value) -> {
            Map<String, @Nullable Object> properties = new HashMap<>();
            properties.put("value", value);
            put("application property: " + name, new ApplicationProperties(properties), text);
        });
        put("names of other protocols", new ApplicationProperties(strangersNames()), text);
        put("names of other protocols, and data", new ApplicationProperties(strangersNames()), data(XML));
        put("message annotations", new MessageAnnotations(symbols("x-opt-")), text);
        put("delivery annotations", new DeliveryAnnotations(symbols("x-opt-")), text);
        symbols("x-").forEach((name, value) -> {
            Map<Symbol, @Nullable Object> footer = new HashMap<>();
            footer.put(name, value);
            put("footer: " + name, text, new Footer(footer));
        });
        put("data and footer", data(XML), new Footer(Map.of(Symbol.valueOf("x-sum"), 7)));
        put("map and footer", new AmqpValue(flat()), new Footer(symbols("x-")));
        put("footer alone", new Footer(Map.of(Symbol.valueOf("x-sum"), 7)));
        List<Object> ids = List.of(
                "an id",
                "ID:an-id",
                new UUID(1, 2),
                UnsignedLong.valueOf(7),
                UnsignedLong.valueOf(BigInteger.ONE.shiftLeft(63)),
                new Binary(new byte[] {0, 1, (byte) 0x80}));
        for (Object id : ids) {
            Properties message = new Properties();
            message.setMessageId(id);
            put("message id: " + id.getClass().getSimpleName() + " " + id, message, text);
            Properties correlation = new Properties();
            correlation.setCorrelationId(id);
            put("correlation id: " + id.getClass().getSimpleName() + " " + id, correlation, text);
        }
        Properties full = new Properties();
        full.setUserId(new Binary("sam".getBytes(UTF_8)));
        full.setTo("elsewhere");
        full.setSubject("a subject");
        full.setReplyTo("replies");
        full.setGroupId("a group");
        full.setGroupSequence(UnsignedInteger.valueOf(9));
        full.setReplyToGroupId("a reply group");
        full.setCreationTime(new Date(1_600_000_000_000L));
        full.setAbsoluteExpiryTime(new Date(4_000_000_000_000L));
        put("properties", full, text);
        Header header = new Header();
        header.setDurable(true);
        header.setPriority(UnsignedByte.valueOf((byte) 7));
        header.setTtl(UnsignedInteger.valueOf(600_000));
        header.setFirstAcquirer(true);
        header.setDeliveryCount(UnsignedInteger.valueOf(2));
        put("header", header, text);
        put("empty header", new Header(), text);
    }

    private void large() {
        for (int size : new int[] {90 << 10, 101 << 10, 600 << 10}) {
            String name = ", " + size + " bytes";
            byte[] bytes = Kind.bytes(size);
            put("data" + name, data(bytes));
            put("string" + name, new AmqpValue(Kind.text(size)));
            put(
                    "data of text/plain" + name,
                    contentType("text/plain"),
                    data(Kind.text(size).getBytes(UTF_8)));
            put("map" + name, new AmqpValue(Map.of("text", Kind.text(size), "int", 7)));
            put("sequence" + name, new AmqpSequence(List.of(Kind.text(size), 7)));
            put("list" + name, new AmqpValue(List.of(Kind.text(size), 7)));
            put("binary" + name, new AmqpValue(new Binary(bytes)));
            put("uint and footer" + name, new AmqpValue(UnsignedInteger.valueOf(7)), footer(Kind.text(size)));
            put(
                    "data with all" + name,
                    new MessageAnnotations(Map.of(Symbol.valueOf("x-opt-mine"), 7)),
                    contentType("image/png"),
                    new ApplicationProperties(Map.of("a", 7)),
                    data(bytes),
                    footer("small"));
        }
        put("data, 5 MB", data(Kind.bytes(5_000_000)));
        put("map, 5 MB", new AmqpValue(Map.of("text", Kind.text(5_000_000))));
    }

    private static Footer footer(String text) {
        return new Footer(Map.of(Symbol.valueOf("x-text"), text));
    }
}
