/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.figure;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.signetmq.perf.result.Beside;
import org.signetmq.perf.result.Result;

/**
 * The published figures beside those of rows.
 *
 * @param rows as they stand in JSON, with the published shares
 */
record PublishedBeside(List<Result> rows) {
    private static final String BUFFER = "buffer";
    private static final String RATE = "round_trips_per_s";
    private static final String OF_LARGE = "published_share_of_large_buffer";
    private static final int LARGE_BUFFER = 20_480;

    /** Returns all, in the order of the rows. */
    List<Beside> all() {
        List<Beside> all = new ArrayList<>();
        for (Result row : rows) {
            if (!row.is("protection", "none") || row.text(Rows.SETTING).contains("+")) {
                add(all, row, Rows.PUBLISHED, Rows.SHARE, "share of none");
                add(all, row, "published_share_of_unlimited", "share_of_unlimited", "share of unlimited reuse");
                add(
                        all,
                        row,
                        ClientsStudy.PUBLISHED_CPU,
                        Rows.ADDED_CPU,
                        "ms of processor time added to a round trip (published: clients alone)");
                addBuffers(all, row);
            }
        }
        return all;
    }

    private static void add(List<Beside> all, Result row, String published, String ours, String figure) {
        if (row.has(published) && row.has(ours)) {
            all.add(new Beside(name(row) + ": " + figure, row.number(published), row.number(ours), repeat(row)));
        }
    }

    private static String name(Result row) {
        return row.text(Rows.SETTING) + ", " + row.text(Rows.CLIENTS) + " clients";
    }

    /** Compares the rate with a small get buffer with that with a large one. */
    private void addBuffers(List<Beside> all, Result small) {
        Optional<Result> large = rows.stream()
                .filter(row -> row.is(BUFFER, LARGE_BUFFER)
                        && row.is(Rows.SETTING, small.text(Rows.SETTING))
                        && row.is(Rows.CLIENTS, small.text(Rows.CLIENTS)))
                .findFirst();
        if (small.has(OF_LARGE) && large.isPresent()) {
            double ours = small.number(RATE) / large.get().number(RATE);
            String name = name(small) + ": rate with a get buffer of 2 KB / 20 KB";
            all.add(new Beside(name, small.number(OF_LARGE), ours, repeat(small)));
        }
    }

    /** Returns the shortest command for a row: that of its study, or {@code rr} for its setting and load alone. */
    private static String repeat(Result row) {
        String study = row.text(StudyRun.STUDY);
        if (row.has(BUFFER) || row.is("transport", "tls")) {
            return study.replace('-', ' ');
        }
        return "rr --quality " + row.text("protection")
                + (row.text("protection").endsWith("confidentiality") ? " --reuse " + row.text("reuse") : "")
                + " --keys " + row.text("key")
                + " --clients " + row.text(Rows.CLIENTS)
                + " --queues " + row.text("queues");
    }
}
