/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.keys;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.signetmq.perf.result.Result;

/**
 * All that is the same while pools are compared.
 *
 * @param experiment that it belongs to
 * @param keys their wrapping and its cost
 * @param arrival how files come
 * @param mix how large they are
 */
record Situation(String experiment, MeasuredWrapping keys, Arrival arrival, FileMix mix) {
    String name() {
        return experiment + " " + keys.name() + ", " + arrival + ", " + mix.name();
    }

    /** Returns a row for each pool, its rate beside that without a pool and that of the best manual setting. */
    List<Result> results(Map<Pool, Outcome> outcomes) {
        Outcome off = outcomes.get(Pool.OFF);
        double rateOfOff = off == null ? Double.NaN : off.filesPerSecond();
        double best = outcomes.entrySet().stream()
                .filter(outcome -> !outcome.getKey().equals(Pool.AUTO)
                        && outcome.getValue().isSteady())
                .mapToDouble(outcome -> outcome.getValue().filesPerSecond())
                .max()
                .orElse(Double.NaN);
        List<Result> rows = new ArrayList<>();
        outcomes.forEach((pool, outcome) -> rows.add(Result.EMPTY
                .with("experiment", experiment)
                .with("keys", keys.name())
                .with("arrival", arrival.toString())
                .with("mix", mix.name())
                .with("pool", pool.name())
                .with("files_per_s", outcome.filesPerSecond())
                .with("share_of_off", outcome.filesPerSecond() / rateOfOff)
                .with("share_of_best", outcome.filesPerSecond() / best)
                .with("spread", outcome.isSteady() ? outcome.spread() : Double.NaN)
                .with("p50_us", outcome.p50Micros())
                .with("p99_us", outcome.p99Micros())
                .with("dry_share", outcome.dryShare())));
        return rows;
    }

    /**
     * The result of an upload.
     *
     * @param filesPerSecond the rate of files; in bursts, of the median burst without the pauses, because other
     *     programs disturb some bursts. Else it counts all the time, less the time of keys that stayed unused, plus the
     *     time of keys that lay ready. NaN if that was much of the time: the rate could not last
     * @param p50Micros of one file
     * @param p99Micros of one file
     * @param dryShare of the files that waited for their key because none was ready
     * @param spread the fastest of several steady runs over the slowest one; 1 of a single one
     */
    record Outcome(double filesPerSecond, double p50Micros, double p99Micros, double dryShare, double spread) {
        boolean isSteady() {
            return !Double.isNaN(filesPerSecond);
        }

        /** Returns the median of those that are steady, if any is. */
        static Outcome median(List<Outcome> outcomes) {
            List<Outcome> steady = outcomes.stream()
                    .filter(Outcome::isSteady)
                    .sorted(Comparator.comparingDouble(Outcome::filesPerSecond))
                    .toList();
            if (steady.isEmpty()) {
                return outcomes.get(0);
            }
            Outcome median = steady.get(steady.size() / 2);
            double spread = steady.get(steady.size() - 1).filesPerSecond()
                    / steady.get(0).filesPerSecond();
            return new Outcome(median.filesPerSecond, median.p50Micros, median.p99Micros, median.dryShare, spread);
        }
    }
}
