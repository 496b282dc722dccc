/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.result.Target;
import org.signetmq.perf.result.Target.Verdict;

final class RrReportTest {
    @Test
    void busyLoad_isHeldAgainstItsBars() {
        List<Target> targets = targets(Figured.results());

        assertThat(targets)
                .extracting(Target::name, Target::verdict)
                .containsExactly(
                        tuple("confidentiality.32.p256, 32 clients, 1 queue: share_of_none", Verdict.MET),
                        tuple("confidentiality.32.p256, 32 clients, 1 queue: share_of_unlimited", Verdict.MISSED),
                        tuple("confidentiality.32.p256, 32 clients, 1 queue: cpu_of_none", Verdict.MISSED),
                        tuple("integrity.0.p256, 32 clients, 1 queue: share_of_none", Verdict.NOT_MEASURED),
                        tuple("privacy.0.p256, 32 clients, 1 queue: share_of_none", Verdict.NOT_MEASURED));
        assertThat(targets.get(0).measured()).isEqualTo(0.95);
    }

    @Test
    void runsThatDifferByMuch_proveNothing() {
        List<Result> noisy = Row.results(List.of(Figured.row(
                Figured.LIMITED,
                Figured.LOAD,
                Figured.sample(600, 1000, 1000),
                Figured.sample(1000, 1000, 1000),
                Figured.sample(1000, 1000, 1000))));

        assertThat(targets(noisy).get(0).measured()).isEqualTo(1);
        assertThat(targets(noisy).get(0).verdict()).isEqualTo(Verdict.NOISY);
    }

    @Test
    void fewClients_sayNothingOfTheTargets() {
        Row row = Figured.row(Figured.LIMITED, new Load(8, 1, 2048), Figured.sample(990, 1000, 1000));
        List<Result> idle = Row.results(List.of(row));

        assertThat(targets(idle)).hasSize(5).allMatch(target -> target.verdict() == Verdict.NOT_MEASURED);
    }

    private static List<Target> targets(List<Result> results) {
        return new RrReport(results).targets();
    }
}
