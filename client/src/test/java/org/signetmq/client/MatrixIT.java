/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import java.util.EnumMap;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.testkit.Tier;

/**
 * Every producer with every consumer: the content on a protected address opens unchanged. The system property
 * {@code signet.tests=full} adds 64 MiB of every kind of body by every producer; otherwise Core sends 16 MiB of bytes,
 * and with {@code few} it does not.
 */
final class MatrixIT extends ProtectingBrokerTest {
    private static final String EXTENT = System.getProperty("signet.tests", "");
    private static final String ADDRESS = "privacy.matrix";
    private static final int KB = 1024;
    private static final int[] SIZES =
            Tier.isLong() ? new int[] {0, 1, 2 * KB, 99 * KB, 101 * KB, 3_000_000} : new int[] {2 * KB, 101 * KB};

    /** With all cases, about as long as the largest accepted message by default; the encoding adds some bytes. */
    private static final int HUGE = EXTENT.equals("full") ? 64 << 20 : 16 << 20;

    private final Map<Receiver, Receiver.Receiving> receivers = new EnumMap<>(Receiver.class);

    @BeforeAll
    void startReceivers() throws Exception {
        for (Receiver receiver : Receiver.values()) {
            receivers.put(receiver, receiver.start(broker, ADDRESS, keys.opener()));
        }
    }

    @AfterAll
    void stopReceivers() throws Exception {
        for (Receiver.Receiving receiver : receivers.values()) {
            receiver.close();
        }
    }

    static Stream<Arguments> messages() {
        return Stream.of(Sender.values())
                .flatMap(sender -> sender.kinds().stream()
                        .flatMap(kind -> sizes(sender, kind).mapToObj(size -> Arguments.of(sender, kind, size))));
    }

    private static IntStream sizes(Sender sender, Kind kind) {
        if (kind == Kind.EMPTY) {
            return IntStream.of(0);
        }
        boolean huge = EXTENT.equals("full")
                || (kind == Kind.BYTES && sender == Sender.CORE && !EXTENT.equals("few") && Tier.isLong());
        return huge ? IntStream.concat(IntStream.of(SIZES), IntStream.of(HUGE)) : IntStream.of(SIZES);
    }

    @ParameterizedTest
    @MethodSource("messages")
    void message_ofAnyProducer_isTheSameToEveryConsumer(Sender sender, Kind kind, int size) throws Exception {
        sender.send(broker, ADDRESS, kind, size);

        Map<Receiver, String> received = new EnumMap<>(Receiver.class);
        SoftAssertions all = new SoftAssertions();
        receivers.forEach((receiver, receiving) -> all.assertThatCode(() -> received.put(receiver, receiving.next()))
                .as(receiver.name())
                .doesNotThrowAnyException());
        received.forEach((receiver, content) -> all.assertThat(content)
                .as(receiver.name())
                .isEqualTo(Seen.text(expected(sender, receiver, kind, size))));
        all.assertAll();
    }

    /** Artemis makes bytes of an AMQP message without a body, for clients of its own protocol and of OpenWire. */
    private static @Nullable Object expected(Sender sender, Receiver receiver, Kind kind, int size) {
        boolean bytes = sender == Sender.AMQP
                && kind == Kind.EMPTY
                && (receiver == Receiver.CORE || receiver == Receiver.OPENWIRE);
        return bytes ? new byte[0] : kind.content(size);
    }
}
