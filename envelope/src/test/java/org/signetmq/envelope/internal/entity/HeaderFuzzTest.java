/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.entity;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.format.HeaderName;
import org.signetmq.envelope.internal.format.Limits;
import org.signetmq.envelope.message.BodyKind;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.envelope.message.Entity;

/**
 * The parser of entity headers returns an entity or throws its one documented exception, within the limits of
 * {@code docs/format.md}. The build runs the inputs in {@code src/test/resources}; {@code CONTRIBUTING.md} says how to
 * look for new ones.
 */
final class HeaderFuzzTest {
    /** The result of one header: an entity without payload and the position of its payload, or a rejection. */
    private record Reading(
            @Nullable Entity head, int payload, @Nullable String rejection) {
        static Reading of(EntityReader reader, byte[] bytes) {
            try {
                Slice payload = reader.header(Slice.of(bytes));
                return new Reading(reader.head(), payload.offset(), null);
            } catch (MalformedEnvelopeException rejected) {
                return new Reading(null, 0, String.valueOf(rejected.getMessage()));
            }
        }
    }

    @FuzzTest(maxDuration = "60s")
    void header_isReadWithinItsLimitsOrRefused(byte @NotNull [] bytes) {
        Reading reading = Reading.of(new EntityReader(), bytes);

        if (reading.head() == null) {
            assertThat(reading.rejection()).isNotBlank();
            return;
        }
        assertThat(reading.payload()).isBetween(4, HeaderName.MOST_HEADER_BYTES);
        String header = new String(bytes, 0, reading.payload(), ISO_8859_1);
        assertThat(header).endsWith("\r\n\r\n").doesNotContain("\n\r\n\r\n");
        assertThat(header.lines().count() - 1).isBetween(4L, (long) Limits.HEADER_LINES);
        assertThat(reading.head().messageId()).matches("[0-9a-f]{32}");
        assertThat(reading.head().properties())
                .allSatisfy((name, value) -> assertThat(name).matches("[A-Za-z0-9-]+"));
    }

    /** The input has two headers, the second behind the first zero byte: a header alike is compared, not split. */
    @FuzzTest(maxDuration = "60s")
    void headerBehindAnother_isReadAsByAReaderThatSawNothing(byte @NotNull [] bytes) {
        int zero = new String(bytes, ISO_8859_1).indexOf(0);
        byte[] first = Arrays.copyOf(bytes, Math.max(zero, 0));
        byte[] second = Arrays.copyOfRange(bytes, zero + 1, bytes.length);
        EntityReader reader = new EntityReader();
        Reading.of(reader, first);

        assertThat(Reading.of(reader, second))
                .usingRecursiveComparison()
                .isEqualTo(Reading.of(new EntityReader(), second));
    }

    @FuzzTest(maxDuration = "60s")
    void headerThatWasRead_isReadAlikeWhenWrittenAgain(byte @NotNull [] bytes) {
        Entity head = Reading.of(new EntityReader(), bytes).head();
        if (head == null
                || head.bodyKind().isEmpty()
                || head.attribution().policy() == null
                || head.properties().size() > Limits.HEADER_LINES - 10) {
            return; // the writer writes none of these
        }
        HeaderWriter writer = new HeaderWriter();
        try {
            writer.write(
                    message(head),
                    HexFormat.of().parseHex(head.messageId()),
                    PercentEncoding.encode(head.attribution().policy()),
                    head.segment());
        } catch (IllegalArgumentException tooLong) {
            return; // the writer writes lines that the header did not have
        }

        Reading again = Reading.of(new EntityReader(), Arrays.copyOf(writer.buffer(), writer.length()));

        assertThat(again.head()).usingRecursiveComparison().isEqualTo(head);
        assertThat(again.payload()).isEqualTo(writer.length());
    }

    private static ClearMessage message(Entity head) {
        BodyKind kind = head.bodyKind().orElseThrow();
        Map<String, String> properties = head.properties();
        return new ClearMessage(
                head.address(),
                new ClearMessage.Body(kind, head.contentType()),
                new byte[0],
                head.attribution().sender(),
                properties);
    }
}
