/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.entity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.signetmq.envelope.message.BodyKind;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.envelope.message.Segment;
import org.signetmq.testkit.Tier;

final class HeaderWriterTest {
    private static final long SEED = 20261124;
    private static final byte[] ID = new byte[HeaderWriter.MESSAGE_ID_LENGTH];

    /** A writer keeps the lines of its last message. Any of the values may differ for the next one. */
    @Test
    void reusedWriter_writesTheLinesOfANewOne() {
        Random random = new Random(SEED);
        HeaderWriter reused = new HeaderWriter();
        for (int i = 0; i < Tier.rounds(20_000); i++) {
            ClearMessage message = message(random);
            byte[] id = new byte[HeaderWriter.MESSAGE_ID_LENGTH];
            random.nextBytes(id);
            String policy = pick(random, List.of("orders@1", "orders@2"));
            Segment segment = random.nextInt(8) == 0 ? new Segment(1 + random.nextInt(3), false) : null;

            reused.write(message, id, policy, segment);

            assertThat(written(reused))
                    .as("message %d, seed %d", i, SEED)
                    .isEqualTo(written(newWriter(message, id, policy, segment)));
        }
    }

    @Test
    void headerThatIsTooLong_isNotTakenForTheLastOne() {
        HeaderWriter writer = new HeaderWriter();
        ClearMessage good = ClearMessage.of("orders", ClearMessage.Body.TEXT, new byte[0]);
        ClearMessage tooLong = ClearMessage.of("x".repeat(1 << 20), ClearMessage.Body.TEXT, new byte[0]);
        writer.write(good, ID, "orders@1", null);
        byte[] before = written(writer);

        for (ClearMessage each : List.of(tooLong, tooLong)) {
            assertThatThrownBy(() -> writer.write(each, ID, "orders@1", null))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        writer.write(good, ID, "orders@1", null);

        assertThat(written(writer)).isEqualTo(before);
    }

    private static ClearMessage message(Random random) {
        ClearMessage.Body body = pick(
                random,
                List.of(
                        ClearMessage.Body.TEXT,
                        ClearMessage.Body.BYTES,
                        ClearMessage.Body.TEXT.deflated(),
                        new ClearMessage.Body(BodyKind.MQTT, "text/plain; charset=utf-8")));
        return new ClearMessage(
                pick(random, List.of("orders", "orders.eu", "gr\u00fc\u00dfe")),
                body,
                new byte[0],
                random.nextBoolean() ? null : pick(random, List.of("alice", "bob")),
                random.nextInt(8) == 0 ? Map.of("Jms-Type", "3") : Map.of());
    }

    private static <T> T pick(Random random, List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    private static HeaderWriter newWriter(ClearMessage message, byte[] id, String policy, @Nullable Segment segment) {
        HeaderWriter writer = new HeaderWriter();
        writer.write(message, id, policy, segment);
        return writer;
    }

    private static byte[] written(HeaderWriter writer) {
        return Arrays.copyOf(writer.buffer(), writer.length());
    }
}
