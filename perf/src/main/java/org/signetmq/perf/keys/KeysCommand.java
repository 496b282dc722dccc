/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.keys;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.token.TokenKeyStore;
import org.signetmq.keystore.token.TokenUri;
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
        footer = {
            "  signet perf keys --quick",
            "  signet perf keys --json keys.json --plot charts",
            "  signet perf keys --token 'pkcs11:token=hsm;object=alice?module-path=/usr/lib/p11.so'"
        })
public final class KeysCommand implements Callable<Integer> {
    @Option(names = "--quick", description = "Shorter runs, a smaller sweep.")
    private boolean quick;

    @Option(
            names = "--token",
            paramLabel = "URI",
            description = "Instead, compare the key that this pkcs11: URI names with a key in a file, each also slowed "
                    + "to 5 ms an operation. Give it again for another key. The PIN: pin-source in the URI, else "
                    + "$SIGNET_PIN.")
    private List<String> tokens = List.of();

    @Mixin
    private final ResultOutputs outputs = new ResultOutputs();

    private KeysCommand() {}

    @Override
    public Integer call() throws Exception {
        outputs.check();
        Machine.warnIfBusy();
        if (!tokens.isEmpty()) {
            return ofTokens();
        }
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

    private int ofTokens() throws InterruptedException {
        Parts parts = new Parts();
        List<Result> rows = new ArrayList<>();
        for (String token : tokens) {
            parts.run("token", () -> {
                Identity identity = TokenKeyStore.shared(TokenUri.parse(token)).load("token");
                try (TokenExperiment experiment = new TokenExperiment(identity)) {
                    rows.addAll(experiment.run(quick ? 5 : 60, Duration.ofMillis(quick ? 200 : 500)));
                }
            });
        }
        TokenReport report = new TokenReport(rows);
        report.print(System.out);
        Target.print(report.targets(), System.out);
        outputs.write(rows, Map.of(), report::draw, parts);
        return parts.exitCode();
    }
}
