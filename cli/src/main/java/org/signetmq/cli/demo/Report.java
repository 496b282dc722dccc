/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.demo;

import java.util.List;

/**
 * What a run showed.
 *
 * @param rows one per protocol and quality
 * @param searchedFiles how many files of the broker were searched
 * @param searchedBytes how many bytes they had
 */
public record Report(List<Row> rows, long searchedFiles, long searchedBytes) {
    public Report {
        rows = List.copyOf(rows);
    }

    /** Whether every row is as it should be. */
    public boolean ok() {
        return rows.stream().allMatch(Row::ok);
    }
}
