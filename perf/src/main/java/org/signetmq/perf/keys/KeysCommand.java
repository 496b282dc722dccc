/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.keys;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.signetmq.perf.result.Machine;
import org.signetmq.perf.result.Parts;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.result.ResultOutputs;
import org.signetmq.perf.result.Target;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code signet perf keys}. */
@Command(
        name = "keys",
        description = "Shows what making data keys ahead of need gains, and what remembering opened keys saves.",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {"  signet perf keys --quick", "  signet perf keys --json keys.json --plot charts"})
public final class KeysCommand implements Callable<Integer> {
    @Option(names = "--quick", description = "Shorter runs, a smaller sweep.")
    private boolean quick;

    @Mixin
    private final ResultOutputs outputs = new ResultOutputs();

    private KeysCommand() {}

    @Override
    public Integer call() throws Exception {
        outputs.check();
        Machine.warnIfBusy();
        Parts parts = new Parts();
        List<Result> rows = new ArrayList<>(new PoolExperiment(quick).run(parts));
        parts.run("heap", () -> rows.add(HeapPerKey.row(MeasuredWrapping.raw())));
        for (int recipients : MeasuredWrapping.RECIPIENTS) {
            parts.run("heap R=" + recipients, () -> rows.add(HeapPerKey.row(MeasuredWrapping.rsa(recipients))));
        }
        parts.run("E3b", () -> new UnwrapCount().count(rows::add));

        KeysReport report = new KeysReport(rows);
        report.print(System.out);
        Target.print(report.targets(), System.out);
        outputs.write(rows, Map.of(), report::draw, parts);
        return report.isUnwrapMissed() ? 1 : parts.exitCode(); // rates vary, counts do not
    }
}
