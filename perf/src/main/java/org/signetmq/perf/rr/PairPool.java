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
import org.signetmq.perf.pair.EndOfPairs;
import org.signetmq.perf.pair.Pair;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.setting.Load;
import org.signetmq.perf.setting.Setting;

/** Starts a pair for each setting when it is first needed. All of them end with this pool, or with a signal. */
public final class PairPool implements Measurement.Pairs, AutoCloseable {
    private final Path folder;
    private final Site site;
    private final Map<Setting, Pair> pairs = new HashMap<>();
    private final Map<Setting, Load> connected = new HashMap<>();
    private final EndOfPairs ending;
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
        this.ending = new EndOfPairs(this::end);
    }

    private interface Use {
        Result of(Pair pair) throws IOException;
    }

    @Override
    public void connect(Setting setting, Load load) throws IOException, InterruptedException {
        if (!load.equals(connected.get(setting))) {
            use(setting, pair -> {
                pair.connect(load);
                return Result.EMPTY;
            });
            connected.put(setting, load);
        }
    }

    /** Uses a pair, and ends it if it fails: its processes must not disturb the others. */
    private Result use(Setting setting, Use use) throws IOException, InterruptedException {
        try {
            return use.of(pair(setting));
        } catch (IOException e) {
            ending.requireNoSignal();
            endFailed(setting, e);
            throw e;
        }
    }

    private synchronized void endFailed(Setting setting, IOException failure) {
        Pair pair = pairs.get(setting);
        if (pair != null) {
            try {
                pair.close();
            } catch (IOException e) {
                failure.addSuppressed(e);
            }
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
    public Result block(Setting setting, Measurement.Stretch stretch) throws IOException, InterruptedException {
        return use(setting, pair -> pair.block(stretch.rate(), millis(stretch.ramp()), millis(stretch.seconds())));
    }

    private static long millis(double seconds) {
        return (long) (seconds * 1_000);
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
        ending.close();
    }
}
