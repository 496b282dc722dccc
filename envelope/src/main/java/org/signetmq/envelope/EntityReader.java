/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads an entity. Its header is bounded; duplicates and what we do not know of our own are refused. */
final class EntityReader {
    private static final String DEFAULT_TYPE = "application/octet-stream";

    private final Map<String, String> lines = new LinkedHashMap<>();
    private final Map<String, String> properties = new LinkedHashMap<>();

    private EntityReader() {}

    /** The entity in the first so many bytes. The payload is copied. */
    static Entity read(byte[] bytes, int offset, int length) {
        int limit = offset + Math.min(length, HeaderName.MOST_HEADER_BYTES);
        EntityReader reader = new EntityReader();
        int start = offset;
        while (true) {
            int end = lineEnd(bytes, start, limit);
            if (end == start) {
                return reader.entity(Arrays.copyOfRange(bytes, end + 2, offset + length));
            }
            reader.line(new String(bytes, start, end - start, US_ASCII));
            start = end + 2;
        }
    }

    private static int lineEnd(byte[] bytes, int start, int limit) {
        for (int i = start; i + 1 < limit; i++) {
            if (bytes[i] == '\r' && bytes[i + 1] == '\n') {
                return i;
            }
            if (bytes[i] < ' ' || bytes[i] > '~') {
                throw new MalformedEnvelopeException("entity: a header line holds more than printable ASCII");
            }
        }
        throw new MalformedEnvelopeException(
                "entity: no end of the header within " + HeaderName.MOST_HEADER_BYTES + " bytes");
    }

    private void line(String line) {
        int colon = line.indexOf(": ");
        if (colon <= 0) {
            throw new MalformedEnvelopeException("entity: a header line without name");
        }
        String name = line.substring(0, colon).toLowerCase(Locale.ROOT);
        String value = line.substring(colon + 2);
        if (lines.put(name, value) != null) {
            throw new MalformedEnvelopeException("entity: a header line stands twice");
        }
        String property = HeaderName.PROPERTY_PREFIX.toLowerCase(Locale.ROOT);
        if (name.startsWith(property)) {
            String propertyName = line.substring(property.length(), colon);
            if (!HeaderName.isPropertyName(propertyName)) {
                throw new MalformedEnvelopeException("entity: a property's name is not of letters, digits and hyphens");
            }
            properties.put(propertyName, PercentEncoding.decode(value));
        }
    }

    private Entity entity(byte[] payload) {
        if (!"1".equals(take(HeaderName.VERSION))) {
            throw new MalformedEnvelopeException("entity: not of Signet-Version 1, the one known here");
        }
        String encoding = take(HeaderName.TRANSFER_ENCODING);
        if (encoding != null && !encoding.equalsIgnoreCase("binary")) {
            throw new MalformedEnvelopeException("entity: its Content-Transfer-Encoding is not binary");
        }
        String type = take(HeaderName.CONTENT_TYPE);
        String segment = take(HeaderName.SEGMENT);
        String sender = take(HeaderName.SENDER);
        String policy = take(HeaderName.POLICY);
        Entity entity = new Entity(
                type == null ? DEFAULT_TYPE : PercentEncoding.decode(type),
                messageId(required(HeaderName.MESSAGE_ID)),
                PercentEncoding.decode(required(HeaderName.ADDRESS)),
                required(HeaderName.BODY),
                new Entity.Attribution(decoded(sender), decoded(policy)),
                segment == null ? null : Segment.parse(segment),
                Map.copyOf(properties),
                payload);
        refuseUnknown();
        return entity;
    }

    private static String messageId(String value) {
        boolean sound = value.length() == 34
                && value.charAt(0) == '<'
                && value.charAt(33) == '>'
                && value.substring(1, 33).chars().allMatch(c -> (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'));
        if (!sound) {
            throw new MalformedEnvelopeException("entity: its Message-ID is not 32 hex digits");
        }
        return value.substring(1, 33);
    }

    private static @Nullable String decoded(@Nullable String value) {
        return value == null ? null : PercentEncoding.decode(value);
    }

    private @Nullable String take(String name) {
        return lines.remove(name.toLowerCase(Locale.ROOT));
    }

    private String required(String name) {
        String value = take(name);
        if (value == null) {
            throw new MalformedEnvelopeException("entity: header line " + name + " is missing");
        }
        return value;
    }

    /** What the version does not know may change the meaning: refused. Lines of others are not ours to judge. */
    private void refuseUnknown() {
        String ours = HeaderName.OUR_PREFIX.toLowerCase(Locale.ROOT);
        String property = HeaderName.PROPERTY_PREFIX.toLowerCase(Locale.ROOT);
        for (String name : lines.keySet()) {
            if (name.startsWith(ours) && !name.startsWith(property)) {
                throw new MalformedEnvelopeException("entity: unknown header line of ours");
            }
        }
    }
}
