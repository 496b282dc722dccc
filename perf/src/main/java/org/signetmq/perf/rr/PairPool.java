/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.activemq.artemis.utils.FileUtil;
import org.jspecify.annotations.Nullable;
import org.signetmq.perf.broker.Brokers;
import org.signetmq.perf.broker.Disk;
import org.signetmq.perf.pair.Load;
import org.signetmq.perf.pair.Pair;
import org.signetmq.perf.pair.Setting;
import org.signetmq.perf.result.Result;

/** Starts a pair for each setting when it is first needed. All of them end with this pool, or with a signal. */
public final class PairPool implements Measurement.Pairs, AutoCloseable {
    private final Path folder;
    private final Site site;
    private final Map<Setting, Pair> pairs = new HashMap<>();
    private final Map<Setting, Load> connected = new HashMap<>();
    private final Thread endedBySignal = new Thread(this::end);
    private boolean isEnded;

    /**
     * Where pairs run.
     *
     * @param disks each disk that a setting names
     * @param brokers of each pair
     * @param recordings where flight recordings are left; null for none
     */
    public record Site(
            Map<String, Disk> disks,
            Brokers brokers,
            @Nullable Path recordings) {
        /** The temporary folder, and one broker. */
        public static final Site USUAL = new Site(Map.of(), Brokers.ONE, null);

        Site withRecordings(@Nullable Path folder) {
            return new Site(disks, brokers, folder);
        }
    }

    PairPool(Site site) throws IOException {
        this.site = site;
        this.folder = Files.createTempDirectory("signet-perf-"); // mode 0700
        Runtime.getRuntime().addShutdownHook(endedBySignal);
    }

    @Override
    public void connect(Setting setting, Load load) throws IOException {
        if (!load.equals(connected.get(setting))) {
            pair(setting).connect(load);
            connected.put(setting, load);
        }
    }

    private synchronized Pair pair(Setting setting) throws IOException {
        if (isEnded) {
            throw new IOException("ended by a signal");
        }
        Pair pair = pairs.get(setting);
        if (pair == null) {
            Path of = folder.resolve(Integer.toString(pairs.size()));
            Pair.Ground ground =
                    new Pair.Ground(of, site.disks.get(setting.place().disk()), site.brokers, site.recordings);
            pair = Pair.start(setting, ground);
            pairs.put(setting, pair);
        }
        return pair;
    }

    @Override
    public Result block(Setting setting, double rate, double seconds) throws IOException {
        return pair(setting).block(rate, (long) (Measurement.RAMP_SECONDS * 1_000), (long) (seconds * 1_000));
    }

    private synchronized void end() {
        isEnded = true;
        List<Pair> all = new ArrayList<>(pairs.values());
        pairs.clear();
        for (Pair pair : all) {
            try {
                pair.close();
            } catch (IOException e) {
                System.err.println("signet: error: " + e.getMessage());
            }
        }
        FileUtil.deleteDirectory(folder.toFile());
    }

    @Override
    public void close() {
        end();
        try {
            Runtime.getRuntime().removeShutdownHook(endedBySignal);
        } catch (IllegalStateException itRuns) {
            // a signal has ended us
        }
    }
}
