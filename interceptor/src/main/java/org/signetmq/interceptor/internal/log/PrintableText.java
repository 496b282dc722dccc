/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.log;

import java.util.regex.Pattern;

/** Makes texts that strangers choose fit for one line of a log, an answer or a terminal. */
public final class PrintableText {
    private static final String CUT = "...";

    /** Characters that break a line, steer a terminal, change the direction of text, or are halves. */
    private static final Pattern UNFIT = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}]");

    private PrintableText() {}

    /** Returns the text with a question mark in place of each unfit character. */
    public static String of(String text) {
        return UNFIT.matcher(text).replaceAll("?");
    }

    /** Returns the text as {@link #of(String)} does, cut after a number of characters. Three dots end a cut text. */
    public static String of(String text, int longest) {
        return of(text.length() > longest ? text.substring(0, longest - CUT.length()) + CUT : text);
    }
}
