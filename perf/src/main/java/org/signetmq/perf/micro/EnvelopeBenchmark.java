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

/** Sealing and opening by the product. Rows of targets run in a process of their own, without other operations. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class EnvelopeBenchmark {
    /** More envelopes than one key reuse, so that warm opening meets several data keys. */
    private static final int ENVELOPES = 256;

    /**
     * More than the 10,000 keys that an opener remembers. When an envelope's turn comes again, the opener has dropped
     * its key.
     */
    static final int FORGOTTEN = 10_500;

    /** The operation: seal, or open with keys that are warm or cold. */
    @Param({"seal", "warm", "cold"})
    public String operation = "seal";

    /** The quality of the messages. */
    @Param("CONFIDENTIALITY")
    public QualityOfProtection quality = QualityOfProtection.CONFIDENTIALITY;

    /** How many messages share a data key. */
    @Param("32")
    public String reuse = "32";

    /** The kind of key of producer and recipients. */
    @Param("P256")
    public KeyKind key = KeyKind.P256;

    /** The size of the payload in bytes. */
    @Param("2048")
    public int size;

    /** The number of recipients. */
    @Param("1")
    public int recipients = 1;

    private @Nullable Scene scene;
    private Callable<Object> measured = () -> {
        throw new IllegalStateException("benchmark: not prepared");
    };

    /** Makes keys and messages. */
    @Setup(Level.Trial)
    public void prepare() throws Exception {
        Variant variant = new Variant(quality, new Reuse(reuse), key);
        Scene made = new Scene(variant, recipients, CertificateInclusion.INCLUDED);
        scene = made;
        byte[] payload = Payload.ofSize(size);
        measured = switch (operation) {
            case "seal" -> made.sealing(made.sealer(), payload)::get;
            case "warm" -> inTurn(made.opener(), sealedByOne(made, payload));
            case "cold" -> openCold(made, payload);
            default -> throw new IllegalArgumentException("operation: unknown " + operation);
        };
    }

    /**
     * Returns the opening of messages with keys that are new to the opener. Without a key, the signer's certificate is
     * new to it.
     */
    private Callable<Object> openCold(Scene made, byte[] payload) {
        if (quality == QualityOfProtection.INTEGRITY) {
            byte[][] envelopes = sealedByOne(made, payload);
            AtomicInteger next = new AtomicInteger();
            return () -> {
                try (Opener opener = made.openerWithoutKeys()) {
                    return opener.open(envelopes[next.getAndIncrement() % envelopes.length], Scene.ADDRESS);
                }
            };
        }
        boolean neverRemembered = quality == QualityOfProtection.PRIVACY && key == KeyKind.RSA2048;
        return inTurn(made.opener(), neverRemembered ? sealedByOne(made, payload) : sealedByMany(made, payload));
    }

    static Callable<Object> inTurn(Opener opener, byte[][] envelopes) {
        AtomicInteger next = new AtomicInteger();
        return () -> opener.open(envelopes[Math.floorMod(next.getAndIncrement(), envelopes.length)], Scene.ADDRESS);
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
    public Object measure() throws Exception {
        return measured.call();
    }

    /** Deletes keys and messages. */
    @TearDown(Level.Trial)
    public void clean() {
        if (scene != null) {
            scene.close();
        }
    }
}
