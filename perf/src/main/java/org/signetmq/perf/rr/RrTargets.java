/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.signetmq.perf.targets.Bar;
import org.signetmq.perf.targets.Figure;
import org.signetmq.perf.targets.Target;

/** What round trips should come to where the broker is busy, by rows as they stand in JSON. */
public final class RrTargets {
    private static final int BUSY_CLIENTS = 32;

    /** What is asked of a figure of the rows of one way to protect, with keys on P-256. */
    private record Demand(String variant, String figure, Bar bar) {
        boolean concerns(JsonNode row) {
            String found = row.path("quality").asText() + "."
                    + row.path("reuse").asText() + "." + row.path("key").asText();
            return found.equals(variant);
        }

        Target of(String load, List<JsonNode> rows) {
            return bar.target(
                    variant + ", " + load + ": " + figure,
                    rows.stream().filter(this::concerns).map(this::figure).toList());
        }

        /** Noisy if the runs differ by much. */
        private Figure figure(JsonNode row) {
            JsonNode runs = row.path("runs").path(figure.equals(SHARE_OF_UNLIMITED) ? SHARE_OF_NONE : figure);
            return Figure.scattered(
                    row.path(figure).asDouble(Double.NaN),
                    runs.path("max").asDouble() / runs.path("min").asDouble());
        }
    }

    private static final String SHARE_OF_NONE = "share_of_none";
    private static final String SHARE_OF_UNLIMITED = "share_of_unlimited";

    private static final List<Demand> DEMANDS = List.of(
            new Demand("confidentiality.32.p256", SHARE_OF_NONE, Bar.atLeast(0.95)),
            new Demand("confidentiality.32.p256", SHARE_OF_UNLIMITED, Bar.atLeast(0.99)),
            new Demand("confidentiality.32.p256", "cpu_of_none", Bar.atMost(1.05)),
            new Demand("integrity.0.p256", SHARE_OF_NONE, Bar.atLeast(0.75)),
            new Demand("privacy.0.p256", SHARE_OF_NONE, Bar.atLeast(0.65)));

    private RrTargets() {}

    /** All of them for each load of enough clients, of the rows of a whole file. */
    public static List<Target> of(JsonNode results) {
        Map<String, List<JsonNode>> byLoad = new LinkedHashMap<>();
        for (JsonNode row : results) {
            if (row.path("clients").asInt() >= BUSY_CLIENTS) {
                byLoad.computeIfAbsent(load(row), first -> new ArrayList<>()).add(row);
            }
        }
        if (byLoad.isEmpty()) {
            byLoad.put("at least " + BUSY_CLIENTS + " clients", List.of());
        }
        List<Target> targets = new ArrayList<>();
        byLoad.forEach((load, rows) -> DEMANDS.forEach(demand -> targets.add(demand.of(load, rows))));
        return targets;
    }

    private static String load(JsonNode row) {
        int queues = row.path("queues").asInt();
        return row.path("clients").asInt() + " clients, " + queues + (queues == 1 ? " queue" : " queues");
    }
}
