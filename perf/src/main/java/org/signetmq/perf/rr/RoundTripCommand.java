/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import org.apache.activemq.artemis.utils.FileUtil;
import org.jspecify.annotations.Nullable;
import org.signetmq.perf.result.Machine;
import org.signetmq.perf.result.Parts;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.result.ResultOutputs;
import org.signetmq.perf.result.Target;
import org.signetmq.perf.variant.KeyKind;
import org.signetmq.perf.variant.Reuse;
import org.signetmq.perf.variant.Variant;
import org.signetmq.policy.QualityOfProtection;
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
            "Requesters send a persistent message and wait for the persistent reply. The broker, in a process of its own,"
                    + " seals what arrives; the client library opens it at responders and requesters. Before and after"
                    + " each block with protection the same load runs without, with neither policy nor client library."
        },
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  signet perf rr",
            "  signet perf rr --quality confidentiality --clients 32 --runs 5",
            "  signet perf rr --clients 32,81 --queues 21 --keys p256 --json rr.json --plot charts"
        })
public final class RoundTripCommand implements Callable<Integer> {
    private static final String ALL = "all";
    private static final String DEFAULT = " Default: ${DEFAULT-VALUE}.";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--quality",
            paramLabel = "QUALITY",
            split = ",",
            defaultValue = ALL,
            description = "all, or some of integrity, privacy, confidentiality; none is always measured." + DEFAULT)
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
            description = "p256, rsa2048." + DEFAULT)
    private List<String> keys = List.of();

    @Option(
            names = "--clients",
            paramLabel = "N",
            split = ",",
            defaultValue = "1,8,32,81",
            description = "Requesters, each with one request under way." + DEFAULT)
    private List<Integer> clients = List.of();

    @Option(names = "--queues", paramLabel = "N", description = "Queues that requests are spread over." + DEFAULT)
    private int queues = 1;

    @Option(names = "--size", paramLabel = "BYTES", description = "Payload of requests and replies." + DEFAULT)
    private int size = 2048;

    @Option(names = "--seconds", paramLabel = "N", description = "Measured time of each block." + DEFAULT)
    private int seconds = 5;

    @Option(names = "--runs", paramLabel = "N", description = "Blocks per variant and load." + DEFAULT)
    private int runs = 3;

    @Option(
            names = "--warm-up",
            paramLabel = "N",
            description = "Round trips of each variant before anything counts: Java compiles what it runs often."
                    + " Ends earlier if it takes half as long as what is measured." + DEFAULT)
    private long warmUp = 50_000;

    @Mixin
    private final ResultOutputs outputs = new ResultOutputs();

    @Option(
            names = "--flight-recordings",
            paramLabel = "DIR",
            description = "Leave a flight recording of broker and clients there; costs a little speed.")
    private @Nullable Path recordings;

    private RoundTripCommand() {}

    @Override
    public Integer call() throws Exception {
        Scenario scenario;
        try {
            scenario = scenario();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--" + e.getMessage(), e); // each names its option
        }
        outputs.check();
        if (recordings != null) {
            Files.createDirectories(recordings);
        }
        Machine.warnIfBusy();
        Parts parts = new Parts();
        List<Row> measured = new ArrayList<>();
        Path folder = recordings;
        parts.run(
                "rr",
                () -> measured.addAll(
                        folder == null ? run(scenario, parts) : recorded(folder, parts, () -> run(scenario, parts))));

        List<Result> rows = Row.results(measured);
        RrReport report = new RrReport(rows);
        report.print(System.out);
        Target.print(report.targets(), System.out);
        outputs.write(rows, Map.of(), report::draw, parts);
        return parts.exitCode();
    }

    private Scenario scenario() {
        List<KeyKind> kinds = keys.stream().map(KeyKind::named).distinct().toList();
        List<Load> loads =
                clients.stream().map(count -> new Load(count, queues, size)).toList();
        Stream<QualityOfProtection> wanted =
                qualities.stream().flatMap(RoundTripCommand::qualities).distinct();
        List<Reuse> limits = reuses.stream().map(Reuse::new).distinct().toList();
        List<Variant> variants = Scenario.variants(wanted.toList(), limits, kinds);
        return new Scenario(variants, loads, seconds, warmUp, runs);
    }

    private static Stream<QualityOfProtection> qualities(String name) {
        if (name.equals(ALL)) {
            return Stream.of(
                    QualityOfProtection.CONFIDENTIALITY, QualityOfProtection.PRIVACY, QualityOfProtection.INTEGRITY);
        }
        return Stream.of(QualityOfProtection.named(name)
                .orElseThrow(() -> new IllegalArgumentException("quality: unknown, found '" + name + "'")));
    }

    private List<Row> run(Scenario scenario, Parts parts) throws Exception {
        Path folder = Files.createTempDirectory("signet-perf-"); // mode 0700
        Homes homes = new Homes(folder);
        try {
            homes.create(scenario.protecting());
            try (BrokerProcess broker = new BrokerProcess(folder, brokerOptions())) {
                BlockRun blocks = new BlockRun(broker, homes);
                return new RoundTripRun(scenario, blocks::run, System.err::println).execute(parts);
            }
        } finally {
            FileUtil.deleteDirectory(folder.toFile());
        }
    }

    /** Leaves a recording of a run in the folder, even if the run fails. Without it the run keeps its figures. */
    static <T> T recorded(Path folder, Parts parts, Callable<T> run) throws Exception {
        try (Recording recording = new Recording(Configuration.getConfiguration("profile"))) {
            recording.start();
            try {
                return run.call();
            } finally {
                recording.stop();
                parts.run("--flight-recordings " + folder, () -> recording.dump(folder.resolve("client.jfr")));
            }
        }
    }

    private List<String> brokerOptions() {
        return recordings == null
                ? List.of()
                : List.of(
                        "-Xlog:jfr+startup=off", // it would speak where the process says its port
                        "-XX:StartFlightRecording=settings=profile,filename=" + recordings.resolve("broker.jfr"));
    }
}
