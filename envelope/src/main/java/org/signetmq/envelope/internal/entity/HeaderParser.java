/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.entity;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.internal.format.HeaderName;
import org.signetmq.envelope.internal.format.Limits;
import org.signetmq.envelope.internal.format.Malformed;

/** Splits the header of an entity into lines, and is reused for the next one. For one thread. */
final class HeaderParser {
    final HeaderLine contentType = new HeaderLine(HeaderName.CONTENT_TYPE);
    final HeaderLine transferEncoding = new HeaderLine(HeaderName.TRANSFER_ENCODING);
    final HeaderLine messageId = new HeaderLine(HeaderName.MESSAGE_ID);
    final HeaderLine version = new HeaderLine(HeaderName.VERSION);
    final HeaderLine address = new HeaderLine(HeaderName.ADDRESS);
    final HeaderLine body = new HeaderLine(HeaderName.BODY);
    final HeaderLine encoding = new HeaderLine(HeaderName.ENCODING);
    final HeaderLine sender = new HeaderLine(HeaderName.SENDER);
    final HeaderLine policy = new HeaderLine(HeaderName.POLICY);
    final HeaderLine segment = new HeaderLine(HeaderName.SEGMENT);

    private final List<HeaderLine> known = List.of(
            contentType, transferEncoding, messageId, version, address, body, encoding, sender, policy, segment);
    private final Map<String, String> properties = new HashMap<>();
    private final Set<String> others = new HashSet<>();

    private Map<String, String> lastProperties = Map.of();

    /**
     * Reads the header at the start of these bytes.
     *
     * @return the index of the first byte of the payload
     * @throws MalformedEnvelopeException if the header is not of the format
     */
    int read(byte[] bytes, int offset, int length) {
        known.forEach(HeaderLine::clear);
        properties.clear();
        others.clear();
        int payload = split(bytes, offset, length);
        lastProperties = Map.copyOf(properties);
        return payload;
    }

    private int split(byte[] bytes, int offset, int length) {
        int limit = offset + Math.min(length, HeaderName.MOST_HEADER_BYTES);
        int start = offset;
        for (int lines = 0; ; lines++) {
            int end = lineEnd(bytes, start, limit);
            if (end == start) {
                return end + 2;
            }
            Malformed.when(
                    lines == Limits.HEADER_LINES, "entity: a header of more than " + Limits.HEADER_LINES + " lines");
            line(bytes, start, end);
            start = end + 2;
        }
    }

    private static int lineEnd(byte[] bytes, int start, int limit) {
        for (int i = start; i + 1 < limit; i++) {
            byte b = bytes[i];
            if (b < ' ' || b > '~') {
                if (b == '\r' && bytes[i + 1] == '\n') {
                    return i;
                }
                throw new MalformedEnvelopeException("entity: a header line has other characters than printable ASCII");
            }
        }
        throw new MalformedEnvelopeException(
                "entity: no end of the header within " + HeaderName.MOST_HEADER_BYTES + " bytes");
    }

    private void line(byte[] bytes, int start, int end) {
        int colon = start;
        while (colon < end && bytes[colon] != ':') {
            colon++;
        }
        Malformed.when(
                colon == start || colon + 1 >= end || bytes[colon + 1] != ' ', "entity: a header line has no name");
        for (HeaderLine line : known) {
            if (line.isNamed(bytes, start, colon)) {
                line.set(bytes, colon + 2, end);
                return;
            }
        }
        String name = new String(bytes, start, colon - start, US_ASCII);
        other(name, new String(bytes, colon + 2, end - colon - 2, US_ASCII));
    }

    /** Keeps a property, ignores a foreign line, and rejects an unknown Signet line: it may change the meaning. */
    private void other(String name, String value) {
        if (!others.add(name.toLowerCase(Locale.ROOT))) {
            throw HeaderLine.twice();
        }
        int prefix = HeaderName.PROPERTY_PREFIX.length();
        if (name.regionMatches(true, 0, HeaderName.PROPERTY_PREFIX, 0, prefix)) {
            String property = name.substring(prefix);
            Malformed.when(
                    !HeaderName.isPropertyName(property),
                    "entity: a property's name is not of letters, digits and hyphens");
            properties.put(property, PercentEncoding.decode(value));
        } else {
            boolean ours = name.regionMatches(true, 0, HeaderName.OUR_PREFIX, 0, HeaderName.OUR_PREFIX.length());
            Malformed.when(ours, "entity: unknown Signet header line");
        }
    }

    /** The Signet-Property lines by name. */
    Map<String, String> properties() {
        return lastProperties;
    }
}
