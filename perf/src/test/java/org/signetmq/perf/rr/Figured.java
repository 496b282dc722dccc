/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import java.util.List;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.rr.Block.Figures;
import org.signetmq.perf.rr.Row.Sample;
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

    static Figures rate(double rate) {
        return new Figures(rate, new Block.Latency(1e6 / rate, 2e6 / rate), new Block.Cpu(300 / rate, 100 / rate));
    }

    static Sample sample(double rate, double before, double after) {
        return new Sample(rate(rate), rate(before), rate(after));
    }

    /** Returns a row with these samples, each of them cold and warm. */
    static Row row(Variant variant, Load load, Sample... samples) {
        Row row = new Row(variant, load);
        for (Sample sample : samples) {
            row.add(sample, sample);
        }
        return row;
    }

    /** 1000/s unprotected; 900, 950, 960 with a limited key, 500 cold; 1000 with an unlimited one. */
    static List<Row> rows(Load load) {
        Sample none = sample(1000, 1000, 1000);
        Sample half = sample(500, 1000, 1000);
        Row limited = new Row(LIMITED, load);
        limited.add(half, sample(900, 1000, 1000));
        limited.add(half, sample(960, 1000, 1000));
        limited.add(half, sample(950, 1000, 1000));
        Row unlimited = new Row(UNLIMITED, load);
        unlimited.add(half, none);
        unlimited.add(half, none);
        unlimited.add(half, none);
        return List.of(row(Variant.UNPROTECTED, load, none, none), limited, unlimited);
    }

    static List<Result> results() {
        return Row.results(rows(LOAD));
    }
}
