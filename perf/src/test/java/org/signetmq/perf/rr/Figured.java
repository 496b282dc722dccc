/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import java.util.List;
import org.signetmq.perf.pair.Block;
import org.signetmq.perf.primitive.PrimitiveCost;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.rr.Blocks.Name;
import org.signetmq.perf.rr.Blocks.Place;
import org.signetmq.perf.rr.Plan.Timing;
import org.signetmq.perf.setting.Load;
import org.signetmq.perf.setting.Protection;
import org.signetmq.perf.setting.Setting;
import org.signetmq.perf.variant.KeyKind;
import org.signetmq.perf.variant.Reuse;

/** Made-up blocks and rows. */
final class Figured {
    static final Load LOAD = Load.of(32, 1, 2048);
    static final Setting LIMITED = Setting.of(Protection.CONFIDENTIALITY, new Reuse("32"), KeyKind.P256);
    static final Setting UNLIMITED = Setting.of(Protection.CONFIDENTIALITY, Reuse.UNLIMITED, KeyKind.P256);
    static final Setting SIGNED = Setting.of(Protection.INTEGRITY, Reuse.NONE, KeyKind.P256);
    static final Timing TIMING = new Timing(1, 1, 4, List.of());

    /** A message costs 0.005 ms of ciphers, and 0.05 ms of signatures. */
    static final PrimitiveCost PRIMITIVES = new PrimitiveCost(List.of(Result.EMPTY
            .with("size", 2048)
            .with("key", "p256")
            .with("cipher_ms", 0.005)
            .with("signature_ms", 0.05)));

    private Figured() {}

    static Plan plan(Setting... settings) {
        return new Plan("", List.of(settings), List.of(LOAD), TIMING);
    }

    static Result figures(double rate) {
        return Result.EMPTY
                .with(Block.RATE, rate)
                .with("p50_us", 1e6 / rate)
                .with("p99_us", 2e6 / rate)
                .with("p999_us", 3e6 / rate)
                .with(Block.BROKER_CPU, 300 / rate)
                .with(Block.CLIENT_CPU, 100 / rate);
    }

    static Name name(Setting setting, Load load, int round, int position) {
        return new Name("", setting, load, new Place(round, position, Blocks.CLOSED));
    }

    /** Adds a round of a plan with these rates, in the order of its blocks. */
    static void addRound(Blocks blocks, Plan plan, int round, double... rates) {
        List<Setting> order = plan.order(round);
        for (int i = 0; i < rates.length; i++) {
            blocks.add(name(order.get(i), plan.loads().get(0), round, i), figures(rates[i]));
        }
    }

    /** Returns the rows of a plan with these rates in its rounds. */
    static List<Result> rows(Plan plan, double[]... rounds) {
        Blocks blocks = new Blocks();
        for (int i = 0; i < rounds.length; i++) {
            addRound(blocks, plan, i, rounds[i]);
        }
        return Row.all(plan, blocks.list(), PRIMITIVES);
    }

    static double[] rates(double... rates) {
        return rates;
    }

    /** 1000/s without protection; some 950 with a limited key, 1000 with an unlimited one; 600 signed. */
    static List<Result> results(Load load) {
        Plan plan = new Plan("", List.of(Setting.NONE, LIMITED, UNLIMITED, SIGNED), List.of(load), TIMING);
        return rows(
                plan,
                rates(1000, 950, 1000, 1000, 600, 1000),
                rates(1000, 610, 1000, 1000, 960, 1000),
                rates(1000, 940, 1000, 1000, 590, 1000),
                rates(1000, 600, 1000, 1000, 950, 1000));
    }

    static Result row(List<Result> rows, Setting setting) {
        return rows.stream()
                .filter(row -> row.is("setting", setting.label()))
                .findFirst()
                .orElseThrow();
    }
}
