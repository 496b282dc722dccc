/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.mailbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.signetmq.perf.rr.Plan;
import org.signetmq.perf.rr.Plan.Timing;
import org.signetmq.perf.rr.RunOptions;
import org.signetmq.perf.setting.Protection;
import org.signetmq.perf.setting.Setting;
import org.signetmq.perf.upload.Uploads;
import org.signetmq.perf.variant.KeyKind;
import org.signetmq.perf.variant.KeySupply;
import org.signetmq.perf.variant.Reuse;

final class SituationTest {
    private static final Timing TIMING = new Timing(1, 1, 4, List.of());

    @Test
    void plan_comparesAllPoolsWithNone() {
        Plan plan = new Situation(
                        KeyKind.RSA2048,
                        5,
                        List.of(KeySupply.AUTO, Situation.TUNED),
                        List.of(new Uploads(80, Uploads.Arrival.BURSTS)))
                .plan(TIMING);

        assertThat(plan.part()).isEqualTo("rsa2048 x 5");
        assertThat(plan.settings())
                .extracting(Setting::label)
                .containsExactly(
                        "confidentiality.0.rsa2048+r5+pool-off",
                        "confidentiality.0.rsa2048+r5",
                        "confidentiality.0.rsa2048+r5+pool-32-1000");
        assertThat(plan.loads())
                .singleElement()
                .satisfies(load -> assertThat(load.clients()).isEqualTo(8));
    }

    @Test
    void eachFile_hasAKeyOfItsOwn() {
        assertThat(plans(Situation.all()).flatMap(plan -> plan.settings().stream()))
                .allMatch(setting ->
                        setting.reuse().equals(Reuse.NONE) && setting.protection() == Protection.CONFIDENTIALITY);
    }

    @Test
    void all_havePublishedPoolsAndMixes_andBothKindsOfKeys() {
        List<Situation> all = Situation.all();

        assertThat(all.stream().flatMap(situation -> situation.pools().stream()))
                .contains("auto", "4-100", "32-1000", "4-2000", "32-2000");
        assertThat(all.stream()
                        .flatMap(situation -> situation.uploads().stream().map(Uploads::smallPercent)))
                .contains(80, 100, 0);
        assertThat(all).extracting(Situation::key).contains(KeyKind.values());
        assertThat(all).extracting(Situation::recipients).contains(1, 5, 20);
        assertThat(all).extracting(Situation::name).doesNotHaveDuplicates();
    }

    @Test
    void firstLook_isMuchShorter() {
        assertThat(blocks(Situation.few())).isLessThan(blocks(Situation.all()) / 2);
    }

    private static long blocks(List<Situation> situations) {
        return plans(situations)
                .mapToLong(plan -> (long) plan.settings().size() * plan.loads().size())
                .sum();
    }

    private static Stream<Plan> plans(List<Situation> situations) {
        return situations.stream().map(situation -> situation.plan(TIMING));
    }

    @Test
    void firstLook_endsWithinFiveMinutes() {
        Timing quick = RunOptions.quick(MailboxCommand.TIMING);

        assertThat(Situation.few().stream()
                        .mapToDouble(situation -> situation.plan(quick).seconds())
                        .sum())
                .isLessThan(290);
    }

    /** With the figures and the file systems the full set may take three hours. Slow machines need a tenth more. */
    @Test
    void allSituations_endWithinSixteenMinutes() {
        assertThat(Situation.all().stream()
                        .mapToDouble(situation ->
                                situation.plan(MailboxCommand.TIMING).seconds())
                        .sum())
                .isLessThan(16 * 60);
    }
}
