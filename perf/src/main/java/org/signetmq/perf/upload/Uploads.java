/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.upload;

import java.util.Locale;

/**
 * The files that clients upload.
 *
 * @param smallPercent the share of files up to 10 kB
 */
public record Uploads(int smallPercent, Arrival arrival) {
    /** The share of small files in the published test. */
    public static final int PUBLISHED_PERCENT = 80;

    public Uploads {
        if (smallPercent < 0 || smallPercent > 100) {
            throw new IllegalArgumentException("small files: must be 0 to 100 percent, found " + smallPercent);
        }
    }

    /** How files come. */
    public enum Arrival {
        /** Each uploader sends the next file when its last one was opened. */
        STREAM,
        /** All uploaders together send fifty files, and then pause. */
        BURSTS;

        /** Returns the name in results. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        /**
         * Returns the arrival with this label.
         *
         * @throws IllegalArgumentException if there is none
         */
        public static Arrival named(String label) {
            return valueOf(label.toUpperCase(Locale.ROOT));
        }
    }
}
