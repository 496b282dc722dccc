/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.mailbox;

import java.util.List;
import java.util.Map;
import org.signetmq.perf.pair.Block;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.setting.Setting;
import org.signetmq.perf.variant.KeySupply;

/** The rows of uploads, from those of round trips. */
final class Rows {
    static final String SITUATION = "situation";
    static final String POOL = "pool";
    static final String ARRIVAL = "arrival";
    static final String SMALL = "small_percent";
    static final String RATE = "files_per_s";
    static final String SHARE = "share_of_off";
    static final String BROKER_CPU = "cpu_ms_per_file.broker";
    static final String CLIENT_CPU = "cpu_ms_per_file.client";

    /** Fields of round trips, and their names for uploads. */
    private static final List<Map.Entry<String, String>> NAMES = List.of(
            Map.entry(Block.RATE, RATE),
            Map.entry("runs." + Block.RATE, "runs." + RATE),
            Map.entry("share_of_none", SHARE),
            Map.entry("runs.share_of_none", "runs." + SHARE),
            Map.entry("p50_us", "p50_us"),
            Map.entry("p99_us", "p99_us"),
            Map.entry(Block.BROKER_CPU, BROKER_CPU),
            Map.entry(Block.CLIENT_CPU, CLIENT_CPU),
            Map.entry(Block.KEY_WAITS, Block.KEY_WAITS),
            Map.entry(Block.BROKER_HEAP, Block.BROKER_HEAP),
            Map.entry("disk_bytes_per_message", "disk_bytes_per_file"),
            Map.entry("keys_per_message", "keys_per_file"),
            Map.entry("gc_ms_per_s.broker", "gc_ms_per_s.broker"),
            Map.entry(Block.BROKER_JIT, Block.BROKER_JIT),
            Map.entry("blocks", "blocks"));

    private Rows() {}

    /** Returns the same rows in terms of files. */
    static List<Result> ofFiles(List<Result> roundTrips) {
        return roundTrips.stream().map(Rows::ofFiles).toList();
    }

    private static Result ofFiles(Result roundTrips) {
        KeySupply keys = Setting.of(roundTrips).place().keys();
        Result row = Result.EMPTY
                .with(SITUATION, roundTrips.text("part"))
                .with("key", roundTrips.text("key"))
                .with("recipients", keys.recipients())
                .with("uploaders", roundTrips.field("clients"))
                .with(ARRIVAL, roundTrips.text(ARRIVAL))
                .with(SMALL, roundTrips.field(SMALL))
                .with(POOL, keys.pool());
        for (Map.Entry<String, String> name : NAMES) {
            if (roundTrips.has(name.getKey())) {
                row = row.with(name.getValue(), roundTrips.field(name.getKey()));
            }
        }
        return row;
    }
}
