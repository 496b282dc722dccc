/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.pair;

import java.io.IOException;
import org.signetmq.perf.process.Readings;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.upload.Uploads;
import org.signetmq.perf.upload.Uploads.Arrival;

/**
 * A block of uploads. The keys that the broker makes ahead belong to this block, and not to the block of another pair.
 */
record UploadBlock(Processes processes, Uploads uploads) {
    private static final int STEP_MILLIS = 100;
    private static final int MOST_STEPS = 30;
    /** No pool that is measured has more keys. */
    private static final int MOST_KEYS = 2048;
    /** The share of a core that a broker at rest uses at most. */
    private static final double CALM = 0.2;

    /** Measures the work of clients. */
    @FunctionalInterface
    interface Measured {
        Result figures() throws IOException;
    }

    /** Returns the figures of a block with those of its keys. */
    Result with(Measured block) throws IOException {
        if (uploads.arrival() == Arrival.STREAM) {
            useUpKeys();
        }
        Result before = processes.askBrokers(BrokerMain.COUNT);
        Result figures = block.figures();
        Result after = processes.askBrokers(BrokerMain.COUNT);
        awaitCalm();
        double waits = after.number(BrokerMain.KEY_WAITS) - before.number(BrokerMain.KEY_WAITS);
        double sealed = after.number(BrokerMain.SEALED) - before.number(BrokerMain.SEALED);
        double heap = processes.askBrokers(BrokerMain.COLLECT).number(BrokerMain.HEAP_MB);
        return figures.with(Block.KEY_WAITS, waits / sealed).with(Block.BROKER_HEAP, heap);
    }

    /**
     * Uploads as many small files as a pool has keys, or for a while. Pairs without a pool do so too: code and caches
     * are as warm then.
     */
    private void useUpKeys() throws IOException {
        double begin = sealed();
        double used = 0;
        for (int i = 0; i < MOST_STEPS && used < MOST_KEYS; i++) {
            processes.startClients(0, STEP_MILLIS);
            used = sealed() - begin;
        }
    }

    private double sealed() throws IOException {
        return processes.askBrokers(BrokerMain.COUNT).number(BrokerMain.SEALED);
    }

    /** Waits until the brokers do nothing more: pools are full. */
    private void awaitCalm() throws IOException {
        double last = processes.readBrokers().number(Readings.CPU);
        double used = STEP_MILLIS;
        for (int i = 0; i < MOST_STEPS && used > CALM * STEP_MILLIS; i++) {
            try {
                Thread.sleep(STEP_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while brokers made keys", e);
            }
            double next = processes.readBrokers().number(Readings.CPU);
            used = next - last;
            last = next;
        }
    }
}
