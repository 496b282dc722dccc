/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.variant.Payload;
import org.signetmq.policy.QualityOfProtection;

/**
 * A row of the results: an operation by a number of threads, with or without the native provider.
 *
 * @param name in results
 * @param parameters of the JMH benchmark; none if a peer does the operation
 * @param threads that do it at the same time
 * @param crypto that serves it
 */
record Row(String name, Map<String, String> parameters, int threads, Crypto crypto) {
    enum Crypto {
        /** The JDK and Bouncy Castle. */
        JAVA_ONLY("java-only"),
        /** The native provider where it has the algorithm. */
        NATIVE("native"),
        /** Those that another system takes. */
        PEER("peer");

        private final String word;

        Crypto(String word) {
            this.word = word;
        }

        @Override
        public String toString() {
            return word;
        }
    }

    Row {
        parameters = Map.copyOf(parameters);
    }

    Row by(int otherThreads, Crypto otherCrypto) {
        return new Row(name, parameters, otherThreads, otherCrypto);
    }

    boolean is(String otherName, int otherThreads, Crypto otherCrypto) {
        return name.equals(otherName) && threads == otherThreads && crypto == otherCrypto;
    }

    boolean isPeer() {
        return crypto == Crypto.PEER;
    }

    /** Returns a parameter of the benchmark; empty if it has none of this name. */
    String parameter(String parameter) {
        return parameters.getOrDefault(parameter, "");
    }

    boolean has(String parameter, Object value) {
        return parameter(parameter).equals(value.toString());
    }

    /** Tells whether one thread works on the usual payload for one recipient. */
    boolean isPlain() {
        return threads == 1
                && (isPeer() || has("size", Payload.USUAL_SIZE))
                && Set.of("", "1").contains(parameter("recipients"));
    }

    /** The same kind of work as the peers do. */
    boolean isConfidential() {
        return has("quality", QualityOfProtection.CONFIDENTIALITY);
    }

    Measured measured(double microsPerOp, double bytesPerOp, double spread) {
        return new Measured(this, microsPerOp, bytesPerOp, spread, Double.isNaN(microsPerOp) ? "no figure" : null);
    }

    Measured failed(String reason) {
        return new Measured(this, Double.NaN, Double.NaN, Double.NaN, reason);
    }

    /**
     * The figures of a row; NaN where it failed.
     *
     * @param spread the slowest iteration's time over the fastest one's
     * @param failure why there are no figures, or null
     */
    record Measured(
            Row row,
            double microsPerOp,
            double bytesPerOp,
            double spread,
            @Nullable String failure) {
        boolean failed() {
            return failure != null;
        }

        /** Returns the row of results; without figures if it failed. */
        Result result() {
            return Result.EMPTY
                    .with("name", row.name)
                    .with("us_per_op", microsPerOp)
                    .with("bytes_per_op", bytesPerOp)
                    .with("spread", spread)
                    .with("threads", row.threads)
                    .with("crypto", row.crypto.toString());
        }
    }
}
