/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import org.signetmq.perf.micro.Row.Crypto;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.statistics.ReuseLaw;
import org.signetmq.perf.statistics.ReuseLaw.Point;
import org.signetmq.perf.variant.KeyKind;

/** Fits the law of key reuse to the rows of 1, 2, 4 … uses and of unlimited ones. */
final class ReuseLaws {
    private static final List<String> REUSES = List.of("1", "2", "4", "8", "16", "32", "64", "unlimited");
    private static final int ENOUGH = 4;

    private ReuseLaws() {}

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
                        .filter(point -> !Double.isNaN(point.time()))
                        .toList();
                if (points.size() >= ENOUGH) {
                    Result rows = Result.EMPTY.with("rows", name.formatted("N")).with("crypto", crypto.toString());
                    laws.add(fitted(rows, points));
                }
            }
        }
        return laws;
    }

    private static Result fitted(Result rows, List<Point> points) {
        ReuseLaw law = ReuseLaw.fit(points);
        return rows.with("t_infinity_us", law.unlimited())
                .with("k_us", law.perKey())
                .with("r2", law.r2());
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
