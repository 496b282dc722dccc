/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.digest;

import org.signetmq.perf.result.Result;

/**
 * What the source published in 2011: SHA-256 over files of 27 MB, one SATA disk, Intel Q9550, Sun's provider.
 *
 * @param read MB/s of reading alone
 * @param digest MB/s of the digest alone
 * @param both MB/s of both together
 */
record Published(double read, double digest, double both) {
    /** The rate of the published disk in bytes per second: blocks of 1 MiB read in the loop. */
    static final double READ_RATE = 97.8e6;

    /** The rate of the published digest in bytes per second, for blocks of 1 MiB. */
    static final double DIGEST_RATE = 72e6;

    /** Adds what was published of a way and a block length; the row stays as it is if nothing was. */
    static Result addTo(Result row) {
        Published figures = switch (row.text("way") + " " + row.text("block")) {
            case "loop 4096" -> new Published(96.5, 69.6, 53.1);
            case "loop 8192" -> new Published(95.9, 69.6, 54.8);
            case "loop 10000" -> new Published(94.6, 69.2, 54.0);
            case "loop 1048576" -> new Published(97.8, 72.1, 34.3);
            case "pipeline 4096" -> new Published(92.2, 65.63, 54.7);
            case "pipeline 8192" -> new Published(92.4, 67.5, 57.0);
            case "pipeline 10000" -> new Published(87.8, 68.0, 57.2);
            case "pipeline 1048576" -> new Published(97.4, 72.2, 64.7);
            default -> new Published(Double.NaN, Double.NaN, Double.NaN);
        };
        return row.with("published.read_mb_per_s", figures.read)
                .with("published.digest_mb_per_s", figures.digest)
                .with("published.both_mb_per_s", figures.both)
                .with("published.both_of_digest", figures.both / figures.digest);
    }
}
