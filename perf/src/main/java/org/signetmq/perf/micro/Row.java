/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.variant.Payload;

/**
 * An operation that is measured.
 *
 * @param parameters of the JMH benchmark that does it, in the order in which they make its name
 * @param threads that do it at the same time
 * @param crypto that serves it
 * @param depth how long it is measured
 */
record Row(Result parameters, int threads, Crypto crypto, Depth depth) {
    /** The parameters that a name leaves out. */
    private static final Map<String, String> USUAL = Map.of("size", "" + Payload.USUAL_SIZE, "recipients", "1");

    /** A set of providers. */
    enum Crypto {
        /** The JDK and Bouncy Castle. */
        JAVA_ONLY,
        /** The native provider where it has the algorithm. */
        NATIVE,
        /** Those that another system takes. */
        PEER;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** How long a row is measured, and in how many processes. */
    record Depth(int forks, int warmups, int measurements, Duration iteration) {
        /** For rows that no target depends on: in one process, each finds the code of those before it compiled. */
        static final Depth SHORT = new Depth(0, 2, 2, Duration.ofMillis(350));
        /** For rows that a target depends on, in a run of a few minutes. */
        static final Depth QUICK = new Depth(1, 3, 3, Duration.ofMillis(600));
        /** For figures to be published. */
        static final Depth FULL = new Depth(3, 5, 5, Duration.ofSeconds(1));

        /** Returns more iterations for more threads: they leave the compiler no core. */
        int warmups(int threads) {
            return threads == 1 ? warmups : 3 * warmups;
        }

        /** Returns how long a row takes about; a second of each process is for its start, keys and messages. */
        Duration of(int threads) {
            Duration iterations = iteration.multipliedBy(warmups(threads) + measurements);
            return iterations.plusSeconds(1).multipliedBy(Math.max(1, forks));
        }
    }

    /** Returns the name in results. */
    String name() {
        return name(parameters);
    }

    /** Returns the values between dots, in lower case; rN for N recipients. */
    static String name(Result parameters) {
        return parameters.json().properties().stream()
                .filter(one -> !one.getValue().asText().equals(USUAL.get(one.getKey())))
                .map(one -> (one.getKey().equals("recipients") ? "r" : "")
                        + one.getValue().asText())
                .collect(Collectors.joining("."))
                .toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the result; NaN stands for a figure that is missing.
     *
     * @param spread the slowest iteration's time over the fastest one's
     */
    Result measured(double microsPerOp, double bytesPerOp, double spread) {
        return Result.EMPTY
                .with("name", name())
                .with("us_per_op", microsPerOp)
                .with("bytes_per_op", bytesPerOp)
                .with("spread", spread)
                .with("threads", threads)
                .with("crypto", crypto.toString());
    }
}
