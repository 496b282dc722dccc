/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.result;

/**
 * A published figure beside ours.
 *
 * @param name what both measure, with its unit if it is no ratio
 * @param published the figure as a reader sees it
 * @param ours NaN if it was not measured
 * @param repeat the arguments of {@code signet perf} that measure it again
 */
public record Beside(String name, String published, double ours, String repeat) {
    /** Makes a pair from one published number. */
    public Beside(String name, double published, double ours, String repeat) {
        this(name, MarkdownTable.number(published), ours, repeat);
    }
}
