/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import org.jspecify.annotations.Nullable;
import org.signetmq.policy.text.Quoted;

/**
 * Makes texts that strangers choose fit for one line of a log, an exception, an answer or a terminal. It replaces each
 * character that breaks a line, steers a terminal, changes the direction of text, or does not print. Thread-safe.
 */
public final class PrintableText {
    /** The greatest length of a name, in characters. */
    public static final int LONGEST_NAME = 200;

    /** The greatest length of the text of an exception, in characters. */
    public static final int LONGEST_REASON = 2000;

    private static final String CUT = "...";
    private static final char REPLACEMENT = '?';
    private static final String QUOTES = "'\"\\{}";

    private PrintableText() {}

    /** Returns the text with a question mark in place of each unfit character. Null is returned as a dash. */
    public static String of(@Nullable String text) {
        return text == null ? "-" : replaced(text, REPLACEMENT);
    }

    /**
     * Returns the text as {@link #of(String)} does, cut after a number of characters. Three dots end a cut text.
     *
     * @param longest the greatest length of the result, at least 3
     */
    public static String of(@Nullable String text, int longest) {
        return of(text != null && text.length() > longest ? text.substring(0, longest - CUT.length()) + CUT : text);
    }

    /**
     * Returns a name as one word of a line, at most {@link #LONGEST_NAME} characters of it. A name with commas, quotes,
     * braces, or a colon before a blank is {@link #quoted}.
     */
    public static String word(@Nullable String name) {
        String shown = of(name, LONGEST_NAME);
        return name == null
                        || (shown.chars().noneMatch(c -> c == ',' || QUOTES.indexOf(c) >= 0) && !shown.contains(": "))
                ? shown
                : quoted(name);
    }

    /**
     * Returns a name in single quotes, at most {@link #LONGEST_NAME} characters of it. Its own quotes, braces and
     * backslashes have a backslash. So no name passes for another part of the line, or for a line of another log.
     */
    public static String quoted(@Nullable String name) {
        StringBuilder word = new StringBuilder().append('\'');
        of(name, LONGEST_NAME).chars().forEach(c -> {
            if (QUOTES.indexOf(c) >= 0) {
                word.append('\\');
            }
            word.append((char) c);
        });
        return word.append('\'').toString();
    }

    /** Returns the text as {@link #of(String)} does, with another character in place of the question mark. */
    public static String replaced(String text, char replacement) {
        int fit = 0;
        int before = 0;
        while (fit < text.length()) {
            int next = text.codePointAt(fit);
            if (!isFit(next, before)) {
                break;
            }
            before = next;
            fit += Character.charCount(next);
        }
        if (fit == text.length()) {
            return text;
        }
        StringBuilder shown = new StringBuilder(text.length()).append(text, 0, fit);
        while (fit < text.length()) {
            int next = text.codePointAt(fit);
            if (isFit(next, before)) {
                shown.appendCodePoint(next);
                before = next;
            } else {
                shown.append(replacement);
                before = replacement;
            }
            fit += Character.charCount(next);
        }
        return shown.toString();
    }

    /**
     * Tells whether a character prints. A joiner prints nothing, but belongs to words of some scripts.
     *
     * @param before the character before it; 0 for none
     */
    private static boolean isFit(int character, int before) {
        if (character >= ' ' && character <= '~') {
            return true;
        }
        if (character == 0x200C || character == 0x200D) {
            return before > '~' && Character.isLetter(before) && !isSimple(before);
        }
        return !Quoted.isHidden(character);
    }

    private static boolean isSimple(int letter) {
        return switch (Character.UnicodeScript.of(letter)) {
            case COMMON, LATIN, GREEK, CYRILLIC, HAN, HANGUL, HIRAGANA, KATAKANA -> true;
            default -> false;
        };
    }
}
