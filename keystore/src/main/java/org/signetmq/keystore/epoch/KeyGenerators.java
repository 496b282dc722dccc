/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.epoch;

/**
 * How many threads may make keys for one pool at once. Their number is fixed or learnt. If a thread found the pool dry,
 * it doubles, up to the number that keeps all cores busy. That is one for each core if a wrap computes, and many if a
 * wrap waits for a key service. It halves again if that made each wrap slower. While the pool is not dry, the number
 * falls to twice the demand's rate times the time of a wrap (Little's law). Guarded by its pool.
 */
final class KeyGenerators {
    static final int MOST = PregenerationSettings.MOST_THREADS;

    /** Fewer tell nothing of how long a wrap takes: one may have been interrupted, or the first one ever. */
    private static final int SAMPLE = 4;

    /** Twice as many generators pay unless each of them takes this much longer. */
    private static final double SLOWER = 1.5;

    private static final long QUICK_NANOS = 100_000;
    private static final int SELDOM = 32;

    private final int fixed;
    private final int cores;
    private int learnt;
    private int ceiling = MOST;

    // Wraps since the number last changed.
    private int made;
    private long leastWall = Long.MAX_VALUE; // time in which other threads interrupted does not count
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

    /** To ask for the time that a thread had a core takes as long as the quickest wraps: for those, now and then. */
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
