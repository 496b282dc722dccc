/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.filesystem;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.signetmq.perf.broker.Brokers;
import org.signetmq.perf.pair.EndOfPairs;
import org.signetmq.perf.pair.Pair;
import org.signetmq.perf.result.Parts;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.rr.Experiment;
import org.signetmq.perf.setting.Setting;

/** Runs examinations on pairs of their own. The pair that runs ends with this object, or with a signal. */
final class Examinations implements AutoCloseable {
    private final Disks disks;
    private final Experiment experiment;
    private final Parts parts;
    private final EndOfPairs ending = new EndOfPairs(this::end);
    private @Nullable Pair pair;
    private boolean isEnded;

    Examinations(Disks disks, Experiment experiment, Parts parts) {
        this.disks = disks;
        this.experiment = experiment;
        this.parts = parts;
    }

    /** Examines all settings that no earlier run has examined, and keeps a row for each. */
    void run(Examination examination) throws InterruptedException {
        System.err.println(Experiment.time(examination.seconds()));
        for (Setting setting : examination.settings()) {
            String name = examination.name() + ", " + setting.label();
            boolean isKnown =
                    experiment.kept(examination.name()).stream().anyMatch(row -> row.is(Loss.SETTING, setting.label()));
            if (!isKnown) {
                System.err.println(name);
                parts.run(name, () -> experiment.keep(examination.name(), row(examination, setting)));
            }
        }
    }

    @SuppressWarnings("try") // the pair is ended without its name
    private Result row(Examination examination, Setting setting) throws IOException, InterruptedException {
        try (Closeable ofPair = this::closePair) {
            return setting.json().and(examination.of(setting, start(setting), disks));
        } catch (IOException e) {
            ending.requireNoSignal();
            throw e;
        }
    }

    private synchronized Pair start(Setting setting) throws IOException {
        if (isEnded) {
            throw new IOException("ended by a signal");
        }
        Path folder = disks.newFolder();
        pair = Pair.start(
                setting, new Pair.Ground(folder, disks.all().get(setting.place().disk()), Brokers.ONE, null));
        return pair;
    }

    private synchronized void closePair() throws IOException {
        Pair ending = pair;
        pair = null;
        if (ending != null) {
            ending.close();
        }
    }

    private synchronized void end() {
        isEnded = true;
        try {
            closePair();
        } catch (IOException e) {
            System.err.println("signet: error: " + e.getMessage());
        }
    }

    @Override
    public void close() {
        ending.close();
    }
}
