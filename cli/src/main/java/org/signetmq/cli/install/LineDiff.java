/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import java.util.ArrayList;
import java.util.List;

/** The lines that differ between two texts. */
final class LineDiff {
    private LineDiff() {}

    /** Removed lines after a minus, added ones after a plus; before each stretch its line number. */
    static List<String> of(String textBefore, String textAfter) {
        List<String> before = textBefore.lines().toList();
        List<String> after = textAfter.lines().toList();
        int[][] common = common(before, after);
        List<String> lines = new ArrayList<>();
        boolean differing = false;
        int i = 0;
        int j = 0;
        while (i < before.size() || j < after.size()) {
            if (i < before.size() && j < after.size() && before.get(i).equals(after.get(j))) {
                differing = false;
                i++;
                j++;
                continue;
            }
            if (!differing) {
                lines.add("@@ line " + (i + 1) + " @@");
                differing = true;
            }
            if (i < before.size() && (j == after.size() || common[i + 1][j] >= common[i][j + 1])) {
                lines.add("-" + before.get(i++));
            } else {
                lines.add("+" + after.get(j++));
            }
        }
        return lines;
    }

    /** For each pair of places, how many lines from there on both have in common, in order. */
    private static int[][] common(List<String> before, List<String> after) {
        int[][] common = new int[before.size() + 1][after.size() + 1];
        for (int i = before.size() - 1; i >= 0; i--) {
            for (int j = after.size() - 1; j >= 0; j--) {
                common[i][j] = before.get(i).equals(after.get(j))
                        ? common[i + 1][j + 1] + 1
                        : Math.max(common[i + 1][j], common[i][j + 1]);
            }
        }
        return common;
    }
}
