/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.figure;

import java.util.Map;
import java.util.concurrent.Callable;
import org.signetmq.perf.rr.RunOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code signet perf figure}. */
@Command(
        name = "figure",
        description = {
            "Repeats a figure of IBM's paper on AMS confidentiality: in the manner of AMS, and with Signet.",
            "1: one queue, more and more clients. 2: 21 queues, and anonymous producers. 3: reuse of keys. 4: sizes at"
                    + " which the speed falls (get buffers, consumer windows, large messages, memory of addresses).",
            "Each setting has a broker process and a client process of its own; published curves stand beside ours."
        },
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  signet perf figure 1 --quick",
            "  signet perf figure 3 --json figure-3.json --plot charts",
            "  signet perf figure 3 --json figure-3.json --plot charts --resume"
        })
public final class FigureCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "NUMBER", description = "1, 2, 3 or 4.")
    private int number;

    @Mixin
    private final RunOptions options = new RunOptions();

    private final Map<Integer, Study> studies;

    private FigureCommand() {
        this(Map.of(
                1, ClientsStudy.SINGLE_QUEUE, 2, ClientsStudy.MANY_QUEUES, 3, new ReuseStudy(), 4, new SizeStudy()));
    }

    /** Makes a command for other studies, each with the number of its figure. */
    FigureCommand(Map<Integer, Study> studies) {
        this.studies = studies;
    }

    @Override
    public Integer call() throws Exception {
        Study study = studies.get(number);
        if (study == null) {
            throw new ParameterException(spec.commandLine(), "NUMBER: must be 1, 2, 3 or 4, found " + number);
        }
        return new StudyRun(study, options).run();
    }
}
