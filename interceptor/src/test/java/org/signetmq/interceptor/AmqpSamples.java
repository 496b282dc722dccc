/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.Decimal128;
import org.apache.qpid.proton.amqp.Decimal32;
import org.apache.qpid.proton.amqp.Decimal64;
import org.apache.qpid.proton.amqp.DescribedType;
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
import org.apache.qpid.proton.codec.AMQPDefinedTypes;
import org.apache.qpid.proton.codec.DecoderImpl;
import org.apache.qpid.proton.codec.EncoderImpl;

/** AMQP messages with every section, every primitive type in each, and every form of body. */
@SuppressWarnings("JavaUtilDate") // as proton-j has timestamps
final class AmqpSamples {
    /** The broker itself, without the plugin, rejects large messages with arrays of numbers in their annotations. */
    private static final int MOST_WITH_ARRAYS = 95 << 10;

    /** Says nothing of how a body is to be read, and nothing true of an envelope. */
    static final String CONTENT_TYPE = "application/x-sample";

    private static final Object[] IDS = {
        "an id",
        UnsignedLong.valueOf(BigInteger.ONE.shiftLeft(63)),
        new UUID(1, 2),
        new Binary(new byte[] {0, 1, (byte) 0x80})
    };

    private AmqpSamples() {}

    /**
     * A message.
     *
     * @param name names the kind of its body
     * @param head all sections before the body, encoded
     * @param rest the body and the footer, encoded
     */
    record Sample(String name, byte[] head, byte[] rest) {
        byte[] encoded() {
            byte[] whole = Arrays.copyOf(head, head.length + rest.length);
            System.arraycopy(rest, 0, whole, head.length, rest.length);
            return whole;
        }

        @Override
        public String toString() {
            return name + ", " + (head.length + rest.length) + " bytes";
        }
    }

