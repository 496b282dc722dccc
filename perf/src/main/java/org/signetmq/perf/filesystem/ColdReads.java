/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.filesystem;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.signetmq.perf.pair.Pair;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.setting.Load;
import org.signetmq.perf.setting.Setting;
import org.signetmq.perf.setting.Stock;
import org.signetmq.perf.variant.Payload;

/**
 * Drains deep queues after a restart of the broker. The operating system has forgotten what the disk holds, so each
 * message is read from the disk and decrypted.
 *
 * @param mebibytes of payload in each queue
 * @param warmUpSeconds work of the new processes before the first queue is drained
 */
record ColdReads(int mebibytes, double warmUpSeconds) implements Examination {
    static final String NAME = "cold";
    /** The rate of the fastest queue over that of the slowest. */
    static final String SPREAD = "spread";

    /** Pages of the broker hold messages of these sizes; larger ones have a file each. */
    static final List<Integer> SIZES = List.of(2048, 20_480);

    static final int USUAL_MEBIBYTES = 16;
    /** All queues must fit into the image of a disk, sealed and in pages. */
    private static final int MOST_MEBIBYTES = 512;

    private static final int QUEUES = 2;
    private static final int MEBIBYTE = 1 << 20;
    private static final int CLIENTS = 20;
    private static final double SECONDS_BESIDE = 15;
    private static final double SECONDS_OF_MEBIBYTE = 0.4;

    ColdReads {
        Load.require("backlog", mebibytes, 1);
        if (mebibytes > MOST_MEBIBYTES) {
            throw new IllegalArgumentException("backlog: must not be above " + MOST_MEBIBYTES + ", found " + mebibytes);
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<Setting> settings() {
        return Comparison.everySetting();
    }

    @Override
    public double seconds() {
        return settings().size() * (SECONDS_BESIDE + warmUpSeconds + mebibytes * SECONDS_OF_MEBIBYTE);
    }

    @Override
    public Result of(Setting setting, Pair pair, Disks disks) throws IOException {
        for (int size : SIZES) {
            for (Stock stock : stocks(size)) {
                pair.fill(stock);
            }
        }
        pair.restart(disks::dropCache);
        pair.connect(Load.of(CLIENTS, CLIENTS, Payload.USUAL_SIZE));
        pair.block(0, 0, (long) (warmUpSeconds * 1_000) + 1);
        pair.disconnect();
        Result row = Result.EMPTY;
        for (int size : SIZES) {
            row = row.with(field(size), fastest(stocks(size), pair, disks).json());
        }
        return row;
    }

    /** Returns the name of the figures for messages of a size. */
    static String field(int size) {
        return "bytes-" + size;
    }

    private List<Stock> stocks(int size) {
        int count = Math.max(1, (int) ((long) mebibytes * MEBIBYTE / size));
        return IntStream.range(0, QUEUES)
                .mapToObj(queue -> new Stock(size + "-" + queue, Stock.Kind.PAGED, count, Payload.ofSize(size)))
                .toList();
    }

    /** Drains all queues, and returns the figures of the fastest: a busy machine only slows down. */
    private static Result fastest(List<Stock> stocks, Pair pair, Disks disks) throws IOException {
        List<Result> drained = new ArrayList<>();
        for (Stock stock : stocks) {
            disks.dropCache();
            drained.add(pair.drain(stock));
        }
        drained.sort(Comparator.comparingDouble(result -> result.number(Pair.MESSAGES_PER_S)));
        Result slowest = drained.get(0);
        Result fastest = drained.get(drained.size() - 1);
        return fastest.with(SPREAD, fastest.number(Pair.MESSAGES_PER_S) / slowest.number(Pair.MESSAGES_PER_S));
    }
}
