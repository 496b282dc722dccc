/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.experiment;

import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.signetmq.envelope.Opener;
import org.signetmq.envelope.Sealer;
import org.signetmq.keystore.keys.PregenerationSettings;
import org.signetmq.perf.experiment.Operation.ProducerAndRecipients;
import org.signetmq.perf.pair.Load;
import org.signetmq.perf.pair.Primitives;
import org.signetmq.perf.pair.Setting;
import org.signetmq.perf.pair.Setting.KeyKind;
import org.signetmq.perf.pair.Setting.Protection;
import org.signetmq.policy.CertificateInclusion;

/** Sealing, opening and the broker's check by the product, or a bare primitive inside them. */
@State(Scope.Benchmark)
public class MicroBenchmark {
    /** More envelopes than one key reuse, so that warm opening meets several data keys. */
    private static final int ENVELOPES = 256;
    /**
     * More than the 10,000 keys that an opener remembers: it has dropped a key when its envelope's turn comes again.
     */
    static final int FORGOTTEN = 10_500;

    private static final Callable<Object> NOT_PREPARED = () -> {
        throw new IllegalStateException("benchmark: not prepared");
    };

    /** The operation: seal, open, check, or a primitive such as limit.sha512, to which only the size applies. */
    @Param("seal")
    public String operation = "seal";

    @Param("CONFIDENTIALITY")
    public Protection quality = Protection.CONFIDENTIALITY;

    /** How many messages share a data key. Opening: whether keys are warm or cold; 32 messages share each. */
    @Param("32")
    public String keys = "32";

    /** The kind of key of producer and recipients. */
    @Param("P256")
    public KeyKind key = KeyKind.P256;

    /** The size of the payload in bytes. */
    @Param("2048")
    public int size = Load.USUAL_SIZE;

    @Param("1")
    public int recipients = 1;

    private @Nullable ProducerAndRecipients parties;
    private Callable<Callable<Object>> tasks = () -> NOT_PREPARED;

    /** The operation as one thread does it. */
    @State(Scope.Thread)
    public static class Task {
        private Callable<Object> task = NOT_PREPARED;

        /** Takes what all threads share, or makes a primitive of the thread's own. */
        @Setup
        public void prepare(MicroBenchmark benchmark) throws Exception {
            task = benchmark.tasks.call();
        }
    }

    /** Makes keys and messages. */
    @Setup
    public void prepare() throws Exception {
        byte[] payload = Load.payload(size);
        if (operation.startsWith("limit.")) {
            tasks = () -> Primitives.named(operation, payload);
            return;
        }
        Setting setting = Setting.of(quality, !operation.equals("seal") ? "32" : keys, key);
        ProducerAndRecipients made = new ProducerAndRecipients(setting, recipients, CertificateInclusion.INCLUDED);
        parties = made;
        Callable<Object> shared = switch (operation) {
            case "seal" -> made.sealing(made.sealer(PregenerationSettings.of(Map.of())), payload)::get;
            case "open" -> opening(made, payload);
            case "check" -> made.checking(Primitives.inTurn(sealedByOne(made, payload)))::get;
            default -> throw new IllegalArgumentException("operation: unknown " + operation);
        };
        tasks = () -> shared;
    }

    private Callable<Object> opening(ProducerAndRecipients made, byte[] payload) {
        if (keys.equals("warm")) {
            return opening(made.opener(1), sealedByOne(made, payload));
        }
        if (quality == Protection.INTEGRITY) {
            Supplier<byte[]> next = Primitives.inTurn(sealedByOne(made, payload));
            return () -> {
                try (Opener opener = made.opener(0)) { // the signer's certificate is new to it
                    return opener.open(next.get(), ProducerAndRecipients.ADDRESS);
                }
            };
        }
        boolean isNeverRemembered = quality == Protection.PRIVACY && key == KeyKind.RSA2048;
        return opening(made.opener(1), isNeverRemembered ? sealedByOne(made, payload) : sealedByMany(made, payload));
    }

    static Callable<Object> opening(Opener opener, byte[][] envelopes) {
        Supplier<byte[]> next = Primitives.inTurn(envelopes);
        return () -> opener.open(next.get(), ProducerAndRecipients.ADDRESS);
    }

    private static byte[][] sealedByOne(ProducerAndRecipients parties, byte[] payload) {
        try (Sealer sealer = parties.sealer(PregenerationSettings.of(Map.of()))) {
            return Stream.generate(parties.sealing(sealer, payload))
                    .limit(ENVELOPES)
                    .toArray(byte[][]::new);
        }
    }

    /** Returns envelopes that share no data key and no key agreement. */
    static byte[][] sealedByMany(ProducerAndRecipients parties, byte[] payload) {
        return IntStream.range(0, FORGOTTEN)
                .parallel()
                .mapToObj(i -> {
                    try (Sealer sealer = parties.sealer(PregenerationSettings.OFF)) {
                        return parties.sealing(sealer, payload).get();
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
    @TearDown
    public void clean() {
        if (parties != null) {
            parties.close();
        }
    }
}
