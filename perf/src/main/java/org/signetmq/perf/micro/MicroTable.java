/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import java.io.PrintStream;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Results as a table; each row beside the bare primitives inside it, measured in the same run. */
final class MicroTable {
    private final List<Measured> rows;

    MicroTable(List<Measured> rows) {
        this.rows = rows;
    }

    void print(PrintStream out) {
        out.printf(
                "%-44s %7s %-9s %12s %12s %8s %-22s %7s%n",
                "row", "threads", "crypto", "us/op", "bytes/op", "x limit", "x fastest such peer", "spread");
        for (Measured row : rows) {
            if (row.failed()) {
                out.printf(
                        "%-44s %7d %-9s %12s%n",
                        row.row().name(), row.row().threads(), row.row().crypto(), "failed");
                continue;
            }
            out.printf(
                    "%-44s %7d %-9s %12.3f %12.0f %8s %-22s %7.2f%s%n",
                    row.row().name(),
                    row.row().threads(),
                    row.row().crypto(),
                    row.microsPerOp(),
                    row.bytesPerOp(),
                    limitOf(row)
                            .map(limit -> String.format("%.2f", row.microsPerOp() / limit))
                            .orElse(""),
                    peerOf(row)
                            .map(peer -> String.format(
                                    "%8.2f %s",
                                    row.microsPerOp() / peer.microsPerOp(),
                                    RowName.parse(peer.row().name()).word(1)))
                            .orElse(""),
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
    private Optional<Double> limitOf(Measured row) {
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
            String signature = name.contains(".rsa2048") ? "limit.rsa2048." : "limit.ecdsa-p256.";
            sum += score(signature + (seals ? "sign" : "verify"), row);
        }
        return Double.isNaN(sum) ? Optional.empty() : Optional.of(sum);
    }

    /** The fastest of those that do the same, encrypt and sign nothing, with the same reuse of keys. */
    private Optional<Measured> peerOf(Measured row) {
        RowName name = RowName.parse(row.row().name());
        boolean fits = name.words().size() > 2
                && name.word(1).equals("confidentiality")
                && name.size() == RowName.DEFAULT_SIZE
                && name.recipients() == 1
                && row.row().threads() == 1;
        if (!fits) {
            return Optional.empty();
        }
        String operation = "." + name.word(0) + "." + name.word(2);
        return rows.stream()
                .filter(other -> other.row().crypto() == RowCatalog.Crypto.PEER
                        && other.row().name().endsWith(operation)
                        && !other.failed())
                .min(Comparator.comparingDouble(Measured::microsPerOp));
    }

    private double score(String name, Measured beside) {
        return rows.stream()
                .filter(row -> row.row().name().equals(name)
                        && row.row().crypto() == beside.row().crypto()
                        && row.row().threads() == beside.row().threads())
                .mapToDouble(Measured::microsPerOp)
                .findFirst()
                .orElse(Double.NaN);
    }
}
