/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.clients;

import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.setting.Setting;
import org.signetmq.perf.upload.FileMix;
import org.signetmq.perf.upload.Mailbox;
import org.signetmq.perf.upload.Uploads;
import org.signetmq.perf.upload.Uploads.Arrival;

/** Uploads to mailboxes. Each mailbox has an uploader and a reader. */
final class UploadWork implements Work {
    private final String name;
    private final Setting setting;
    private final Uploads uploads;
    private final Crew crew;
    private volatile int largest = FileMix.LARGEST;

    /**
     * The uploaders of a load.
     *
     * @param latencies of files in microseconds, until they are opened
     */
    record Crew(int count, Gate gate, Recorder latencies) {}

    /**
     * Prepares uploads.
     *
     * @param name tells the mailboxes of different loads apart
     */
    UploadWork(String name, Setting setting, Uploads uploads, Crew crew) {
        this.name = name;
        this.setting = setting;
        this.uploads = uploads;
        this.crew = crew;
    }

    @Override
    public List<Callable<Void>> participants(Connections connections) throws JMSException {
        Mailbox.Turns turns = () -> {
            Gate.Pace pace = crew.gate.awaitPace();
            return pace == null ? null : new Mailbox.Turn(pace.begin(), largest);
        };
        List<Callable<Void>> all = new ArrayList<>();
        for (int i = 0; i < crew.count; i++) {
            String queue = "rr." + name + ".mailbox." + i;
            Mailbox mailbox = new Mailbox(queue, new Mailbox.Share(i, crew.count), uploads);
            all.add(mailbox.reader(
                    connections.connect(i, Session.AUTO_ACKNOWLEDGE),
                    crew.gate::isOver,
                    message -> Receiver.requireQuality(message, setting)));
            all.add(mailbox.uploader(
                    connections.connect(i, Session.AUTO_ACKNOWLEDGE),
                    turns,
                    micros -> crew.latencies.recordValue(Math.min(Participants.LONGEST_MICROS, micros))));
        }
        return all;
    }

    /** A stream begins with small files. It uses up the keys that lie ready: they would be gone in a long stream. */
    @Override
    public void beginRamp() {
        largest = uploads.arrival() == Arrival.STREAM ? FileMix.SMALLEST : FileMix.LARGEST;
    }

    @Override
    public void beginMeasured() {
        largest = FileMix.LARGEST;
    }

    @Override
    public Result figures(Histogram micros, double seconds) {
        double busy = uploads.arrival() == Arrival.BURSTS
                ? micros.getMean() / 1e6 * micros.getTotalCount() / crew.count
                : seconds;
        return Result.EMPTY.with(Participants.MESSAGES, micros.getTotalCount()).with(Participants.BUSY, busy);
    }
}
