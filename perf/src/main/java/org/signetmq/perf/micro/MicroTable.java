/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import java.io.PrintStream;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.signetmq.perf.micro.Row.Measured;
import org.signetmq.perf.result.Figure;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.result.Table;
import org.signetmq.perf.result.Table.Column;
import org.signetmq.perf.variant.KeyKind;
import org.signetmq.perf.variant.Payload;
import org.signetmq.policy.QualityOfProtection;

/** The table of all rows; each row beside the bare primitives inside it, measured in the same run. */
final class MicroTable {
    private static final Table<Result> SIZES = new Table<>(
            Table.text("size added to " + Payload.USUAL_SIZE + " bytes, one recipient", "%-44s", "name"),
            Table.text("bytes", "%12d", "bytes_added"));

    private static final List<Column<Measured>> NAMES = List.of(
            new Column<>("row", "%-44s", measured -> measured.row().name()),
            new Column<>("threads", "%7d", measured -> measured.row().threads()),
            new Column<>("crypto", "%-9s", measured -> measured.row().crypto()));

    private final List<Measured> rows;

    MicroTable(List<Measured> rows) {
        this.rows = rows;
    }

    void print(PrintStream out) {
        Table<Measured> table = with(
                new Column<>("us/op", "%12.3f", Measured::microsPerOp),
                new Column<>("bytes/op", "%12.0f", Measured::bytesPerOp),
                new Column<>("x limit", "%8.2f", row -> Table.numberOr(row.microsPerOp() / limitOf(row.row()), "")),
                new Column<>("x fastest such peer", "%-22s", this::besidePeer),
                new Column<>("spread", "%7s", MicroTable::spread));
        Table<Measured> failed = with(new Column<>("us/op", "%12s", row -> "failed"));
        table.printHeadings(out);
        rows.forEach(row -> (row.failed() ? failed : table).printLine(row, out));
    }

    @SafeVarargs
    @SuppressWarnings("varargs")
    private static Table<Measured> with(Column<Measured>... more) {
        return new Table<>(Stream.concat(NAMES.stream(), Stream.of(more)).toList());
    }

    static void printSizes(List<Result> sizes, PrintStream out) {
        out.println();
        SIZES.print(sizes, out);
    }

    private static String spread(Measured row) {
        return String.format("%7.2f", row.spread()) + (row.spread() > Figure.CALM_SPREAD ? " noisy" : "");
    }

    /** Returns the sum of the primitives that a row cannot do without; NaN if they were not measured. */
    private double limitOf(Row row) {
        if (row.parameter("quality").isEmpty()) {
            return Double.NaN;
        }
        boolean seals = row.has("operation", "seal");
        QualityOfProtection quality = QualityOfProtection.valueOf(row.parameter("quality"));
        double sum = 0;
        if (quality.encrypts()) {
            sum += micros(seals ? "aes256gcm.encrypt" : "aes256gcm.decrypt", row.parameter("size"), row);
        }
        if (quality.signs()) {
            String algorithm = row.has("key", KeyKind.P256) ? "ecdsa-p256" : "rsa2048";
            sum += micros(algorithm + (seals ? ".sign" : ".verify"), "" + Payload.USUAL_SIZE, row);
        }
        return sum;
    }

    private double micros(String primitive, String size, Row beside) {
        return rows.stream()
                .filter(one -> one.row().has("primitive", primitive)
                        && one.row().has("size", size)
                        && one.row().threads() == beside.threads()
                        && one.row().crypto() == beside.crypto())
                .mapToDouble(Measured::microsPerOp)
                .findFirst()
                .orElse(Double.NaN);
    }

    /** Compares a row with the fastest peer that does the same: encrypts, signs nothing, has the same reuse of keys. */
    private String besidePeer(Measured measured) {
        Row row = measured.row();
        if (!row.isPlain() || !row.isConfidential()) {
            return "";
        }
        boolean seals = row.has("operation", "seal");
        String same = seals ? ".seal." + row.parameter("reuse") : ".open." + row.parameter("operation");
        return rows.stream()
                .filter(other -> other.row().isPeer() && other.row().name().endsWith(same) && !other.failed())
                .min(Comparator.comparingDouble(Measured::microsPerOp))
                .map(peer -> String.format(
                        "%8.2f %s",
                        measured.microsPerOp() / peer.microsPerOp(),
                        peer.row().name().split("\\.", -1)[1]))
                .orElse("");
    }
}
