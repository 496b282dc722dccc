/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.entity;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.entity.KnownHeaders.KnownHeader;
import org.signetmq.envelope.internal.format.HeaderName;
import org.signetmq.envelope.message.Entity;
import org.signetmq.testkit.Tier;

final class KnownHeadersTest {
    private static final long SEED = 20261124;

    /** A header with a Message-ID of this number. */
    private static byte[] header(String address, String sender, int number) {
        return ("Message-ID: <" + HexFormat.of().toHexDigits((long) number)
                        + "0123456789abcdef>\r\nSignet-Version: 1\r\n"
                        + "Signet-Address: " + address + "\r\nSignet-Body: bytes\r\nSignet-Sender: " + sender
                        + "\r\n\r\n")
                .getBytes(US_ASCII);
    }

    private static Entity read(EntityReader reader, byte[] header, String expected) {
        byte[] payload = reader.payload(reader.header(Slice.of(header), expected));
        return reader.entity(payload);
    }

    private static KnownHeader known(String address, String sender) {
        byte[] header = header(address, sender, 1);
        int digits = "Message-ID: <".length();
        int start = new String(header, US_ASCII).indexOf(address);
        return new KnownHeader(
                header,
                new KnownHeader.Places(digits, start, start + address.length()),
                read(new EntityReader(), header, ""),
                null);
    }

    /** Tells whether a header is found with another Message-ID than the one that was kept. */
    private static boolean isFound(KnownHeaders headers, String address, String sender) {
        byte[] other = header(address, sender, 2);
        return headers.find(address, other, 0, other.length) != null;
    }

    @Test
    void headersOfManyProducersInTurn_eachIsReadForItself() {
        Random random = new Random(SEED);
        EntityReader reader = new EntityReader();
        for (int i = 0; i < Tier.rounds(4_000); i++) {
            String address = "orders." + random.nextInt(1 + i / 20);
            byte[] header = header(address, "sender-" + random.nextInt(4), random.nextInt());
            String expected = random.nextInt(10) == 0 ? "orders.0" : address;

            EntityReading.assertSame(read(reader, header, expected), read(new EntityReader(), header, address));
        }
    }

    @Test
    void headerOfAnotherAddress_neverGetsTheExpectedAddress() {
        EntityReader reader = new EntityReader();
        read(reader, header("orders.eu", "alice", 1), "orders.eu");
        reader.header(Slice.of(header("orders.us", "alice", 1)), "orders.eu");

        assertThat(reader.address()).isEqualTo("orders.us");
    }

    @Test
    void oneHeader_servesAllAddressesOfItsProducer() {
        KnownHeaders headers = new KnownHeaders();
        headers.remember(known("orders.eu", "alice"));

        assertThat(isFound(headers, "orders.eu", "alice")).isTrue();
        assertThat(isFound(headers, "o", "alice")).isTrue();
        assertThat(isFound(headers, "replies.of.another.length", "alice")).isTrue();
        assertThat(isFound(headers, "orders.eu", "carol")).isFalse();
    }

    @Test
    void producersInTurn_areAllFound_upToTheBound() {
        KnownHeaders headers = new KnownHeaders();
        for (int i = 0; i < KnownHeaders.KEPT; i++) {
            headers.remember(known("orders.eu", "sender-" + i));
        }

        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < KnownHeaders.KEPT; i++) {
                assertThat(isFound(headers, "orders." + round, "sender-" + i)).isTrue();
            }
        }
    }

    @Test
    void headersOfManyProducers_fewAreKept() {
        KnownHeaders headers = new KnownHeaders();
        List<String> senders =
                IntStream.range(0, 1000).mapToObj(i -> "sender-" + i).toList();
        senders.forEach(sender -> headers.remember(known("orders.eu", sender)));

        assertThat(senders.stream().filter(sender -> isFound(headers, "orders.eu", sender)))
                .hasSize(KnownHeaders.KEPT);
    }

    @Test
    void longHeader_isReadButNotKept() {
        KnownHeaders headers = new KnownHeaders();
        String sender = "a".repeat(1024);
        headers.remember(known("orders.eu", sender));

        assertThat(isFound(headers, "orders.eu", sender)).isFalse();
    }

    /** The format lets lines come in any order. */
    @Test
    void headerWithTheAddressBeforeTheMessageId_isReadEachTime() {
        EntityReader reader = new EntityReader();
        for (int i = 0; i < 3; i++) {
            byte[] header = ("Signet-Address: orders." + i + "\r\nMessage-ID: <0123456789abcdef0123456789abcde" + i
                            + ">\r\nSignet-Version: 1\r\nSignet-Body: bytes\r\n\r\n")
                    .getBytes(US_ASCII);

            EntityReading.assertSame(read(reader, header, "orders." + i), read(new EntityReader(), header, ""));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gr\u00fc\u00dfe", "50%", " orders", "orders ", "a\r\nSignet-Sender: bob", ""})
    void addressWithSpecialCharacters_isReadAsByAReaderThatSawNothing(String address) {
        EntityReader reader = new EntityReader();
        for (String each : List.of("orders.eu", address, "orders.us", address)) {
            byte[] header = header(PercentEncoding.encode(each), "alice", 1);

            EntityReading.assertSame(read(reader, header, each), read(new EntityReader(), header, ""));
            assertThat(reader.address()).isEqualTo(each);
        }
    }

    /** Half a pair of surrogates is a question mark in UTF-8. A message for the one is none for the other. */
    @Test
    void addressWithAQuestionMark_isNotTakenForOneWithALoneSurrogate() {
        EntityReader reader = new EntityReader();
        read(reader, header("orders?", "alice", 1), "orders?");

        reader.header(Slice.of(header("orders?", "alice", 2)), "orders\ud83d");

        assertThat(reader.address()).isEqualTo("orders?");
    }

    /** The expected address is the consumer's own, and a producer may know it. */
    @Test
    void headerThatContinuesBehindTheExpectedAddress_isReadAsAWhole() {
        EntityReader reader = new EntityReader();
        read(reader, header("orders.eu", "alice", 1), "orders.eu");

        reader.header(Slice.of(header("orders.eu.archive", "alice", 2)), "orders.eu");
        assertThat(reader.address()).isEqualTo("orders.eu.archive");
        reader.header(Slice.of(header("orders", "alice", 2)), "orders.eu");
        assertThat(reader.address()).isEqualTo("orders");
    }

    @Test
    void headerThatIsTooLongWithTheExpectedAddress_isRejectedAsByAReaderThatSawNothing() {
        EntityReader reader = new EntityReader();
        read(reader, header("orders.eu", "alice", 1), "orders.eu");
        int others = header("", "alice", 1).length;
        String most = "a".repeat(HeaderName.MOST_HEADER_BYTES - others);

        assertThat(read(reader, header(most, "alice", 1), most).address()).isEqualTo(most);
        assertThatThrownBy(() -> read(reader, header(most + "a", "alice", 1), most + "a"))
                .isInstanceOf(MalformedEnvelopeException.class);
    }
}
