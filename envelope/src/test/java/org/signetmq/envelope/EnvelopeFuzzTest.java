/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1InputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.internal.cms.EnvelopeParser;
import org.signetmq.envelope.internal.cms.EnvelopeSplitter;
import org.signetmq.envelope.internal.cms.ParsedEnvelope;
import org.signetmq.envelope.internal.der.DerWriter;
import org.signetmq.envelope.internal.der.OutputBuffer;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.entity.EntityReading;
import org.signetmq.envelope.internal.entity.PercentEncoding;
import org.signetmq.envelope.internal.format.HeaderName;
import org.signetmq.envelope.message.Entity;

/** The parsers of envelopes throw their one documented exception, or parse as Bouncy Castle does. */
final class EnvelopeFuzzTest {
    /** The first inputs: the vectors of the document, whole, cut and with further bytes. */
    static Stream<Arguments> envelopes() throws IOException {
        return FormatDocument.read().blocks("vector").stream()
                .map(vector -> HexFormat.of().parseHex(vector.fields().getOrDefault("envelope", "")))
                .flatMap(bytes -> Stream.of(
                        bytes, Arrays.copyOf(bytes, bytes.length / 2), Arrays.copyOf(bytes, bytes.length + 9)))
                .map(Arguments::of);
    }

    @MethodSource("envelopes")
    @FuzzTest(maxDuration = "60s")
    void parsedEnvelope_isWhatItsDistinguishedEncodingIs(byte @NotNull [] bytes) throws IOException {
        ParsedEnvelope parsed;
        try {
            parsed = EnvelopeParser.parse(Slice.of(bytes));
        } catch (MalformedEnvelopeException expected) {
            return; // the only documented failure
        }

        assertThat(EnvelopeDescription.of(bytes).length()).isEqualTo(bytes.length);
        byte[] der = distinguished(bytes);
        if (der != null) {
            assertThat(content(EnvelopeParser.parse(Slice.of(der)))).isEqualTo(content(parsed));
        }
    }

    /**
     * Returns the distinguished encoding, or null if an element is broken that the parser never reads, as in a
     * certificate.
     */
    private static byte @Nullable [] distinguished(byte[] bytes) {
        try (ASN1InputStream in = new ASN1InputStream(bytes)) {
            byte[] der = in.readObject().getEncoded(ASN1Encoding.DER);
            assertThat(in.read()).isNegative();
            return der;
        } catch (IOException | IllegalStateException | IllegalArgumentException broken) {
            return null;
        }
    }

    private static byte[] content(ParsedEnvelope envelope) {
        return envelope instanceof ParsedEnvelope.Signed signed
                ? signed.content().copy()
                : ((ParsedEnvelope.Encrypted) envelope).content().ciphertext().copy();
    }

    static Stream<Arguments> rows() throws IOException {
        return envelopes().flatMap(one -> Stream.of(one, Arguments.of(twice((byte[]) one.get()[0]))));
    }

    private static byte[] twice(byte[] bytes) {
        return DerWriter.concat(bytes, bytes);
    }

    @MethodSource("rows")
    @FuzzTest(maxDuration = "30s")
    void rowOfEnvelopes_isCutWithoutLosingAByte(byte @NotNull [] bytes) throws IOException {
        EnvelopeSplitter input = new EnvelopeSplitter(new ByteArrayInputStream(bytes));
        OutputBuffer buffer = new OutputBuffer();
        ByteArrayOutputStream pieces = new ByteArrayOutputStream();
        try {
            for (Slice piece = input.next(buffer); piece != null; piece = input.next(buffer)) {
                pieces.write(piece.array(), piece.offset(), piece.length());
            }
        } catch (MalformedEnvelopeException expected) {
            return;
        }

        assertThat(pieces.toByteArray()).isEqualTo(bytes);
    }

    static Stream<Arguments> entities() throws IOException {
        return FormatDocument.read().blocks("vector").stream()
                .map(vector -> HexFormat.of().parseHex(vector.fields().getOrDefault("entity", "")))
                .map(Arguments::of);
    }

    @MethodSource("entities")
    @FuzzTest(maxDuration = "60s")
    void readEntity_endsWithItsPayload(byte @NotNull [] bytes) {
        Entity entity;
        try {
            entity = EntityReading.of(bytes, 0, bytes.length);
        } catch (MalformedEnvelopeException expected) {
            return;
        }

        int header = bytes.length - entity.payload().length;
        assertThat(header).isBetween(4, HeaderName.MOST_HEADER_BYTES);
        assertThat(Arrays.copyOfRange(bytes, header, bytes.length)).isEqualTo(entity.payload());
        assertThat(Arrays.copyOfRange(bytes, header - 4, header)).containsExactly('\r', '\n', '\r', '\n');
    }

    static Stream<String> encodings() {
        return Stream.of("", "orders.eu", "Z%C3%BCrich", "%25", "%20", "%", "%c3", "\u0100");
    }

    @MethodSource("encodings")
    @FuzzTest(maxDuration = "30s")
    void decodedText_encodesIdentically(@NotNull String encoded) {
        if (!encoded.chars().allMatch(c -> c >= ' ' && c <= '~')) {
            return; // the reader rejects other characters
        }
        String text;
        try {
            text = PercentEncoding.decode(encoded);
        } catch (MalformedEnvelopeException expected) {
            return;
        }

        assertThat(PercentEncoding.encode(text)).isEqualTo(encoded);
    }

    @MethodSource("encodings")
    @FuzzTest(maxDuration = "30s")
    void encodedText_decodesIdentically(@NotNull String text) {
        String sound =
                new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8); // without lone surrogates

        assertThat(PercentEncoding.decode(PercentEncoding.encode(sound))).isEqualTo(sound);
    }
}
