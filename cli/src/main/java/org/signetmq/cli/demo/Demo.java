/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.demo;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** The whole path: ordinary producers, a real broker with the plugin, a search of its files, a consumer. */
public final class Demo {
    private final Path parent;
    private final Consumer<String> progress;
    private final Marker marker = Marker.fresh();
    private final Map<Lane, List<String>> payloads = new LinkedHashMap<>();

    /**
     * A run that is still to come.
     *
     * @param messages how many per protocol and quality, from 1
     * @param parent of the temporary folder
     * @param progress is told what is going on
     */
    public Demo(int messages, Path parent, Consumer<String> progress) {
        this.parent = parent;
        this.progress = progress;
        for (Lane lane : Lane.all()) {
            payloads.put(
                    lane,
                    IntStream.range(0, messages)
                            .mapToObj(message -> marker.payload(lane, message))
                            .toList());
        }
    }

    /** Runs it; nothing is left of it afterwards. */
    public Report run() throws Exception {
        try (CleanUp cleanUp = new CleanUp()) {
            Path folder = cleanUp.folderIn(parent);
            progress.accept("creating identities and policies");
            DemoHomes homes = DemoHomes.below(folder);
            progress.accept("starting the broker");
            DemoBroker broker = DemoBroker.start(folder, homes);
            cleanUp.add(broker);
            send(broker);
            DiskSearch search = new DiskSearch(marker);
            progress.accept("searching the broker's files");
            search.search(broker.data());
            long files = search.files();
            long bytes = search.bytes();
            Map<Lane, Double> added = bytesAdded(broker);
            Map<Lane, Integer> opened = open(broker, homes);
            progress.accept("searching the broker's files again");
            broker.close();
            search.search(broker.data());
            return new Report(rows(homes, search, added, opened), files, bytes);
        }
    }

    private void send(DemoBroker broker) throws Exception {
        Producers producers = new Producers(broker);
        for (Lane lane : payloads.keySet()) {
            progress.accept("sending by " + lane.protocol().label() + " under "
                    + lane.quality().label());
            producers.send(lane, payloadsOf(lane));
        }
    }

    private Map<Lane, Double> bytesAdded(DemoBroker broker) throws Exception {
        Map<Lane, Double> added = new LinkedHashMap<>();
        for (Lane lane : payloads.keySet()) {
            progress.accept("measuring " + lane.address());
            added.put(lane, StoredBodies.bytesAdded(lane, payloadsOf(lane), broker));
        }
        return added;
    }

    private Map<Lane, Integer> open(DemoBroker broker, DemoHomes homes) throws Exception {
        Receiver receiver = new Receiver(broker, homes.consumer());
        Map<Lane, Integer> opened = new LinkedHashMap<>();
        for (Lane lane : payloads.keySet()) {
            progress.accept("opening " + lane.address());
            opened.put(lane, receiver.receive(lane, payloadsOf(lane)));
        }
        return opened;
    }

    private List<Row> rows(DemoHomes homes, DiskSearch search, Map<Lane, Double> added, Map<Lane, Integer> opened) {
        List<Row> rows = new ArrayList<>();
        try (Stopwatch stopwatch = new Stopwatch(homes)) {
            progress.accept("warming up");
            payloads.forEach(stopwatch::time);
            for (Lane lane : payloads.keySet()) {
                progress.accept("timing " + lane.address());
                Stopwatch.Timing timing = stopwatch.time(lane, payloadsOf(lane));
                Row.Cost cost = new Row.Cost(added.getOrDefault(lane, 0.0), timing.sealMicros(), timing.openMicros());
                rows.add(new Row(
                        lane.protocol().label(),
                        lane.quality(),
                        new Row.Fate(payloadsOf(lane).size(), opened.getOrDefault(lane, 0), search.found(lane)),
                        cost));
            }
        }
        return rows;
    }

    private List<String> payloadsOf(Lane lane) {
        return payloads.getOrDefault(lane, List.of());
    }
}
