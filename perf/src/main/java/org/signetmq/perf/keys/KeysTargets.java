/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.keys;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.signetmq.perf.targets.Bar;
import org.signetmq.perf.targets.Figure;
import org.signetmq.perf.targets.Target;

/** What the pool and the cache of keys should come to, by rows as they stand in JSON. */
public final class KeysTargets {
    /** Of the best setting that somebody chose by hand. */
    static final double AUTO_SHARE = 0.95;

    /** A key that serves so many messages is unwrapped once, or hardly more often. */
    static final double MOST_UNWRAPS = 1.05 / UnwrapCount.REUSE;

    private KeysTargets() {}

    /** All of them, of the rows of a whole file. */
    public static List<Target> of(JsonNode results) {
        List<Target> targets = new ArrayList<>(unwraps(results));
        Map<String, List<JsonNode>> situations = new LinkedHashMap<>();
        for (JsonNode row : results) {
            if (row.has("pool")) {
                situations
                        .computeIfAbsent(situation(row), first -> new ArrayList<>())
                        .add(row);
            }
        }
        situations.forEach((name, rows) -> targets.add(auto(name, rows)));
        return targets;
    }

    /** The most of any number of producers, for each cache that holds the keys of them all. */
    private static List<Target> unwraps(JsonNode results) {
        List<Figure> counts = new ArrayList<>();
        for (JsonNode row : results) {
            if (row.path("cache").asInt() >= UnwrapCount.MOST_PRODUCERS) {
                counts.add(Figure.exact(row.path("unwraps_per_message").asDouble()));
            }
        }
        double most = counts.stream().mapToDouble(Figure::value).max().orElse(Double.NaN);
        return List.of(Bar.atMost(MOST_UNWRAPS)
                .target(
                        "unwraps per message, reuse 32, up to " + UnwrapCount.MOST_PRODUCERS + " producers",
                        List.of(Figure.exact(most))));
    }

    private static String situation(JsonNode row) {
        return row.path("experiment").asText() + " " + row.path("keys").asText() + ", "
                + row.path("arrival").asText() + ", " + row.path("mix").asText();
    }

    /** Noisy if the runs of auto differ by much, or those of what it is compared with. */
    private static Target auto(String situation, List<JsonNode> rows) {
        double share = Double.NaN;
        double spread = 1;
        for (JsonNode row : rows) {
            boolean isAuto = row.path("pool").asText().equals(PoolChoice.AUTO.name());
            if (isAuto) {
                share = row.path("share_of_best").asDouble(Double.NaN);
            }
            if (isAuto || row.path("share_of_best").asDouble() == 1) {
                spread = Math.max(spread, row.path("spread").asDouble(1));
            }
        }
        return Bar.atLeast(AUTO_SHARE)
                .target("auto / best manual: " + situation, List.of(Figure.scattered(share, spread)));
    }
}
