/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.message;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.internal.format.Malformed;

/**
 * The text of the properties that a policy hides. The header line Signet-Property-hidden carries it, as
 * {@code docs/format.md} describes. Equal properties have one text, and a text that is written in another form is
 * malformed.
 */
public final class HiddenProperties {
    /** The name of the property of {@link ClearMessage} and {@link Entity} whose value is the text. */
    public static final String KEY = "hidden";

    /** The most properties of one message. */
    public static final int MOST = 64;

    /** The most bytes of a text in its header line, percent-encoded. The other lines may need the rest of a header. */
    public static final int MOST_BYTES = 12_288;

    private static final Pattern NAME = Pattern.compile("(?!JMS|_AMQ|_HQ)[A-Za-z_$][A-Za-z0-9_$]{0,127}");
    private static final List<Class<?>> TYPES =
            List.of(Boolean.class, Byte.class, Short.class, Integer.class, Long.class, Float.class, Double.class);
    private static final String LETTERS = "tbhilfd";

    private static final HexFormat HEX = HexFormat.of();
    private static final String NO_FORM = "hidden properties: not NAME=TYPE LENGTH:VALUE; in the order of the names";

    private HiddenProperties() {}

    /** Tells whether a property of this name can travel hidden. */
    public static boolean isName(String name) {
        return NAME.matcher(name).matches();
    }

    /** Tells whether a value has a type that can travel hidden. Null can. */
    public static boolean isValue(@Nullable Object value) {
        return value == null || type(value) != 0;
    }

    /**
     * Returns the text of these properties.
     *
     * @param properties values of type Boolean, Byte, Short, Integer, Long, Float, Double and String, or null, by name
     * @throws IllegalArgumentException if there is none or more than {@link #MOST}, a name or type cannot be hidden, or
     *     the text needs more than {@link #MOST_BYTES}
     */
    public static String encode(Map<String, ? extends @Nullable Object> properties) {
        if (properties.isEmpty() || properties.size() > MOST) {
            throw new IllegalArgumentException("hidden properties: from 1 to " + MOST + ", not " + properties.size());
        }
        StringBuilder text = new StringBuilder();
        new TreeMap<>(properties).forEach((name, value) -> {
            if (!isName(name) || !isValue(value)) {
                throw new IllegalArgumentException("hidden properties: a name or a type that cannot travel hidden");
            }
            append(text.append(name).append('='), value);
        });
        if (text.length() > MOST_BYTES || encodedLength(text.toString()) > MOST_BYTES) {
            throw new IllegalArgumentException("hidden properties: more than " + MOST_BYTES + " bytes");
        }
        return text.toString();
    }

    /** Returns the length of a text in a header line, percent-encoded. */
    private static int encodedLength(String text) {
        int length = 0;
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            length += b >= ' ' && b <= '~' && b != '%' ? 1 : 3;
        }
        return length;
    }

    private static void append(StringBuilder text, @Nullable Object value) {
        String written = value == null ? "" : written(value);
        text.append(type(value))
                .append(written.length())
                .append(':')
                .append(written)
                .append(';');
    }

    private static String written(Object value) {
        if (value instanceof Float number) {
            return HEX.toHexDigits(Float.floatToRawIntBits(number));
        }
        if (value instanceof Double number) {
            return HEX.toHexDigits(Double.doubleToRawLongBits(number));
        }
        return value instanceof String text && !isUnicode(text) ? utf16(text) : value.toString();
    }

    /** Returns the letter of a type; 0 for other types. */
    private static char type(@Nullable Object value) {
        if (value == null) {
            return 'n';
        }
        if (value instanceof String text) {
            return isUnicode(text) ? 's' : 'u';
        }
        int type = TYPES.indexOf(value.getClass());
        return type < 0 ? 0 : LETTERS.charAt(type);
    }

    /** Tells whether a text has no lone surrogate, which a header line cannot carry. */
    private static boolean isUnicode(String text) {
        return text.codePoints()
                .noneMatch(point -> point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE);
    }

    private static String utf16(String text) {
        StringBuilder digits = new StringBuilder(4 * text.length());
        text.chars().forEach(unit -> digits.append(HEX.toHexDigits((char) unit)));
        return digits.toString();
    }

    /**
     * Returns the properties of a text, in the order of their names. A value may be null.
     *
     * @throws MalformedEnvelopeException if the text is not one that {@link #encode} returns
     */
    public static Map<String, @Nullable Object> decode(String text) {
        Malformed.when(text.isEmpty() || text.length() > MOST_BYTES, NO_FORM);
        Map<String, @Nullable Object> properties = new LinkedHashMap<>();
        try {
            for (int at = 0; at < text.length(); ) {
                int type = text.indexOf('=', at) + 1;
                int colon = text.indexOf(':', type);
                Malformed.when(type == 0 || colon < type + 2 || properties.size() == MOST, NO_FORM);
                int end = Math.addExact(colon + 1, Integer.parseInt(text, type + 1, colon, 10));
                Malformed.when(end <= colon || end >= text.length(), NO_FORM);
                properties.put(text.substring(at, type - 1), value(text.charAt(type), text.substring(colon + 1, end)));
                at = end + 1;
            }
            Malformed.when(!encode(properties).equals(text), NO_FORM); // so each text has one form, and names one order
        } catch (IllegalArgumentException | ArithmeticException other) {
            throw new MalformedEnvelopeException(NO_FORM);
        }
        return Collections.unmodifiableMap(properties);
    }

    private static @Nullable Object value(char type, String written) {
        return switch (type) {
            case 'n' -> null;
            case 't' -> Boolean.valueOf(written);
            case 'b' -> Byte.valueOf(written);
            case 'h' -> Short.valueOf(written);
            case 'i' -> Integer.valueOf(written);
            case 'l' -> Long.valueOf(written);
            case 'f' -> Float.intBitsToFloat(HexFormat.fromHexDigits(written));
            case 'd' -> Double.longBitsToDouble(HexFormat.fromHexDigitsToLong(written));
            case 's' -> written;
            case 'u' -> text(written);
            default -> throw new MalformedEnvelopeException(NO_FORM);
        };
    }

    private static String text(String digits) {
        Malformed.when(digits.length() % 4 != 0, NO_FORM);
        StringBuilder text = new StringBuilder(digits.length() / 4);
        for (int i = 0; i < digits.length(); i += 4) {
            text.append((char) HexFormat.fromHexDigits(digits, i, i + 4));
        }
        return text.toString();
    }
}
