/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.signetmq.envelope.Opener;
import org.signetmq.envelope.Sealer;
import org.signetmq.perf.variant.KeyKind;
import org.signetmq.perf.variant.Payload;
import org.signetmq.perf.variant.Reuse;
import org.signetmq.perf.variant.Variant;
import org.signetmq.policy.CertificateInclusion;
import org.signetmq.policy.QualityOfProtection;

/** Sealing and opening by the product, or a bare primitive. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class MicroBenchmark {
    /** More envelopes than one key reuse, so that warm opening meets several data keys. */
    private static final int ENVELOPES = 256;

    /**
     * More than the 10,000 keys that an opener remembers. When an envelope's turn comes again, the opener has dropped
     * its key.
     */
    static final int FORGOTTEN = 10_500;

    /** The operation: seal, open, or a primitive such as limit.sha512, to which only the size applies. */
    @Param("seal")
    public String operation = "seal";

    /** The quality of the messages. */
    @Param("CONFIDENTIALITY")
    public QualityOfProtection quality = QualityOfProtection.CONFIDENTIALITY;

    /** How many messages share a data key. Opening: whether keys are warm or cold; 32 messages share each. */
    @Param("32")
    public String keys = "32";

    /** The kind of key of producer and recipients. */
    @Param("P256")
    public KeyKind key = KeyKind.P256;

    /** The size of the payload in bytes. */
    @Param("2048")
    public int size = Payload.USUAL_SIZE;

    /** The number of recipients. */
    @Param("1")
    public int recipients = 1;

    private @Nullable Scene scene;
    private @Nullable Callable<Object> shared;

    /** A step of an operation. */
    @FunctionalInterface
    interface Step {
        Object on(byte[] bytes) throws Exception;
    }

    /** The operation as a thread does it. */
    @State(Scope.Thread)
    public static class Task {
        private Callable<Object> task = () -> {
            throw new IllegalStateException("benchmark: not prepared");
        };

        /** Makes a primitive of the thread's own, or takes what all threads share. */
        @Setup(Level.Trial)
        public void prepare(MicroBenchmark benchmark) throws Exception {
            Callable<Object> shared = benchmark.shared;
            task = shared == null ? Primitives.named(benchmark.operation, Payload.ofSize(benchmark.size)) : shared;
        }
    }

    /** Makes keys and messages. */
    @Setup(Level.Trial)
    public void prepare() throws Exception {
        if (operation.startsWith("limit.")) {
            return;
        }
        Variant variant = new Variant(quality, new Reuse(operation.equals("open") ? "32" : keys), key);
        Scene made = new Scene(variant, recipients, CertificateInclusion.INCLUDED);
        scene = made;
        byte[] payload = Payload.ofSize(size);
        shared = switch (operation) {
            case "seal" -> made.sealing(made.sealer(), payload)::get;
            case "open" ->
                keys.equals("cold") ? openCold(made, payload) : inTurn(made.opener(), sealedByOne(made, payload));
            default -> throw new IllegalArgumentException("operation: unknown " + operation);
        };
    }

    /**
     * Returns the opening of messages with keys that are new to the opener. Without a key, the signer's certificate is
     * new to it.
     */
    private Callable<Object> openCold(Scene made, byte[] payload) {
        if (quality == QualityOfProtection.INTEGRITY) {
            return inTurn(sealedByOne(made, payload), envelope -> {
                try (Opener opener = made.openerWithoutKeys()) {
                    return opener.open(envelope, Scene.ADDRESS);
                }
            });
        }
        boolean neverRemembered = quality == QualityOfProtection.PRIVACY && key == KeyKind.RSA2048;
        return inTurn(made.opener(), neverRemembered ? sealedByOne(made, payload) : sealedByMany(made, payload));
    }

    static Callable<Object> inTurn(Opener opener, byte[][] envelopes) {
        return inTurn(envelopes, envelope -> opener.open(envelope, Scene.ADDRESS));
    }

    static Callable<Object> inTurn(byte[][] all, Step step) {
        AtomicInteger next = new AtomicInteger();
        return () -> step.on(all[Math.floorMod(next.getAndIncrement(), all.length)]);
    }

    private static byte[][] sealedByOne(Scene scene, byte[] payload) {
        try (Sealer sealer = scene.sealer()) {
            return Stream.generate(scene.sealing(sealer, payload))
                    .limit(ENVELOPES)
                    .toArray(byte[][]::new);
        }
    }

    /** Returns envelopes that share no data key and no key agreement. */
    static byte[][] sealedByMany(Scene scene, byte[] payload) {
        return IntStream.range(0, FORGOTTEN)
                .parallel()
                .mapToObj(i -> {
                    try (Sealer sealer = scene.sealerWithoutPool()) {
                        return scene.sealing(sealer, payload).get();
                    }
                })
                .toArray(byte[][]::new);
    }

    /** Runs the operation once. */
    @Benchmark
    public Object measure(Task task) throws Exception {
        return task.task.call();
    }

    /** Deletes keys and messages. */
    @TearDown(Level.Trial)
    public void clean() {
        if (scene != null) {
            scene.close();
        }
    }
}
