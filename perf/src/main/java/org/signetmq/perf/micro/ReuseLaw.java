/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import org.signetmq.perf.micro.Row.Crypto;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.variant.KeyKind;

/**
 * The law of key reuse, T(N) = T∞ + K/N: least squares over the rows of 1, 2, 4 … uses and of unlimited ones.
 *
 * @param limit T∞ in microseconds
 * @param perKey K in microseconds: the cost of a key for its first message
 * @param fit R²: 1 if the law holds exactly
 */
record ReuseLaw(double limit, double perKey, double fit) {
    private static final List<String> REUSES = List.of("1", "2", "4", "8", "16", "32", "64", "unlimited");
    private static final int ENOUGH = 4;

    /** The time of a message under a key that is used so often. */
    record Point(double keysPerMessage, double micros) {}

    static ReuseLaw of(List<Point> points) {
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
        return new ReuseLaw(meanY - slope * meanX, slope, xy * xy / (xx * yy));
    }

    /** Returns a law for each kind of key and set of providers that has enough rows. */
    static List<Result> fitted(MicroReport run) {
        List<Result> laws = new ArrayList<>();
        for (KeyKind key : KeyKind.values()) {
            for (Crypto crypto : Crypto.values()) {
                String name = "seal.confidentiality.%s." + key.label();
                List<Point> points = REUSES.stream()
                        .map(reuse -> new Point(
                                keysPerMessage(reuse), MicroReport.micros(run.find(name.formatted(reuse), 1, crypto))))
                        .filter(point -> !Double.isNaN(point.micros()))
                        .toList();
                if (points.size() >= ENOUGH) {
                    ReuseLaw law = of(points);
                    laws.add(Result.EMPTY
                            .with("rows", name.formatted("N"))
                            .with("crypto", crypto.toString())
                            .with("t_infinity_us", law.limit)
                            .with("k_us", law.perKey)
                            .with("r2", law.fit));
                }
            }
        }
        return laws;
    }

    private static double keysPerMessage(String reuse) {
        return reuse.equals("unlimited") ? 0 : 1 / Double.parseDouble(reuse);
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
