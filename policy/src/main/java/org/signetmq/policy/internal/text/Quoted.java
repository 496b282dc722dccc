/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.internal.text;

/** Shortens text of a document for messages, on one line and in quotes. */
public final class Quoted {
    private static final int LONGEST = 80;

    private Quoted() {}

    /** Returns the text in quotes, with at most its first 80 characters and no control characters. */
    public static String text(String value) {
        String shown = value.length() <= LONGEST ? value : value.substring(0, LONGEST) + "...";
        StringBuilder line = new StringBuilder(shown.length() + 2).append('"');
        shown.chars().forEach(c -> line.append(isHidden(c) ? '?' : (char) c));
        return line.append('"').toString();
    }

    /** Tells whether a terminal would obey this character: a control, or a change of the direction of text. */
    private static boolean isHidden(int c) {
        return Character.isISOControl(c)
                || Character.getType(c) == Character.FORMAT
                || Character.getType(c) == Character.LINE_SEPARATOR
                || Character.getType(c) == Character.PARAGRAPH_SEPARATOR;
    }
}
