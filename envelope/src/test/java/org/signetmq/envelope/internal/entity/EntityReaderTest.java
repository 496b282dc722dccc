/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.entity;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.format.HeaderName;
import org.signetmq.envelope.message.BodyKind;
import org.signetmq.envelope.message.Entity;
import org.signetmq.envelope.message.Segment;
import org.signetmq.testkit.Tier;

final class EntityReaderTest {
    private static final String ID = "00112233445566778899aabbccddeeff";
    private static final String SOUND =
            "Message-ID: <" + ID + ">\r\nSignet-Version: 1\r\nSignet-Address: orders.eu\r\nSignet-Body: bytes\r\n";

    private static Entity read(String entity) {
        byte[] bytes = ("##" + entity + "##").getBytes(ISO_8859_1);
        return EntityReading.of(bytes, 2, bytes.length - 4);
    }

    private static void assertRejected(String entity) {
        assertThatThrownBy(() -> read(entity)).isInstanceOf(MalformedEnvelopeException.class);
    }

    @Test
    void leastHeader_isRead() {
        Entity entity = read(SOUND + "\r\npay\r\n\r\nload");

        assertThat(entity.contentType()).isEqualTo("application/octet-stream");
        assertThat(entity.messageId()).isEqualTo(ID);
        assertThat(entity.address()).isEqualTo("orders.eu");
        assertThat(entity.bodyKind()).contains(BodyKind.BYTES);
        assertThat(entity.sender()).isEmpty();
        assertThat(entity.attribution().policy()).isNull();
        assertThat(entity.segment()).isNull();
        assertThat(entity.properties()).isEmpty();
        assertThat(entity.payload()).isEqualTo("pay\r\n\r\nload".getBytes(ISO_8859_1));
    }

    @Test
    void fullHeaderInAnotherOrderAndCase_isRead() {
        Entity entity = read("SIGNET-SEGMENT: 3 last\r\nsignet-policy: orders.#@17\r\nSignet-Property-Region: e%25u\r\n"
                + "signet-sender: %C3%84nne\r\nX-Other: any\r\n" + SOUND
                + "content-transfer-encoding: BINARY\r\ncontent-type: text/plain\r\n\r\n");

        assertThat(entity.segment()).isEqualTo(new Segment(3, true));
        assertThat(entity.attribution()).isEqualTo(new Entity.Attribution("Änne", "orders.#@17"));
        assertThat(entity.properties()).containsExactly(entry("Region", "e%u"));
        assertThat(entity.contentType()).isEqualTo("text/plain");
        assertThat(entity.payload()).isEmpty();
    }

