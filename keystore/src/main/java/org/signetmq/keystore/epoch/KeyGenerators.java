/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.epoch;

/**
 * The number of threads that may generate keys for one pool at once. It is fixed or learnt. If a thread finds the pool
 * empty, the number doubles, up to the number that keeps all cores busy. That is one for each core if a wrap computes,
 * and more if it waits for a key service. The number halves again if each wrap became slower. While the pool is not
 * empty, it falls to twice the demand (Little's law). The pool guards it.
 */
final class KeyGenerators {
    static final int MOST = PregenerationSettings.MOST_THREADS;

    /** The fewest wraps that show the time of a wrap. A single one may have been interrupted. */
    private static final int SAMPLE = 4;

    /** The factor of a wrap's time above which more generators do not pay. */
    private static final double SLOWER = 1.5;

    private static final long QUICK_NANOS = 100_000;
    private static final int SELDOM = 32;

    private final int fixed;
    private final int cores;
    private int learnt;
    private int ceiling = MOST;

    // Wraps since the number last changed.
    private int made;
    private long leastWall = Long.MAX_VALUE; // the least time, because interruptions only add to it
    private int timed;
    private long cpu;

    private long wall; // of the last sample
    private long wallOfHalf; // before the number was doubled; 0 if it was not

    // Since fitToDemand().
    private long taken;
    private boolean dry;
    private long since;

    private KeyGenerators(int fixed, int cores, long now) {
        this.fixed = fixed;
        this.cores = cores;
        this.learnt = Math.min(cores, MOST);
        this.since = now;
    }

    static KeyGenerators fixed(int threads) {
        return new KeyGenerators(threads, threads, 0);
    }

    static KeyGenerators learning(int cores, long now) {
        return new KeyGenerators(0, cores, now);
    }

    int allowed() {
        return fixed > 0 ? fixed : learnt;
    }

    void taken() {
        taken++;
    }

    void made(long wallNanos) {
        made++;
        leastWall = Math.min(leastWall, wallNanos);
    }

    /** Tells whether to measure the CPU time. That takes as long as a quick wrap, so it is seldom for those. */
    boolean wantsCpuTime() {
        return wall > QUICK_NANOS || made % SELDOM == 0;
    }

    void tookCpu(long nanos) {
        timed++;
        cpu += nanos;
    }

    void ranDry() {
        dry = true;
        if (made >= Math.max(SAMPLE, learnt) && timed > 0) {
            adapt();
        }
    }

    private void adapt() {
        wall = leastWall;
        if (wallOfHalf > 0 && wall > SLOWER * wallOfHalf) {
            learnt = Math.max(1, learnt / 2);
            ceiling = learnt;
            wallOfHalf = 0;
        } else {
            int next = Math.min(2 * learnt, Math.min(ceiling, busyingAllCores()));
            wallOfHalf = next > learnt ? wall : 0;
            learnt = next;
        }
        newSample();
    }

    private void newSample() {
        made = 0;
        leastWall = Long.MAX_VALUE;
        timed = 0;
        cpu = 0;
    }

    private int busyingAllCores() {
        double share = Math.max(1, (double) wall * timed / Math.max(1, cpu));
        return (int) Math.max(1, Math.min(MOST, Math.round(cores * share)));
    }

    void fitToDemand(long now) {
        if (made >= SAMPLE) {
            wall = leastWall;
        }
        if (!dry && now > since) {
            double perNano = (double) taken / (now - since);
            int needed = (int) Math.min(MOST, Math.ceil(2 * perNano * wall));
            learnt = Math.max(1, Math.min(learnt, Math.max(needed, learnt / 2)));
            wallOfHalf = 0;
            newSample();
        }
        ceiling = MOST; // the service may have become faster
        taken = 0;
        dry = false;
        since = now;
    }
}
