/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.variant;

import java.util.Map;
import org.signetmq.keystore.epoch.PregenerationSettings;

/**
 * The data keys of a broker: for how many recipients it wraps them, and how it makes them ahead of need.
 *
 * @param recipients of each message; one of them receives
 * @param pool {@code auto}, {@code off}, or threads and capacity such as {@code 4-100}
 */
public record KeySupply(int recipients, String pool) {
    public static final String AUTO = "auto";
    public static final String OFF = "off";

    /** One recipient, and the pool that sizes itself. */
    public static final KeySupply USUAL = new KeySupply(1, AUTO);

    /**
     * Makes a supply.
     *
     * @throws IllegalArgumentException if there is no recipient, or the pool is none of the three
     */
    public KeySupply {
        if (recipients < 1) {
            throw new IllegalArgumentException("recipients: must be above zero, found " + recipients);
        }
        if (!pool.equals(AUTO) && !pool.equals(OFF) && !pool.matches("[0-9]{1,3}-[0-9]{1,6}")) {
            throw new IllegalArgumentException(
                    "pool: must be auto, off or threads and capacity such as 4-100, found '" + pool + "'");
        }
    }

    /** Returns a pool of fixed size. */
    public static String pool(int threads, int capacity) {
        return threads + "-" + capacity;
    }

    /** Returns the properties of the plugin. */
    public Map<String, String> properties() {
        return switch (pool) {
            case AUTO -> Map.of();
            case OFF -> Map.of(PregenerationSettings.CAPACITY, "0");
            default -> {
                int dash = pool.indexOf('-');
                yield Map.of(
                        PregenerationSettings.THREADS, pool.substring(0, dash),
                        PregenerationSettings.CAPACITY, pool.substring(dash + 1));
            }
        };
    }

    /** Returns what a label ends with; empty if the supply is the usual one. */
    public String suffix() {
        return (recipients == 1 ? "" : "+r" + recipients) + (pool.equals(AUTO) ? "" : "+pool-" + pool);
    }
}
