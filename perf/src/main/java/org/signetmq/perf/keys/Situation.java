/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.keys;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.upload.FileMix;

/** All that is the same while pools are compared: the wrapping of keys, and how files come, and how large they are. */
record Situation(String experiment, MeasuredWrapping keys, Arrival arrival, FileMix mix) {
    /** How files come. */
    enum Arrival {
        /** One after the other, from half of the cores: the others are free to make keys. */
        CLOSED("closed loop"),
        /** One after the other, from twice as many threads as cores: no core is free. */
        SATURATED("saturated"),
        /** From half of the cores, many at once and then a pause. */
        BURSTY("bursts");

        private final String word;

        Arrival(String word) {
            this.word = word;
        }

        int uploaders() {
            int cores = Runtime.getRuntime().availableProcessors();
            return this == SATURATED ? 2 * cores : Math.max(1, cores / 2);
        }

        @Override
        public String toString() {
            return word;
        }
    }

    String name() {
        return experiment + " " + keys.name() + ", " + arrival + ", " + mix.name();
    }

    /** Returns a row for each pool, its rate beside that without a pool and that of the best manual setting. */
    List<Result> results(Map<Pool, Result> figures) {
        double rateOfOff = figures.getOrDefault(Pool.OFF, Result.EMPTY).number(UploadRun.RATE);
        double best = figures.entrySet().stream()
                .filter(of -> !of.getKey().equals(Pool.AUTO) && of.getValue().has(UploadRun.RATE))
                .mapToDouble(of -> of.getValue().number(UploadRun.RATE))
                .max()
                .orElse(Double.NaN);
        List<Result> rows = new ArrayList<>();
        figures.forEach((pool, of) -> rows.add(Result.EMPTY
                .with("experiment", experiment)
                .with("keys", keys.name())
                .with("arrival", arrival.toString())
                .with("mix", mix.name())
                .with("pool", pool.name())
                .with("files_per_s", of.number(UploadRun.RATE))
                .with("share_of_off", of.number(UploadRun.RATE) / rateOfOff)
                .with("share_of_best", of.number(UploadRun.RATE) / best)
                .with("spread", of.number("spread"))
                .with("p50_us", of.number("p50_us"))
                .with("p99_us", of.number("p99_us"))
                .with("dry_share", of.number("dry_share"))));
        return rows;
    }
}
