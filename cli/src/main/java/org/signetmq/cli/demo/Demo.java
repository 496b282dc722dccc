/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.signetmq.cli.file.CleanUp;

/**
 * The whole path: ordinary producers, a real broker with the plugin, a search of its files, a consumer.
 *
 * @param messages the number of messages per protocol and quality, from 1
 * @param parent the folder for the temporary folder
 * @param progress hears of each step
 * @param marker the marker inside the payloads
 */
record Demo(int messages, Path parent, Consumer<String> progress, Marker marker) {
    /** Runs it, and leaves nothing behind. */
    Report run() throws Exception {
        try (CleanUp cleanUp = new CleanUp()) {
            Path folder = Files.createTempDirectory(parent, "signet-demo-"); // mode 0700
            cleanUp.add(() -> delete(folder));
            progress.accept("creating identities and policies");
            DemoHomes homes = DemoHomes.below(folder);
            progress.accept("starting the broker");
            DemoBroker broker = cleanUp.add(DemoBroker.start(folder, homes));
            Producers producers = new Producers(broker);
            for (Lane lane : Lane.all()) {
                progress.accept("sending by " + lane.protocol().label() + " under "
                        + lane.quality().label());
                producers.send(lane, payloads(lane));
            }
            DiskSearch search = new DiskSearch(marker);
            progress.accept("searching the broker's files");
            search.search(broker.data());
            long files = search.files();
            long bytes = search.bytes();
            Receiver receiver = new Receiver(broker, homes.consumer());
            Map<Lane, Double> added = bytesAdded(receiver);
            Map<Lane, Integer> opened = opened(receiver);
            progress.accept("searching the broker's files again");
            broker.close();
            search.search(broker.data());
            Map<Lane, Report.Timing> timings = timings(homes);
            List<Report.Row> rows = Lane.all().stream()
                    .map(lane -> Report.row(
                            lane,
                            new Report.Counts(messages, of(opened, lane), search.found(lane)),
                            of(added, lane),
                            of(timings, lane)))
                    .toList();
            return new Report(rows, files, bytes, rows.stream().allMatch(Report.Row::ok));
        }
    }

    private List<String> payloads(Lane lane) {
        return marker.payloads(lane, messages);
    }

    private static <T> T of(Map<Lane, T> values, Lane lane) {
        return Objects.requireNonNull(values.get(lane), "each lane has a value");
    }

    private Map<Lane, Double> bytesAdded(Receiver receiver) throws Exception {
        Map<Lane, Double> added = new HashMap<>();
        for (Lane lane : Lane.all()) {
            progress.accept("measuring " + lane.address());
            added.put(lane, receiver.bytesAdded(lane, payloads(lane)));
        }
        return added;
    }

    private Map<Lane, Integer> opened(Receiver receiver) throws Exception {
        Map<Lane, Integer> opened = new HashMap<>();
        for (Lane lane : Lane.all()) {
            progress.accept("opening " + lane.address());
            opened.put(lane, receiver.receive(lane, payloads(lane)));
        }
        return opened;
    }

    private Map<Lane, Report.Timing> timings(DemoHomes homes) {
        Map<Lane, Report.Timing> timings = new HashMap<>();
        try (Stopwatch stopwatch = new Stopwatch(homes)) {
            progress.accept("warming up");
            Lane.all().forEach(lane -> stopwatch.time(lane, payloads(lane)));
            for (Lane lane : Lane.all()) {
                progress.accept("timing " + lane.address());
                timings.put(lane, stopwatch.time(lane, payloads(lane)));
            }
        }
        return timings;
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
