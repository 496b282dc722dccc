/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.check;

import org.signetmq.keystore.PrintableText;

/** Makes texts of configurations, names and exceptions fit for a terminal. */
final class Shown {
    /** The greatest length of a name, in characters. */
    static final int LONGEST_NAME = 120;

    /** The greatest length of a text, in characters. */
    static final int LONGEST_TEXT = 600;

    private Shown() {}

    /** Returns a name that a stranger may have chosen, in quotes. */
    static String name(Object name) {
        return "'" + PrintableText.of(name.toString(), LONGEST_NAME) + "'";
    }

    /** Returns a text on one line. */
    static String text(String text) {
        return PrintableText.of(text, LONGEST_TEXT);
    }
}
