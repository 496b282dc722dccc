/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.signetmq.cli.install.Plan.LineDiff;

final class LineDiffTest {
    @Test
    void equalTexts_haveNoDifference() {
        assertThat(LineDiff.of("a\nb\n", "a\nb\n")).isEmpty();
        assertThat(LineDiff.of("", "")).isEmpty();
    }

    @Test
    void changedLine_isRemovedThenAdded_underItsLineNumber() {
        assertThat(LineDiff.of("a\nb\nc\n", "a\nB\nc\n")).containsExactly("@@ line 2 @@", "-b", "+B");
    }

    @Test
    void twoStretches_haveTheirOwnLineNumbers_asInTheTextBefore() {
        assertThat(LineDiff.of("a\nb\nc\nd\n", "x\na\nb\nd\ny\n"))
                .containsExactly("@@ line 1 @@", "+x", "@@ line 3 @@", "-c", "@@ line 5 @@", "+y");
    }

    @Test
    void textBeforeIsEmpty_allLinesAreAdded() {
        assertThat(LineDiff.of("", "a\nb")).containsExactly("@@ line 1 @@", "+a", "+b");
    }

    @Test
    void textAfterIsEmpty_allLinesAreRemoved() {
        assertThat(LineDiff.of("a\nb", "")).containsExactly("@@ line 1 @@", "-a", "-b");
    }

    @Test
    void movedLine_keepsTheLongestCommonPart() {
        assertThat(LineDiff.of("m\na\nb\nc\n", "a\nb\nc\nm\n"))
                .containsExactly("@@ line 1 @@", "-m", "@@ line 5 @@", "+m");
    }

    @Test
    void lineEndsAlone_areNoDifference() {
        assertThat(LineDiff.of("a\r\nb\r\n", "a\nb")).isEmpty();
    }
}