    @Test
    void unknownBody_isReadButOfNoKind() {
        Entity entity = read(SOUND.replace("bytes", "future/kind") + "\r\n");

        assertThat(entity.body()).isEqualTo("future/kind");
        assertThat(entity.bodyKind()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Message-ID", "Signet-Version", "Signet-Address", "Signet-Body"})
    void requiredLineMissing_rejected(String name) {
        assertRejected(SOUND.replaceFirst(name + ": [^\r]*\r\n", "") + "\r\n");
        assertRejected(SOUND.replace(name, "X-" + name) + "\r\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Signet-Version: 1",
                "signet-ADDRESS: orders.eu",
                "Signet-Recipient: bob",
                "Signet-",
                "Signet-: x",
                "Signet-Property-: x",
                "Signet-Property-a b: x",
                "Content-Transfer-Encoding: base64",
                "Signet-Segment: 0",
                "Signet-Segment: 1  last",
                "Signet-Sender: %",
                "Signet-Sender: %4",
                "Signet-Sender: %41",
                "Signet-Sender: %c3%84",
                "Signet-Sender: %C3",
                "Signet-Sender:  a",
                "Signet-Sender: a ",
                "Signet-Sender:a",
                ": a",
                "no colon",
                "X-Tab: a\tb",
                "X-Line: a\nb",
                "X-Return: a\rb",
                "X-Null: a\0b",
                "X-Latin: \u00e4",
                " folded: a"
            })
    void badLine_rejected(String line) {
        if (line.startsWith(" folded")) {
            assertThat(read(SOUND + line + "\r\n\r\n").address()).isEqualTo("orders.eu"); // a foreign name, ignored
        } else {
            assertRejected(SOUND + line + "\r\n\r\n");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "2", "01", "1 ", "1.0"})
    void otherVersion_rejected(String version) {
        assertRejected(SOUND.replace("Version: 1", "Version: " + version) + "\r\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "00112233445566778899aabbccddeeff",
                "<00112233445566778899aabbccddeef>",
                "<00112233445566778899aabbccddeefff>",
                "<00112233445566778899AABBCCDDEEFF>",
                "<0011223344556677 899aabbccddeeff>",
                ""
            })
    void badMessageId_rejected(String identifier) {
        assertRejected(SOUND.replace("<" + ID + ">", identifier) + "\r\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\r", "\n", "\r\n", "payload", "Signet-Version: 1", "Signet-Version: 1\r\n"})
    void noEndOfHeader_rejected(String entity) {
        assertRejected(entity);
        assertRejected(SOUND + entity.replace("\r\n", "").replace("Version", "Sender"));
    }

    @Test
    void headerOfTheLargestSize_isReadAndOneByteMoreRejected() {
        String start = SOUND + "X-Long: ";
        String fill = "a".repeat(HeaderName.MOST_HEADER_BYTES - start.length() - 4);

        assertThat(read(start + fill + "\r\n\r\npayload").payload()).hasSize(7);
        assertRejected(start + fill + "a\r\n\r\npayload");
    }

    @Test
    void headerThatNeverEnds_isNotReadFurtherThanTheBound() {
        assertRejected(SOUND + "X: y\r\n".repeat(1 << 16));
    }

    @Test
    void headersAlikeButForTheMessageId_eachIsReadForItself() {
        EntityReader reader = new EntityReader();
        String other = ID.replace('f', '0');
        byte[] first = (SOUND + "Signet-Property-Region: eu\r\n\r\none").getBytes(ISO_8859_1);
        byte[] second =
                ("###" + SOUND.replace(ID, other) + "Signet-Property-Region: eu\r\n\r\nsecond").getBytes(ISO_8859_1);
        byte[] third = (SOUND + "\r\nthird").getBytes(ISO_8859_1);

        List<Slice> all =
                List.of(Slice.of(first), new Slice(second, 3, second.length - 3), Slice.of(first), Slice.of(third));
        for (Slice each : all) {
            EntityReading.assertSame(
                    EntityReading.next(reader, each, "orders.eu"),
                    EntityReading.of(each.array(), each.offset(), each.length()));
        }
        assertThat(EntityReading.next(reader, all.get(1), "orders.eu").messageId())
                .isEqualTo(other);
    }

    @Test
    void headerDamagedAnywhereAfterASoundOne_isReadAsByAReaderThatSawNothing() {
        byte[] sound =
                (SOUND + "Signet-Sender: al%25ice\r\nSignet-Property-Region: eu\r\n\r\npayload").getBytes(ISO_8859_1);
        EntityReader reader = new EntityReader();
        for (int position = 0; position < sound.length; position++) {
            for (int value = 0; value < 256; value += Tier.isLong() ? 1 : 31) {
                byte[] damaged = sound.clone();
                damaged[position] = (byte) value;
                EntityReading.next(reader, sound, 0, sound.length);
                Entity fresh = readOrNull(new EntityReader(), damaged, damaged.length);
                EntityReading.assertSame(readOrNull(reader, damaged, damaged.length), fresh);
            }
        }
        for (int length = 0; length < sound.length; length++) {
            EntityReading.next(reader, sound, 0, sound.length);
            EntityReading.assertSame(readOrNull(reader, sound, length), readOrNull(new EntityReader(), sound, length));
        }
    }

    private static @Nullable Entity readOrNull(EntityReader reader, byte[] bytes, int length) {
        try {
            return EntityReading.next(reader, new Slice(bytes, 0, length), "orders.eu");
        } catch (MalformedEnvelopeException rejected) {
            return null;
        }
    }
}
