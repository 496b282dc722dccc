/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.mailbox;

import java.util.List;
import java.util.concurrent.Callable;
import org.signetmq.perf.result.Parts;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.result.Target;
import org.signetmq.perf.rr.Experiment;
import org.signetmq.perf.rr.PairPool;
import org.signetmq.perf.rr.Plan;
import org.signetmq.perf.rr.Plan.Timing;
import org.signetmq.perf.rr.RunOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code signet perf mailbox}. */
@Command(
        name = "mailbox",
        description = {
            "Uploads files through a broker, with data keys made ahead and without.",
            "Eight uploaders send durable files; readers open them. Four files of five have 1 to 10 kB, the others up"
                    + " to 1 MB. The broker seals each file under a key of its own, for 1 to 50 recipients. Each"
                    + " setting of the key pool has a broker process and a client process of its own, whose blocks"
                    + " alternate; all are compared with the blocks without a pool beside them.",
            "Default: 4 rounds of blocks of 0.8 s, after a warm-up of at most 8 s."
        },
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  signet perf mailbox --quick",
            "  signet perf mailbox --json mailbox.json --plot charts",
            "  signet perf mailbox --json mailbox.json --plot charts --resume"
        })
public final class MailboxCommand implements Callable<Integer> {
    static final Timing TIMING = new Timing(8, 0.8, 4, List.of());

    @Mixin
    private final RunOptions options = new RunOptions();

    private final List<Situation> all;
    private final List<Situation> few;

    private MailboxCommand() {
        this(Situation.all(), Situation.few());
    }

    /** Makes a command for other situations: all, and those of a first look. */
    MailboxCommand(List<Situation> all, List<Situation> few) {
        this.all = all;
        this.few = few;
    }

    @Override
    public Integer call() throws Exception {
        Parts parts = new Parts();
        Experiment experiment = new Experiment(options, PairPool.Site.USUAL, parts);
        List<Result> roundTrips = List.of();
        List<Plan> plans = (options.isQuick() ? few : all)
                .stream()
                        .map(situation -> situation.plan(options.timing(TIMING)))
                        .toList();
        experiment.announce(plans);
        for (Plan plan : plans) {
            roundTrips = experiment.run(plan);
        }
        List<Result> rows = Rows.ofFiles(roundTrips);
        MailboxReport report = new MailboxReport(rows);
        report.print(System.out);
        Target.print(report.targets(), System.out);
        options.outputs().write(rows, experiment.raw(), report::draw, parts);
        return parts.exitCode();
    }
}
