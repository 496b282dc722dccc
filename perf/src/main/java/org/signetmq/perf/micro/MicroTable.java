/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Results as a table; each row beside the bare primitives inside it, measured in the same run. */
final class MicroTable {
    private final List<MicroRun.Measured> rows;

    MicroTable(List<MicroRun.Measured> rows) {
        this.rows = rows;
    }

    void print(PrintStream out) {
        out.printf(
                "%-44s %7s %-9s %12s %12s %8s %7s%n",
                "row", "threads", "crypto", "us/op", "bytes/op", "x limit", "spread");
        for (MicroRun.Measured row : rows) {
            if (row.failed()) {
                out.printf(
                        "%-44s %7d %-9s %12s%n",
                        row.row().name(), row.row().threads(), row.row().crypto(), "failed");
                continue;
            }
            String ratio = limitOf(row)
                    .map(limit -> String.format("%.2f", row.microsPerOp() / limit))
                    .orElse("");
            out.printf(
                    "%-44s %7d %-9s %12.3f %12.0f %8s %6.2f%s%n",
                    row.row().name(),
                    row.row().threads(),
                    row.row().crypto(),
                    row.microsPerOp(),
                    row.bytesPerOp(),
                    ratio,
                    row.spread(),
                    row.noisy() ? " noisy" : "");
        }
    }

    /** How many bytes sealing adds. */
    static void print(Map<String, Integer> sizes, PrintStream out) {
        out.printf("%n%-44s %12s%n", "size added to " + RowName.DEFAULT_SIZE + " bytes, one recipient", "bytes");
        sizes.forEach((name, bytes) -> out.printf("%-44s %12d%n", name, bytes));
    }

    /** The sum of the primitives that a row cannot do without. */
    private Optional<Double> limitOf(MicroRun.Measured row) {
        String name = row.row().name();
        if (!name.startsWith("seal.") && !name.startsWith("open.")) {
            return Optional.empty();
        }
        boolean seals = name.startsWith("seal.");
        String size = RowName.parse(name).size() == RowName.DEFAULT_SIZE
                ? ""
                : "." + RowName.parse(name).size();
        double sum = 0;
        if (!name.contains(".integrity.")) {
            sum += score("limit.aes256gcm." + (seals ? "encrypt" : "decrypt") + size, row);
        }
        if (!name.contains(".confidentiality.")) {
            sum += score("limit.ecdsa-p256." + (seals ? "sign" : "verify"), row);
        }
        return Double.isNaN(sum) ? Optional.empty() : Optional.of(sum);
    }

    private double score(String name, MicroRun.Measured beside) {
        return rows.stream()
                .filter(row -> row.row().name().equals(name)
                        && row.row().crypto() == beside.row().crypto()
                        && row.row().threads() == beside.row().threads())
                .mapToDouble(MicroRun.Measured::microsPerOp)
                .findFirst()
                .orElse(Double.NaN);
    }
}
