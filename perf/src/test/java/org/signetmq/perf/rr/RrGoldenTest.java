/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.perf.Golden;
import org.signetmq.perf.result.ChartFolder;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.result.Target;
import org.signetmq.perf.rr.Blocks.Name;
import org.signetmq.perf.rr.Blocks.Place;
import org.signetmq.perf.setting.Load;
import org.signetmq.perf.setting.Protection;
import org.signetmq.perf.setting.Setting;
import org.signetmq.perf.variant.KeyKind;
import org.signetmq.perf.variant.Reuse;
import org.signetmq.testkit.Tier;

/** Made-up blocks of two loads, rendered. */
final class RrGoldenTest {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    @Tag(Tier.LONG)
    @Test
    void madeUpBlocks_giveTheSameTablesAndJson() throws Exception {
        Setting ams = Setting.of(Protection.AMS_CONFIDENTIALITY, new Reuse("32"), KeyKind.RSA2048);
        List<Setting> settings =
                List.of(Setting.NONE, Setting.PLAIN, Figured.LIMITED, Figured.UNLIMITED, Figured.SIGNED, ams);
        Plan plan = new Plan("", settings, List.of(Figured.LOAD, Load.of(81, 21, 2048)), Figured.TIMING);
        Blocks blocks = new Blocks();
        for (Load load : plan.loads()) {
            for (int round = 0; round < 4; round++) {
                addRound(blocks, plan, load, round);
            }
        }

        List<Result> rows = Row.all(plan, blocks.list(), Figured.PRIMITIVES);

        Golden.check("rr.json", JSON.writeValueAsString(rows) + "\n");
        RrReport report = new RrReport(rows);
        Golden.check("rr.txt", Golden.printed(out -> {
            report.print(out);
            Target.print(report.targets(), out);
        }));
        report.draw(new ChartFolder(Path.of(System.getProperty("signet.golden.charts", folder.toString()), "rr")));
    }

    private static void addRound(Blocks blocks, Plan plan, Load load, int round) {
        int position = 0;
        for (Setting setting : plan.order(round)) {
            blocks.add(Figured.name(setting, load, round, position), figures(setting, round + 5 * position++));
        }
        for (Setting setting : plan.settings()) {
            Place paced = new Place(round, position++, 0.5);
            blocks.add(new Name("", setting, load, paced), figures(setting, round));
        }
    }

    /** Each protection has a speed of its own, and the machine gets faster. */
    private static Result figures(Setting setting, int faster) {
        double rate = switch (setting.protection()) {
            case PLAIN -> 1003;
            case CONFIDENTIALITY -> setting.reuse().equals(Reuse.UNLIMITED) ? 970 : 950;
            case INTEGRITY -> 700.25;
            case AMS_CONFIDENTIALITY -> 400;
            default -> 1000;
        };
        return Figured.figures(rate + faster)
                .with("disk_bytes_per_message", 2500)
                .with("wire_bytes_per_message", 2700.5)
                .with("unwraps_per_message", setting.protection().reusesKeys() ? 0.03125 : 0)
                .with("keys_per_message", setting.protection().reusesKeys() ? 0.03126 : 0)
                .with("gc_ms_per_s.broker", 1.5)
                .with("gc_ms_per_s.client", 0.5)
                .with("jit_ms_per_s.broker", 12)
                .with("jit_ms_per_s.client", 7);
    }
}
