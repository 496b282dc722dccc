/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import java.util.List;
import org.signetmq.policy.QualityOfProtection;

/** Made-up results. */
final class Figured {
    static final Load LOAD = new Load(32, 1, 2048);
    static final Variant LIMITED = new Variant(QualityOfProtection.CONFIDENTIALITY, new Reuse("32"), KeyKind.P256);
    static final Variant UNLIMITED = new Variant(QualityOfProtection.CONFIDENTIALITY, Reuse.UNLIMITED, KeyKind.P256);

    private Figured() {}

    static Phase.Figures rate(double rate) {
        return new Phase.Figures(
                rate, new Phase.Latency(1e6 / rate, 2e6 / rate), new Phase.Cpu(300 / rate, 100 / rate));
    }

    static Sample sample(double rate, double before, double after) {
        return new Sample(rate(rate), rate(before), rate(after));
    }

    /** 1000/s unprotected; 900, 950, 960 with a limited key; 1000 with an unlimited one. */
    static Results results() {
        List<Sample> none = List.of(Sample.unprotected(rate(1000)), Sample.unprotected(rate(1000)));
        List<Sample> limited = List.of(sample(900, 1000, 1000), sample(960, 1000, 1000), sample(950, 1000, 1000));
        List<Sample> unlimited = List.of(sample(1000, 1000, 1000), sample(1000, 1000, 1000), sample(1000, 1000, 1000));
        List<Sample> cold = List.of(sample(500, 1000, 1000));
        return new Results(List.of(
                new Row(Variant.UNPROTECTED, LOAD, none, none),
                new Row(LIMITED, LOAD, cold, limited),
                new Row(UNLIMITED, LOAD, cold, unlimited)));
    }
}
