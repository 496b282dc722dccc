/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.signetmq.perf.result.Parts;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.result.Target;
import org.signetmq.perf.rr.Plan.Timing;
import org.signetmq.perf.setting.Load;
import org.signetmq.perf.setting.Protection;
import org.signetmq.perf.setting.Setting;
import org.signetmq.perf.variant.KeyKind;
import org.signetmq.perf.variant.Reuse;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code signet perf rr}. */
@Command(
        name = "rr",
        description = {
            "Measures requests and replies through a broker, from end to end.",
            "Requesters send a persistent message and wait for the persistent reply. The broker seals what arrives; the"
                    + " client library opens it at responders and requesters. Each setting has a broker process and a"
                    + " client process of its own, whose blocks alternate: plain (no plugin), none (plugin without a"
                    + " policy) and the qualities. All are compared with the blocks of none beside them."
        },
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  signet perf rr --quick",
            "  signet perf rr --quality confidentiality --clients 32 --rounds 5",
            "  signet perf rr --clients 32,81 --queues 21 --keys p256 --json rr.json --plot charts",
            "  signet perf rr --clients 32,81 --queues 21 --keys p256 --json rr.json --plot charts --resume"
        })
public final class RoundTripCommand implements Callable<Integer> {
    private static final String ALL = "all";
    private static final String DEFAULT = " Default: ${DEFAULT-VALUE}.";
    private static final Timing TIMING = new Timing(25, 2.5, 6, Timing.USUAL_PACES);

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--quality",
            paramLabel = "QUALITY",
            split = ",",
            defaultValue = ALL,
            description =
                    "all, or some of integrity, privacy, confidentiality, and client.confidentiality, which the clients"
                            + " seal, and ams.integrity, ams.privacy, ams.confidentiality in the manner of IBM MQ AMS; plain and"
                            + " none are always measured."
                            + DEFAULT)
    private List<String> qualities = List.of(ALL);

    @Option(
            names = "--reuse",
            paramLabel = "N",
            split = ",",
            defaultValue = "32,unlimited",
            description = "Messages per data key of confidentiality: numbers, or unlimited." + DEFAULT)
    private List<String> reuses = List.of();

    @Option(
            names = "--keys",
            paramLabel = "KEY",
            split = ",",
            defaultValue = "p256,rsa2048",
            description = "p256, rsa2048. With --quick: p256." + DEFAULT)
    private List<String> keys = List.of();

    @Option(
            names = "--clients",
            paramLabel = "N",
            split = ",",
            defaultValue = "1,8,32,81",
            description = "Requesters, each with one request under way. With --quick: 32." + DEFAULT)
    private List<Integer> clients = List.of();

    @Option(names = "--queues", paramLabel = "N", description = "Queues that requests are spread over." + DEFAULT)
    private int queues = 1;

    @Option(names = "--size", paramLabel = "BYTES", description = "Payload of requests and replies." + DEFAULT)
    private int size = 2048;

    @Mixin
    private final RunOptions options = new RunOptions();

    private RoundTripCommand() {}

    @Override
    public Integer call() throws Exception {
        Plan plan;
        try {
            plan = plan();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--" + e.getMessage(), e); // each names its option
        }
        Parts parts = new Parts();
        Experiment experiment = new Experiment(options, PairPool.Site.USUAL, parts);
        List<Result> rows = experiment.run(plan);
        RrReport report = new RrReport(rows);
        report.print(System.out);
        Target.print(report.targets(), System.out);
        options.outputs().write(rows, experiment.raw(), report::draw, parts);
        return parts.exitCode();
    }

    /** Returns the values of an option; those of a first look if one is wanted and the option is not given. */
    private <T> List<T> usual(String option, List<T> values, List<T> quick) {
        boolean isGiven = spec.commandLine().getParseResult().matchedOption(option) != null;
        return options.isQuick() && !isGiven ? quick : values;
    }

    private Plan plan() {
        List<KeyKind> kinds = usual("--keys", keys, List.of("p256")).stream()
                .map(KeyKind::named)
                .distinct()
                .toList();
        List<Reuse> limits = reuses.stream().map(Reuse::new).distinct().toList();
        List<Integer> counts = usual("--clients", clients, List.of(32));
        List<Load> loads =
                counts.stream().map(count -> Load.of(count, queues, size)).toList();
        List<Setting> settings = new ArrayList<>(List.of(Setting.NONE, Setting.PLAIN));
        for (KeyKind key : kinds) {
            for (Protection protection : protections()) {
                (protection.reusesKeys() ? limits : List.of(Reuse.NONE))
                        .forEach(reuse -> settings.add(Setting.of(protection, reuse, key)));
            }
        }
        return new Plan("", settings, loads, options.timing(TIMING));
    }

    private List<Protection> protections() {
        return qualities.stream()
                .flatMap(name -> name.equals(ALL)
                        ? Stream.of(Protection.CONFIDENTIALITY, Protection.PRIVACY, Protection.INTEGRITY)
                        : Stream.of(Protection.named(name)))
                .distinct()
                .toList();
    }
}
