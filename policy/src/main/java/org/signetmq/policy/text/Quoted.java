/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.text;

/** Shortens text of a document for messages, on one line and in quotes. It knows the characters that do not print. */
public final class Quoted {
    private static final int LONGEST = 80;

    private Quoted() {}

    /** Returns the text in quotes, with at most its first 80 characters, and only characters that print. */
    public static String text(String value) {
        String shown = value.length() <= LONGEST ? value : value.substring(0, LONGEST) + "...";
        StringBuilder line = new StringBuilder(shown.length() + 2).append('"');
        shown.codePoints().forEach(c -> line.appendCodePoint(isHidden(c) ? '?' : c));
        return line.append('"').toString();
    }

    /** Tells whether a terminal would obey this character, or shows nothing for it. */
    public static boolean isHidden(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> true;
            case Character.SPACE_SEPARATOR -> c != ' ';
            default -> isInvisible(c);
        };
    }

    /** Tells whether a letter, mark or symbol has no ink: variation selectors, fillers, the empty Braille pattern. */
    private static boolean isInvisible(int c) {
        return c == 0x034F
                || c == 0x115F
                || c == 0x1160
                || c == 0x17B4
                || c == 0x17B5
                || (c >= 0x180B && c <= 0x180F)
                || c == 0x2800
                || c == 0x3164
                || (c >= 0xFE00 && c <= 0xFE0F)
                || c == 0xFFA0
                || c == 0x1D159
                || (c >= 0xE0000 && c <= 0xE0FFF);
    }
}
