/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code signet perf micro}. */
@Command(
        name = "micro",
        description = "Times single operations: bare primitives, sealing, opening.",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  signet perf micro --quick",
            "  signet perf micro --json micro.json",
            "  signet perf micro --rows 'seal\\.privacy.*'"
        })
public final class MicroCommand implements Callable<Integer> {
    @Option(names = "--quick", description = "Shorter runs of the rows that the targets name: within four minutes.")
    private boolean quick;

    @Option(names = "--rows", paramLabel = "REGEX", description = "Only rows whose name matches.")
    private @Nullable String rows;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the results there.")
    private @Nullable Path json;

    private MicroCommand() {}

    @Override
    public Integer call() throws Exception {
        return new MicroRun(quick ? MicroRun.Depth.QUICK : MicroRun.Depth.FULL, rows).execute(json);
    }
}
