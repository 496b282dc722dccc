/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.keys;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The key experiments as JSON. */
final class KeysJson {
    private final List<Map<String, Object>> rows = new ArrayList<>();

    void pools(List<PoolExperiment.Block> blocks) {
        for (PoolExperiment.Block block : blocks) {
            for (UploadRun.Outcome outcome : block.outcomes()) {
                Map<String, Object> row = row(block.experiment());
                row.put("keys", block.keys().name());
                row.put("arrival", block.arrival().toString());
                row.put("mix", block.mix().name());
                row.put("pool", outcome.of().pool().name());
                if (outcome.isSteady()) {
                    row.put("files_per_s", outcome.filesPerSecond());
                    row.put("share_of_off", outcome.filesPerSecond() / block.rate(PoolChoice.OFF));
                    row.put("share_of_best", outcome.filesPerSecond() / block.bestManual());
                    row.put("spread", outcome.spread());
                }
                row.put("p50_us", outcome.p50Micros());
                row.put("p99_us", outcome.p99Micros());
                row.put("dry_share", outcome.dryShare());
            }
        }
    }

    void heap(Map<String, Double> bytesPerKey) {
        bytesPerKey.forEach((kind, bytes) -> {
            Map<String, Object> row = row("E1c heap");
            row.put("keys", kind);
            row.put("bytes_per_key", bytes);
        });
    }

    void unwraps(List<UnwrapCount.Outcome> outcomes) {
        for (UnwrapCount.Outcome outcome : outcomes) {
            Map<String, Object> row = row("E3b");
            row.put("producers", outcome.producers());
            row.put("cache", outcome.cache());
            row.put("unwraps_per_message", outcome.unwrapsPerMessage());
        }
    }

    private Map<String, Object> row(String experiment) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("experiment", experiment);
        rows.add(row);
        return row;
    }

    List<Map<String, Object>> rows() {
        return List.copyOf(rows);
    }
}
