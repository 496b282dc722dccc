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
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.internal.cms.EnvelopeInput;
import org.signetmq.envelope.internal.cms.EnvelopeParser;
import org.signetmq.envelope.internal.cms.ParsedEnvelope;
import org.signetmq.envelope.internal.der.DerWriter;
import org.signetmq.envelope.internal.der.Memory;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.entity.EntityReader;
import org.signetmq.envelope.internal.entity.PercentEncoding;
import org.signetmq.envelope.internal.format.HeaderName;
import org.signetmq.envelope.message.Entity;

/** Whatever arrives: the one documented exception, or a reading that others share. */
final class EnvelopeFuzzTest {
    /** Some to begin with: the vectors of the document, and pieces of them. */
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

        byte[] der;
        try (ASN1InputStream in = new ASN1InputStream(bytes)) {
            der = in.readObject().getEncoded(ASN1Encoding.DER);
            assertThat(in.read()).isNegative();
        }
        assertThat(content(EnvelopeParser.parse(Slice.of(der)))).isEqualTo(content(parsed));
        assertThat(EnvelopeDescription.of(bytes).length()).isEqualTo(bytes.length);
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
        EnvelopeInput input = new EnvelopeInput(new ByteArrayInputStream(bytes));
        Memory buffer = new Memory();
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
            entity = EntityReader.read(bytes, 0, bytes.length);
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
            return; // the reader lets through nothing else
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
