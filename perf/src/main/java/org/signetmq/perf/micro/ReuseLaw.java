/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The law of key reuse, T(N) = T∞ + K/N: least squares over the rows of 1, 2, 4 … uses and of unlimited ones.
 *
 * @param limit T∞ in microseconds
 * @param perKey K in microseconds: what a key costs its first message
 * @param fit R²: 1 if the law holds exactly
 */
record ReuseLaw(double limit, double perKey, double fit) {
    private static final List<String> REUSES = List.of("1", "2", "4", "8", "16", "32", "64", "unlimited");
    private static final int ENOUGH = 4;

    /** One time, of a message under a key that is used so often. */
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

    /** The law of one kind of key and set of providers. */
    record Fitted(String rows, RowCatalog.Crypto crypto, ReuseLaw law) {
        Map<String, Object> row() {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("rows", rows);
            row.put("crypto", crypto.toString());
            row.put("t_infinity_us", law.limit());
            row.put("k_us", law.perKey());
            row.put("r2", law.fit());
            return row;
        }
    }

    /** Those of which enough rows were measured. */
    static List<Fitted> fitted(List<Measured> rows) {
        List<Fitted> laws = new ArrayList<>();
        for (String key : List.of("p256", "rsa2048")) {
            for (RowCatalog.Crypto crypto : RowCatalog.Crypto.values()) {
                List<Point> points = rows.stream()
                        .filter(row -> row.row().crypto() == crypto && row.row().threads() == 1 && !row.failed())
                        .flatMap(row -> REUSES.stream()
                                .filter(reuse -> row.row().name().equals("seal.confidentiality." + reuse + "." + key))
                                .map(reuse -> new Point(keysPerMessage(reuse), row.microsPerOp())))
                        .toList();
                if (points.size() >= ENOUGH) {
                    laws.add(new Fitted("seal.confidentiality.N." + key, crypto, of(points)));
                }
            }
        }
        return laws;
    }

    static void print(List<Fitted> laws, PrintStream out) {
        for (Fitted fitted : laws) {
            ReuseLaw law = fitted.law();
            out.printf(
                    "%n%s, %s: T(N) = %.3f us + %.3f us / N, R2 = %.3f%n",
                    fitted.rows(), fitted.crypto(), law.limit(), law.perKey(), law.fit());
        }
    }

    private static double keysPerMessage(String reuse) {
        return reuse.equals("unlimited") ? 0 : 1 / Double.parseDouble(reuse);
    }
}
