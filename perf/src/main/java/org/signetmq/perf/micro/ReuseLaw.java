/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import org.signetmq.perf.micro.Row.Crypto;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.variant.KeyKind;

/** The law of key reuse, T(N) = T∞ + K/N: least squares over the rows of 1, 2, 4 … uses and of unlimited ones. */
final class ReuseLaw {
    private static final List<String> REUSES = List.of("1", "2", "4", "8", "16", "32", "64", "unlimited");
    private static final int ENOUGH = 4;

    /** The time of a message under a key that is used so often. */
    record Point(double keysPerMessage, double micros) {}

    private ReuseLaw() {}

    /** Returns a law for each kind of key and set of providers that has enough rows. */
    static List<Result> fitted(MicroReport run) {
        List<Result> laws = new ArrayList<>();
        for (KeyKind key : KeyKind.values()) {
            for (Crypto crypto : Crypto.values()) {
                String name = "seal.confidentiality.%s." + key.label();
                List<Point> points = REUSES.stream()
                        .map(reuse -> new Point(
                                reuse.equals("unlimited") ? 0 : 1 / Double.parseDouble(reuse),
                                MicroReport.micros(run.find(name.formatted(reuse), 1, crypto))))
                        .filter(point -> !Double.isNaN(point.micros()))
                        .toList();
                if (points.size() >= ENOUGH) {
                    Result rows = Result.EMPTY.with("rows", name.formatted("N")).with("crypto", crypto.toString());
                    laws.add(fitted(rows, points));
                }
            }
        }
        return laws;
    }

    /** Adds T∞, K, which is the cost of a key for its first message, and R², which is 1 if the law holds exactly. */
    static Result fitted(Result law, List<Point> points) {
        double meanX =
                points.stream().mapToDouble(Point::keysPerMessage).average().orElseThrow();
        double meanY = points.stream().mapToDouble(Point::micros).average().orElseThrow();
        double xx = 0;
        double xy = 0;
        double yy = 0;
        for (Point point : points) {
            double x = point.keysPerMessage() - meanX;
            double y = point.micros() - meanY;
            xx += x * x;
            xy += x * y;
            yy += y * y;
        }
        double slope = xy / xx;
        return law.with("t_infinity_us", meanY - slope * meanX)
                .with("k_us", slope)
                .with("r2", xy * xy / (xx * yy));
    }

    static void print(List<Result> laws, PrintStream out) {
        for (Result law : laws) {
            out.printf(
                    "%n%s, %s: T(N) = %.3f us + %.3f us / N, R2 = %.3f%n",
                    law.text("rows"),
                    law.text("crypto"),
                    law.number("t_infinity_us"),
                    law.number("k_us"),
                    law.number("r2"));
        }
    }
}
