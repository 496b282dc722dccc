/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.entity;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.message.Entity;

final class KnownHeadersTest {
    private static final long SEED = 20261124;
    private static final int MOST_KEPT = 32;

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

    private static KnownHeader known(byte[] header) {
        EntityReader reader = new EntityReader();
        return new KnownHeader(header, "Message-ID: <".length(), read(reader, header, ""), null);
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
        for (int i = 0; i < 4_000; i++) {
            String address = "orders." + random.nextInt(1 + i / 20);
            byte[] header = header(address, "sender-" + random.nextInt(4), random.nextInt());
            String expected = random.nextInt(10) == 0 ? "orders.0" : address;

            assertThat(read(reader, header, expected))
                    .as("header %s of seed %s", i, SEED)
                    .usingRecursiveComparison()
                    .isEqualTo(read(new EntityReader(), header, address));
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
    void twoProducersOfAnAddress_areBothFound() {
        KnownHeaders headers = new KnownHeaders();
        headers.remember("orders.eu", known(header("orders.eu", "alice", 1)));
        headers.remember("orders.eu", known(header("orders.eu", "bob", 1)));

        assertThat(isFound(headers, "orders.eu", "alice")).isTrue();
        assertThat(isFound(headers, "orders.eu", "bob")).isTrue();
        assertThat(isFound(headers, "orders.eu", "carol")).isFalse();
    }

    @Test
    void headersOfManyAddressesAndProducers_fewAreKept() {
        KnownHeaders headers = new KnownHeaders();
        List<String> addresses =
                IntStream.range(0, 1000).mapToObj(i -> "orders." + i).toList();
        List<String> senders = List.of("alice", "bob", "carol");
        for (String address : addresses) {
            senders.forEach(sender -> headers.remember(address, known(header(address, sender, 1))));
        }

        long kept = addresses.stream()
                .flatMap(address -> senders.stream().filter(sender -> isFound(headers, address, sender)))
                .count();
        assertThat(kept).isBetween(1L, (long) MOST_KEPT);
    }

    @Test
    void longHeader_isReadButNotKept() {
        KnownHeaders headers = new KnownHeaders();
        String sender = "a".repeat(1024);
        headers.remember("orders.eu", known(header("orders.eu", sender, 1)));

        assertThat(isFound(headers, "orders.eu", sender)).isFalse();
    }
}
