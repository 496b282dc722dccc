/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** Results as JSON: one object per row, medians at its top, what they are the medians of below {@code runs}. */
final class RrJson {
    private RrJson() {}

    static List<Map<String, Object>> rows(Results results) {
        return results.rows().stream().map(row -> row(row, results)).toList();
    }

    private static Map<String, Object> row(Row row, Results results) {
        Map<String, Object> json = new LinkedHashMap<>();
        Variant variant = row.variant();
        json.put("quality", variant.quality().label());
        json.put("reuse", variant.reuse().json());
        json.put("key", variant.protects() ? variant.key().label() : "none");
        json.put("clients", row.load().clients());
        json.put("queues", row.load().queues());
        json.put("size", row.load().size());
        json.put("placement", "broker");
        json.put("journal", "NIO, datasync");
        putFigures(json, figure -> row.spread(figure).median());
        results.shareOfUnlimited(row).ifPresent(share -> json.put("share_of_unlimited", share));
        Map<String, Object> cold = new LinkedHashMap<>();
        putFigures(cold, figure -> row.coldSpread(figure).median());
        json.put("cold", cold);
        Map<String, Object> runs = new LinkedHashMap<>();
        runs.put("count", row.warm().size());
        putFigures(runs, figure -> row.spread(figure).json());
        json.put("runs", runs);
        return json;
    }

    private static void putFigures(Map<String, Object> json, Function<ToDoubleFunction<Sample>, Object> statistic) {
        json.put("round_trips_per_s", statistic.apply(sample -> sample.figures().rate()));
        json.put("share_of_none", statistic.apply(Sample::shareOfNone));
        json.put("p50_us", statistic.apply(sample -> sample.figures().latency().p50()));
        json.put("p99_us", statistic.apply(sample -> sample.figures().latency().p99()));
        Map<String, Object> cpu = new LinkedHashMap<>();
        cpu.put("broker", statistic.apply(sample -> sample.figures().cpu().broker()));
        cpu.put("client", statistic.apply(sample -> sample.figures().cpu().client()));
        json.put("cpu_ms_per_round_trip", cpu);
        json.put("cpu_of_none", statistic.apply(Sample::cpuOfNone));
    }
}