    private static Map<String, Object> primitives() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("null", null);
        all.put("boolean", true);
        all.put("ubyte", UnsignedByte.valueOf((byte) 0xf0));
        all.put("ushort", UnsignedShort.valueOf((short) 0xfff0));
        all.put("uint", UnsignedInteger.valueOf(-16));
        all.put("uint0", UnsignedInteger.ZERO);
        all.put("ulong", UnsignedLong.valueOf(BigInteger.ONE.shiftLeft(63)));
        all.put("byte", (byte) -7);
        all.put("short", (short) -700);
        all.put("int", -70_000);
        all.put("long", -7_000_000_000L);
        all.put("float", 1.5f);
        all.put("double", -2.25);
        all.put("decimal32", new Decimal32(new BigDecimal("1.5")));
        all.put("decimal64", new Decimal64(new BigDecimal("-12.75")));
        all.put("decimal128", new Decimal128(new BigDecimal("123456789.125")));
        all.put("char", 'x');
        all.put("timestamp", new Date(1_700_000_000_123L));
        all.put("uuid", new UUID(0x0123456789abcdefL, 0x8edcba9876543210L));
        all.put("binary", new Binary(new byte[] {0, (byte) 0xff, 7}));
        all.put("string", "tschüß, κόσμε");
        all.put("symbol", Symbol.valueOf("a-symbol"));
        return all;
    }

    private static Map<Symbol, Object> annotations(String prefix, boolean arrays) {
        Map<Symbol, Object> all = new LinkedHashMap<>();
        primitives().forEach((name, value) -> all.put(Symbol.valueOf(prefix + name), value));
        all.put(Symbol.valueOf(prefix + "map"), nestedMap(1));
        if (arrays) {
            all.put(Symbol.valueOf(prefix + "list"), nestedList(1));
            all.put(Symbol.valueOf(prefix + "numbers"), new Integer[] {7, 8});
        }
        all.put(Symbol.valueOf(prefix + "array"), new Symbol[] {Symbol.valueOf("a"), Symbol.valueOf("b")});
        return all;
    }

    /** With maps and lists, which AMQP forbids here and Artemis takes. */
    private static Map<String, Object> applicationProperties() {
        Map<String, Object> all = primitives();
        all.put("map", nestedMap(1));
        all.put("list", new ArrayList<>(List.of(1L, "two", new UUID(3, 4))));
        return all;
    }

    private static Map<Object, Object> nestedMap(int pad) {
        Map<Object, Object> map = new LinkedHashMap<>();
        map.put(UnsignedInteger.valueOf(7), Symbol.valueOf("by a number"));
        map.put(Symbol.valueOf("inner"), new LinkedHashMap<>(Map.of(new UUID(3, 4), List.of(1L, "two"))));
        map.put("pad", filler(pad));
        return map;
    }

    private static List<Object> nestedList(int pad) {
        return new ArrayList<>(Arrays.asList(
                UnsignedByte.valueOf((byte) 1),
                null,
                List.of(new UUID(5, 6), 'c'),
                new Integer[] {1, 2, 3},
                filler(pad)));
    }

    private static Binary filler(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i * 31 + (i >> 8));
        }
        return new Binary(bytes);
    }

    private static DescribedType described(int pad) {
        return new DescribedType() {
            @Override
            public Object getDescriptor() {
                return Symbol.valueOf("org.signetmq:sample:list");
            }

            @Override
            public Object getDescribed() {
                return nestedList(pad);
            }
        };
    }

    /** Those of each kind of body that is so long, and if it is short those of each value too. */
    static List<Sample> of(int length) {
        List<Sample> samples = new ArrayList<>(padded(length));
        if (length < 1000) {
            samples.addAll(scalars(length));
        }
        return samples;
    }

    /** Those without any section before the body, and one without a body. */
    static List<Sample> incomplete(int length) {
        List<Sample> samples = new ArrayList<>();
        for (Sample whole : padded(length)) {
            samples.add(new Sample(whole.name() + " alone", new byte[0], whole.rest()));
        }
        samples.add(new Sample("no body", encode(head(0, length < MOST_WITH_ARRAYS)), new byte[0]));
        return samples;
    }

    /** Samples with a body of about this length. */
    static List<Sample> padded(int pad) {
        Map<String, List<Section>> bodies = new LinkedHashMap<>();
        bodies.put("data", List.of(new Data(filler(pad))));
        bodies.put("data, twice", List.of(new Data(filler(pad / 2)), new Data(filler(pad / 2))));
        bodies.put("string", List.of(new AmqpValue("x".repeat(pad))));
        bodies.put("binary", List.of(new AmqpValue(filler(pad))));
        bodies.put("list", List.of(new AmqpValue(nestedList(pad))));
        bodies.put("map", List.of(new AmqpValue(nestedMap(pad))));
        bodies.put(
                "array",
                List.of(new AmqpValue(
                        Collections.nCopies(pad / Long.BYTES + 1, 7L).toArray(new Long[0]))));
        bodies.put("described", List.of(new AmqpValue(described(pad))));
        bodies.put("sequence", List.of(new AmqpSequence(nestedList(pad))));
        bodies.put(
                "sequence, twice",
                List.of(new AmqpSequence(nestedList(pad / 2)), new AmqpSequence(nestedList(pad / 2))));
        return samples(bodies, 1);
    }

    /** Those of one value each, with a footer that is so long. */
    static List<Sample> scalars(int footer) {
        Map<String, List<Section>> bodies = new LinkedHashMap<>();
        primitives().forEach((name, value) -> bodies.put(name, List.of(new AmqpValue(value))));
        return samples(bodies, footer);
    }

    private static List<Sample> samples(Map<String, List<Section>> bodies, int footer) {
        List<Sample> samples = new ArrayList<>();
        bodies.forEach((name, sections) -> {
            List<Section> rest = new ArrayList<>(sections);
            if (footer > 1 || samples.size() % 3 == 1) {
                Map<Object, Object> values = new LinkedHashMap<>(annotations("footer-", true));
                values.put(Symbol.valueOf("footer-pad"), filler(footer));
                rest.add(new Footer(values));
            }
            byte[] encoded = encode(rest);
            boolean arrays = encoded.length < MOST_WITH_ARRAYS;
            samples.add(new Sample(name, encode(head(samples.size(), arrays)), encoded));
        });
        return samples;
    }

    private static List<Section> head(int number, boolean arrays) {
        Header header = new Header();
        header.setDurable(number % 4 != 3);
        header.setPriority(UnsignedByte.valueOf((byte) 7));
        header.setTtl(UnsignedInteger.valueOf(86_400_000));
        header.setFirstAcquirer(true);
        Properties properties = new Properties();
        properties.setMessageId(IDS[number % IDS.length]);
        properties.setUserId(new Binary(new byte[] {'m', 'e'}));
        properties.setTo("elsewhere");
        properties.setSubject("a subject");
        properties.setReplyTo("a reply");
        properties.setCorrelationId(IDS[(number + 1) % IDS.length]);
        properties.setContentType(Symbol.valueOf(CONTENT_TYPE));
        properties.setGroupId("group " + number);
        properties.setContentEncoding(Symbol.valueOf("identity"));
        properties.setAbsoluteExpiryTime(new Date(4_000_000_000_000L));
        properties.setCreationTime(new Date(1_600_000_000_000L));
        properties.setGroupSequence(UnsignedInteger.valueOf(9));
        properties.setReplyToGroupId("a reply group");
        return List.of(
                header,
                new DeliveryAnnotations(annotations("x-delivery-", arrays)),
                new MessageAnnotations(annotations("x-message-", arrays)),
                properties,
                new ApplicationProperties(applicationProperties()));
    }

    static byte[] encode(List<Section> sections) {
        EncoderImpl encoder = encoder();
        ByteBuffer buffer = ByteBuffer.allocate(8 << 20);
        encoder.setByteBuffer(buffer);
        sections.forEach(encoder::writeObject);
        return Arrays.copyOf(buffer.array(), buffer.position());
    }

    private static EncoderImpl encoder() {
        DecoderImpl decoder = new DecoderImpl();
        EncoderImpl encoder = new EncoderImpl(decoder);
        AMQPDefinedTypes.registerAllTypes(decoder, encoder);
        return encoder;
    }

    /** The sections of a message, decoded, in their order. */
    static List<Object> sections(byte[] message) {
        DecoderImpl decoder = new DecoderImpl();
        AMQPDefinedTypes.registerAllTypes(decoder, new EncoderImpl(decoder));
        ByteBuffer buffer = ByteBuffer.wrap(message);
        decoder.setByteBuffer(buffer);
        List<Object> sections = new ArrayList<>();
        while (buffer.hasRemaining()) {
            sections.add(decoder.readObject());
        }
        return Collections.unmodifiableList(sections);
    }

    /** A value with the types of all its members, independent of the order in maps. */
    static String text(Object value) {
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(entry -> text(entry.getKey()) + " -> " + text(entry.getValue()))
                    .sorted()
                    .toList()
                    .toString();
        }
        if (value instanceof List<?> list) {
            return list.stream().map(AmqpSamples::text).toList().toString();
        }
        if (value instanceof Object[] array) {
            return "array of " + text(Arrays.asList(array));
        }
        if (value != null && value.getClass().isArray()) {
            return value.getClass().getSimpleName()
                    + IntStream.range(0, Array.getLength(value))
                            .mapToObj(i -> text(Array.get(value, i)))
                            .toList();
        }
        return value == null ? "null" : value.getClass().getSimpleName() + " " + value;
    }
}
