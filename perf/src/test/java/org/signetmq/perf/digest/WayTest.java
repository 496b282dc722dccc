/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.digest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.keystore.crypto.CryptoProviders;
import org.signetmq.perf.variant.Payload;

/** What all ways have in common. */
final class WayTest {
    private static final byte[] CONTENT = Payload.ofSize(3_333_333); // more than three segments, and no whole block

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private static Path folder;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static SignetWays signet;

    @BeforeAll
    static void makeKeys() throws IOException {
        signet = new SignetWays(folder);
    }

    @AfterAll
    static void close() {
        signet.close();
    }

    static Stream<Arguments> ways() {
        return Experiment.BLOCKS.stream()
                .flatMap(block -> Map.of(
                                "loop", Way.loop(block),
                                "pipeline", new PipelineWay(block, 5, Handover.Kind.LINKED),
                                "pipeline of two", new PipelineWay(block, 2, Handover.Kind.LINKED),
                                "ring", new PipelineWay(block, 5, Handover.Kind.RING),
                                "ring of two", new PipelineWay(block, 2, Handover.Kind.RING),
                                "signet", signet.unsealed())
                        .entrySet()
                        .stream()
                        .map(way -> Arguments.of(way.getKey(), block, way.getValue())));
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("ways")
    void everyWay_digestsTheWholeStream_againAndAgain(String name, int block, Way way) throws Exception {
        MessageDigest digest = CryptoProviders.digest("SHA-256");
        for (int i = 0; i < 3; i++) {
            way.run(blocks(new ByteArrayInputStream(CONTENT), block), digest::update);

            assertThat(digest.digest()).isEqualTo(CryptoProviders.sha256(CONTENT));
        }
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("ways")
    void emptyStream_isNoWork(String name, int block, Way way) throws Exception {
        AtomicLong worked = new AtomicLong();

        way.run(blocks(InputStream.nullInputStream(), block), (bytes, offset, length) -> worked.addAndGet(length));

        assertThat(worked).hasValue(0);
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("ways")
    void failureOfTheReader_surfaces_andThreadsEnd(String name, int block, Way way) throws Exception {
        AtomicLong worked = new AtomicLong();
        InputStream broken = new InputStream() {
            private int left = 2 << 20;

            @Override
            public int read() {
                throw new UnsupportedOperationException();
            }

            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                if (left <= 0) {
                    throw new IOException("bad sector");
                }
                left -= length;
                return length;
            }
        };

        assertThatThrownBy(() -> way.run(blocks(broken, block), (bytes, offset, length) -> worked.addAndGet(length)))
                .isInstanceOf(IOException.class)
                .hasMessage("bad sector");
        assertThat(worked.get()).isPositive();
        assertNoThreads();
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("ways")
    void failureOfTheWork_surfaces_andThreadsEnd(String name, int block, Way way) throws Exception {
        Work failing = (bytes, offset, length) -> {
            throw new IllegalStateException("out of order");
        };

        assertThatThrownBy(() -> way.run(blocks(BlockStream.inMemory(1L << 40), block), failing))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("out of order");
        assertNoThreads();
        way.run(blocks(new ByteArrayInputStream(CONTENT), block), Work.NONE); // the buffers can be used again
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("ways")
    void interruption_endsTheWay(String name, int block, Way way) throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        Thread running = new Thread(() -> {
            try {
                Work slow = Work.NONE.within(TokenBucket.inRealTime(1e9, 0)).within(bytes -> begun.countDown());
                way.run(blocks(new Interruptible(), block), slow);
            } catch (IOException | InterruptedException expected) {
                // it has ended, which is all that counts
            }
        });
        running.start();
        begun.await();
        running.interrupt();

        running.join();
        assertNoThreads();
    }

    /** An endless stream that ends when its thread is interrupted, as a file does. */
    private static final class Interruptible extends InputStream {
        @Override
        public int read() throws IOException {
            if (Thread.currentThread().isInterrupted()) {
                throw new IOException("closed by interrupt");
            }
            return 0;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            read();
            return length;
        }
    }

    private static BlockStream blocks(InputStream in, int block) {
        return new BlockStream(in, block, bytes -> assertThat(bytes).isBetween(1L, (long) block));
    }

    /** A thread may need a moment to end after its last action. */
    private static void assertNoThreads() throws InterruptedException {
        List<Thread> left = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().matches("signet-(perf-)?(read|work)"))
                .toList();
        for (Thread thread : left) {
            thread.join();
        }
    }
}
