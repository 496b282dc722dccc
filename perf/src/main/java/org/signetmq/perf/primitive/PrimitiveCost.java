/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.primitive;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.concurrent.Callable;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.variant.KeyKind;
import org.signetmq.perf.variant.Payload;
import org.signetmq.policy.QualityOfProtection;

/** The processor time of bare primitives in a loop, by size of the payload and kind of key. */
public record PrimitiveCost(List<Result> rows) {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final long WARM_UP_NANOS = 400_000_000;
    private static final long MEASURED_NANOS = 400_000_000;
    private static final String CIPHER_MS = "cipher_ms";
    private static final String SIGNATURE_MS = "signature_ms";

    /** Measures the primitives for one size, with each kind of key. It takes some seconds. */
    public static List<Result> measure(int size, List<KeyKind> keys) throws Exception {
        byte[] payload = Payload.ofSize(size);
        double cipher = millis("limit.aes256gcm.encrypt", payload) + millis("limit.aes256gcm.decrypt", payload);
        List<Result> rows = new java.util.ArrayList<>();
        for (KeyKind key : keys) {
            String name = key == KeyKind.P256 ? "limit.ecdsa-p256" : "limit.rsa2048";
            rows.add(Result.EMPTY
                    .with("size", size)
                    .with("key", key.label())
                    .with(CIPHER_MS, cipher)
                    .with(SIGNATURE_MS, millis(name + ".sign", payload) + millis(name + ".verify", payload)));
        }
        return rows;
    }

    private static double millis(String name, byte[] payload) throws Exception {
        Callable<Object> primitive = Primitives.named(name, payload);
        run(primitive, WARM_UP_NANOS);
        return run(primitive, MEASURED_NANOS);
    }

    /** Returns the milliseconds of processor time that a call takes. */
    private static double run(Callable<Object> primitive, long nanos) throws Exception {
        long begin = THREADS.getCurrentThreadCpuTime();
        long used = 0;
        long calls = 0;
        while (used < nanos) {
            for (int i = 0; i < 16; i++) {
                primitive.call();
            }
            calls += 16;
            used = THREADS.getCurrentThreadCpuTime() - begin;
        }
        return used / 1e6 / calls;
    }

    /**
     * Returns the milliseconds that the primitives of one message take, for its sender and its receiver together. NaN
     * if they were not measured.
     */
    public double ofMessage(QualityOfProtection quality, KeyKind key, int size) {
        for (Result row : rows) {
            if (row.is("key", key.label()) && row.is("size", size)) {
                return switch (quality) {
                    case NONE -> 0;
                    case INTEGRITY -> row.number(SIGNATURE_MS);
                    case PRIVACY -> row.number(SIGNATURE_MS) + row.number(CIPHER_MS);
                    case CONFIDENTIALITY -> row.number(CIPHER_MS);
                };
            }
        }
        return Double.NaN;
    }
}
