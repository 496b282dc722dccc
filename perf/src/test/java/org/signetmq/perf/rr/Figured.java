/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import java.util.List;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.variant.KeyKind;
import org.signetmq.perf.variant.Reuse;
import org.signetmq.perf.variant.Variant;
import org.signetmq.policy.QualityOfProtection;

/** Made-up results. */
final class Figured {
    static final Load LOAD = new Load(32, 1, 2048);
    static final Variant LIMITED = new Variant(QualityOfProtection.CONFIDENTIALITY, new Reuse("32"), KeyKind.P256);
    static final Variant UNLIMITED = new Variant(QualityOfProtection.CONFIDENTIALITY, Reuse.UNLIMITED, KeyKind.P256);

    private Figured() {}

    /** A rate, and those of the same load without protection right before and after. */
    record Sample(double rate, double before, double after) {}

    static Result figures(double rate) {
        return Result.EMPTY
                .with(Row.RATE, rate)
                .with("p50_us", 1e6 / rate)
                .with("p99_us", 2e6 / rate)
                .with(Row.BROKER_CPU, 300 / rate)
                .with(Row.CLIENT_CPU, 100 / rate);
    }

    static Block.Measured block(double cold, double warm) {
        return new Block.Measured((long) (cold + warm), figures(cold), figures(warm));
    }

    static Sample sample(double rate, double before, double after) {
        return new Sample(rate, before, after);
    }

    static void add(Row row, Sample cold, Sample warm) {
        row.add(block(cold.rate, warm.rate), block(cold.before, warm.before), block(cold.after, warm.after));
    }

    /** Returns a row with these samples, each of them cold and warm. */
    static Row row(Variant variant, Load load, Sample... samples) {
        Row row = new Row(variant, load);
        for (Sample sample : samples) {
            add(row, sample, sample);
        }
        return row;
    }

    /** 1000/s unprotected; 900, 950, 960 with a limited key, 500 cold; 1000 with an unlimited one. */
    static List<Row> rows(Load load) {
        Sample none = sample(1000, 1000, 1000);
        Sample half = sample(500, 1000, 1000);
        Row limited = new Row(LIMITED, load);
        add(limited, half, sample(900, 1000, 1000));
        add(limited, half, sample(960, 1000, 1000));
        add(limited, half, sample(950, 1000, 1000));
        Row unlimited = new Row(UNLIMITED, load);
        add(unlimited, half, none);
        add(unlimited, half, none);
        add(unlimited, half, none);
        return List.of(row(Variant.UNPROTECTED, load, none, none), limited, unlimited);
    }

    static List<Result> results() {
        return Row.results(rows(LOAD));
    }
}
