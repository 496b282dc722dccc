/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

/** Shortens text of a document for messages, on one line and in quotes. */
final class Quoted {
    private static final int LONGEST = 80;

    private Quoted() {}

    static String text(String value) {
        String shown = value.length() <= LONGEST ? value : value.substring(0, LONGEST) + "...";
        StringBuilder line = new StringBuilder(shown.length() + 2).append('"');
        shown.chars().forEach(c -> line.append(Character.isISOControl(c) ? '?' : (char) c));
        return line.append('"').toString();
    }
}
