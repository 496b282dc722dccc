/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.seal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.message.Segment;

final class SegmentBuffersTest {
    private final SegmentBuffers.Pool pool = new SegmentBuffers.Pool();

    @Test
    void payload_isWhatWasTaken_untilTheSegmentIsFull() {
        SegmentBuffers buffers = pool.take();
        byte[] part = filled(600_000, 1);

        assertThat(buffers.isEmpty()).isTrue();
        assertThat(buffers.take(part, 0, part.length)).isEqualTo(600_000);
        assertThat(buffers.isEmpty()).isFalse();
        assertThat(buffers.take(part, 100_000, 500_000)).isEqualTo(Segment.FULL_LENGTH - 600_000);

        assertThat(buffers.isFull()).isTrue();
        assertThat(buffers.take(part, 0, 10)).isZero();
        assertThat(buffers.payload().length()).isEqualTo(Segment.FULL_LENGTH);
        assertThat(bytes(buffers)).containsOnly(1);
    }

    @Test
    void wipe_reachesThePayloadOfAllSegments() {
        SegmentBuffers buffers = pool.take();
        take(buffers, filled(300_000, 7));
        byte[] array = buffers.payload().array();
        buffers.next();
        take(buffers, filled(10, 8));

        buffers.wipe();

        assertThat(array).as("the same array").isSameAs(buffers.payload().array());
        assertThat(array).containsOnly(0);
        assertThat(buffers.isEmpty()).isTrue();
    }

    @Test
    void growth_wipesTheSmallerArray() {
        SegmentBuffers buffers = pool.take();
        take(buffers, filled(60_000, 5));
        byte[] smaller = buffers.payload().array();

        take(buffers, filled(60_000, 6));

        assertThat(smaller).containsOnly(0);
        assertThat(buffers.payload().array()).isNotSameAs(smaller);
        assertThat(bytes(buffers)).startsWith(5, 5).endsWith(6, 6).hasSize(120_000);
    }

    @Test
    void pool_returnsTheLatestBuffers_andKeepsALimitedNumber() {
        SegmentBuffers[] all = IntStream.rangeClosed(0, SegmentBuffers.Pool.MOST_KEPT)
                .mapToObj(i -> pool.take())
                .toArray(SegmentBuffers[]::new);
        Arrays.stream(all).forEach(pool::giveBack);

        assertThat(pool.kept()).isEqualTo(SegmentBuffers.Pool.MOST_KEPT);
        assertThat(pool.take()).isSameAs(all[SegmentBuffers.Pool.MOST_KEPT - 1]);
    }

    /** The envelope of a signed message has the payload in clear. */
    @Test
    void wipeAll_reachesTheEnvelope() {
        SegmentBuffers buffers = pool.take();
        take(buffers, filled(10, 7));
        Slice envelope = buffers.envelope().take(100_000);
        Arrays.fill(envelope.array(), (byte) 9);

        buffers.wipeAll();

        assertThat(envelope.array()).isSameAs(buffers.envelope().array());
        assertThat(envelope.array()).containsOnly(0);
        assertThat(buffers.payload().array()).containsOnly(0);
    }

    @Test
    void pool_thatIsClosed_keepsNoBuffers() {
        pool.giveBack(pool.take());

        pool.close();
        pool.giveBack(pool.take());

        assertThat(pool.kept()).isZero();
    }

    private static void take(SegmentBuffers buffers, byte[] bytes) {
        assertThat(buffers.take(bytes, 0, bytes.length)).isEqualTo(bytes.length);
    }

    private static byte[] filled(int length, int value) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }

    private static byte[] bytes(SegmentBuffers buffers) {
        Slice payload = buffers.payload();
        return Arrays.copyOfRange(payload.array(), payload.offset(), payload.offset() + payload.length());
    }
}
