/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.figure;

import java.util.concurrent.Callable;
import org.signetmq.perf.rr.RunOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code signet perf tls}. */
@Command(
        name = "tls",
        description = {
            "Compares protected messages with protected connections: none, TLS, confidentiality, and both.",
            "On shared and on dedicated queues, as IBM's paper on AMS and TLS does."
        },
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {"  signet perf tls --quick", "  signet perf tls --json tls.json --plot charts"})
public final class TlsCommand implements Callable<Integer> {
    @Mixin
    private final RunOptions options = new RunOptions();

    private final Study study;

    private TlsCommand() {
        this(new TlsStudy());
    }

    /** Makes a command for another study. */
    TlsCommand(Study study) {
        this.study = study;
    }

    @Override
    public Integer call() throws Exception {
        return new StudyRun(study, options).run();
    }
}
