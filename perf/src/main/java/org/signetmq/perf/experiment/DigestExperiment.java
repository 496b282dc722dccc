/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.experiment;

import static org.signetmq.perf.result.Bar.atLeast;
import static org.signetmq.perf.result.Bar.atMost;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.signetmq.perf.result.Bar;
import org.signetmq.perf.result.Chart;
import org.signetmq.perf.result.Pick;
import org.signetmq.perf.result.Published;

/** Reading files and digesting or sealing them: a loop, a pipeline and Signet's own way. */
final class DigestExperiment {
    private static final int FILE_LENGTH = 27_000_000; // as published
    private static final String THROTTLED = "sha-256 throttled";
    /** Published MB/s of both together over those of the digest alone, for each block. */
    private static final List<Double> LOOP = List.of(53.1 / 69.6, 54.8 / 69.6, 54.0 / 69.2, 34.3 / 72.1);

    private static final List<Double> PIPELINE = List.of(54.7 / 65.63, 57.0 / 67.5, 57.2 / 68.0, 64.7 / 72.2);

    static final Experiment DIGEST = digest();

    private DigestExperiment() {}

    private static Pick pick(String column, String part, String way, int block) {
        return Pick.of(column, "part", part, "setting", way, "size", block);
    }

    private static Experiment digest() {
        List<Bar> bars = new ArrayList<>();
        List<Published> published = new ArrayList<>();
        List<Chart.Point> points = new ArrayList<>();
        for (int block : DigestRun.BLOCKS) {
            for (String part : List.of("sha-256", "aes-256-gcm", THROTTLED)) {
                String name = "signet / the slower of reading and working: " + part + ", blocks of " + block;
                bars.add(atLeast(0.95, name, pick("of_least", part, "signet", block)));
            }
            Pick ofPipeline = pick("cpu_s_per_gb", "sha-256", "signet", block)
                    .over(pick("cpu_s_per_gb", "sha-256", "pipeline", block));
            bars.add(atMost(1, "processor time, signet / pipeline: sha-256, blocks of " + block, ofPipeline));
        }
        for (int i = 0; i < LOOP.size(); i++) {
            int block = DigestRun.BLOCKS.get(i);
            String blocks = " / digest alone, blocks of " + block;
            Pick ofLoop = pick("of_work", THROTTLED, "loop", block);
            Pick ofPipeline = pick("of_work", THROTTLED, "pipeline", block);
            Pick ofSignet = pick("of_work", THROTTLED, "signet", block);
            published.add(new Published("ACE: loop" + blocks, LOOP.get(i), ofLoop, null));
            published.add(new Published("ACE: pipeline" + blocks, PIPELINE.get(i), ofPipeline, ofSignet));
            points.add(new Chart.Point("loop", block, LOOP.get(i)));
            points.add(new Chart.Point("pipeline", block, PIPELINE.get(i)));
        }
        Pick loop = pick("of_work", THROTTLED, "loop", 1 << 20);
        Pick pipeline = pick("of_work", THROTTLED, "pipeline", 1 << 20);
        bars.add(atMost(0.65, "shape: loop / digest alone, blocks of 1 MiB", loop));
        bars.add(atLeast(0.89, "shape: pipeline / digest alone, blocks of 1 MiB", pipeline));
        String title = "Reading and SHA-256 at the published rates, share of the digest alone";
        return new Experiment(
                "digest",
                "Reading and digesting files: a loop, a pipeline and Signet",
                "ACE Audit Manager 1.6, digest of files in Java, February 2011.",
                runner -> {
                    try (DigestRun run = new DigestRun(runner.folder(), FILE_LENGTH)) {
                        run.measure(runner);
                    }
                },
                bars,
                published,
                new Chart(title, Chart.Kind.BARS, Map.of("part", THROTTLED), "size", "of_work", points));
    }
}
