/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.targets;

/** What a measurement says of a target. */
public enum Verdict {
    /** The figure is on the right side of its bar. */
    MET("yes"),
    /** It is not. */
    MISSED("no"),
    /** It scatters so much that it proves neither. */
    NOISY("noisy"),
    /** There is no figure. */
    NOT_MEASURED("not measured");

    private final String word;

    Verdict(String word) {
        this.word = word;
    }

    @Override
    public String toString() {
        return word;
    }
}
