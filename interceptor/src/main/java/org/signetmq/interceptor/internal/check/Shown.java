/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.check;

import java.util.regex.Pattern;

/** Makes texts of configurations, names and exceptions fit for a terminal. */
final class Shown {
    /** The greatest length of a name, in characters. */
    static final int LONGEST_NAME = 120;

    /** The greatest length of a text, in characters. */
    static final int LONGEST_TEXT = 600;

    private static final String CUT = "...";

    /** Characters that break a line, steer a terminal, change the direction of text, or are halves. */
    private static final Pattern UNFIT = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}]");

    private Shown() {}

    /** Returns a name that a stranger may have chosen, in quotes. */
    static String name(Object name) {
        return "'" + fit(name.toString(), LONGEST_NAME) + "'";
    }

    /** Returns a text on one line. */
    static String text(String text) {
        return fit(text, LONGEST_TEXT);
    }

    private static String fit(String text, int longest) {
        String part = text.length() > longest ? text.substring(0, longest - CUT.length()) + CUT : text;
        return UNFIT.matcher(part).replaceAll("?");
    }
}
