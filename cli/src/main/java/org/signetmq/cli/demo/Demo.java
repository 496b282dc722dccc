/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.demo;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.activemq.artemis.utils.FileUtil;
import org.signetmq.cli.file.CleanUp;

/**
 * The whole path: ordinary producers, a real broker with the plugin, a search of its files, a consumer.
 *
 * @param messages the number of messages per protocol and quality, from 1
 * @param parent the folder for the temporary folder
 * @param progress hears of each step
 */
record Demo(int messages, Path parent, Consumer<String> progress) {
    /** Runs it, and leaves nothing behind. */
    Report run() throws Exception {
        try (CleanUp cleanUp = new CleanUp()) {
            Path folder = Files.createTempDirectory(parent, "signet-demo-"); // mode 0700
            cleanUp.add(() -> FileUtil.deleteDirectory(folder.toFile()));
            progress.accept("creating identities and policies");
            DemoHome ofBroker = DemoHome.ofBroker(folder);
            DemoHome ofConsumer = DemoHome.ofConsumer(folder);
            ofBroker.trust(ofConsumer);
            ofConsumer.trust(ofBroker);
            progress.accept("starting the broker");
            DemoBroker broker = cleanUp.add(DemoBroker.start(folder, ofBroker));
            Payloads payloads = new Payloads();
            Producers producers = new Producers(broker);
            for (Lane lane : Lane.all()) {
                progress.accept("sending to " + lane.address());
                producers.send(lane, payloads.of(lane, messages));
            }
            progress.accept("searching the broker's files");
            payloads.search(broker.data());
            long files = payloads.files();
            long bytes = payloads.bytes();
            Receiver receiver = new Receiver(broker, ofConsumer);
            List<Receiver.Received> received = new ArrayList<>();
            for (Lane lane : Lane.all()) {
                progress.accept("opening " + lane.address());
                received.add(receiver.receive(lane, payloads.of(lane, messages)));
            }
            progress.accept("searching the broker's files again");
            broker.close();
            payloads.search(broker.data());
            List<Report.Row> rows = new ArrayList<>();
            try (Stopwatch stopwatch = new Stopwatch(ofBroker, ofConsumer)) {
                progress.accept("warming up");
                Lane.all().forEach(lane -> stopwatch.time(lane, payloads.of(lane, messages)));
                for (Lane lane : Lane.all()) {
                    progress.accept("timing " + lane.address());
                    Stopwatch.Timing timing = stopwatch.time(lane, payloads.of(lane, messages));
                    rows.add(Report.Row.of(lane, received.get(rows.size()), payloads.found(lane), timing));
                }
            }
            return new Report(rows, files, bytes, rows.stream().allMatch(Report.Row::ok));
        }
    }
}
