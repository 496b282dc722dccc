/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.signetmq.policy.internal.match.AddressPattern;
import org.signetmq.policy.internal.match.AddressPattern.AddressWords;
import org.signetmq.policy.internal.match.AddressPattern.Wildcards;
import org.signetmq.policy.internal.match.PatternVariables;
import org.signetmq.policy.internal.text.DocumentLimits;
import org.signetmq.policy.text.Quoted;

/**
 * The characters of address patterns, as {@code <wildcard-addresses>} of broker.xml sets them.
 *
 * @param delimiter stands between two words
 * @param anyWords stands for any number of words
 * @param singleWord stands for one word, or for one or more characters of a word
 */
public record WildcardSyntax(char delimiter, char anyWords, char singleWord) {
    /** The default of Artemis. */
    public static final WildcardSyntax DEFAULT = new WildcardSyntax('.', '#', '*');

    private static final String QUEUE_SEPARATOR = "::";

    /** Characters that Artemis does not escape when it turns a wildcard pattern into a regular expression. */
    private static final String REGEX_CHARACTERS = "\\^[](){}+*?|";

    /** Delimiters by which Artemis's address settings match other addresses than its routing does. */
    private static final String REGEX_DELIMITERS = REGEX_CHARACTERS + '$';

    /** Wildcards of any words that Artemis's address settings also replace in their expression for one word. */
    private static final String REGEX_ANY_WORDS = "[^]+.QE";

    /** Artemis's escape character, which cannot be one of the three. */
    private static final char ESCAPE = '\\';

    /** @throws IllegalArgumentException if two are equal, or one cannot stand in an address */
    public WildcardSyntax {
        problemWith(delimiter, anyWords, singleWord).ifPresent(problem -> {
            throw new IllegalArgumentException("wildcards: " + problem);
        });
    }

    /** Returns the reason why these three characters cannot be a syntax; empty if they can. */
    public static Optional<String> problemWith(char delimiter, char anyWords, char singleWord) {
        for (char c : new char[] {delimiter, anyWords, singleWord}) {
            if (c == ESCAPE || Character.isISOControl(c) || Character.isWhitespace(c) || Character.isSurrogate(c)) {
                return Optional.of("a space, control character, backslash or half a character, found "
                        + Quoted.text(String.valueOf(c)) + "; take another");
            }
        }
        if (delimiter == anyWords || anyWords == singleWord || singleWord == delimiter) {
            return Optional.of("the same character twice, found " + described(delimiter, anyWords, singleWord)
                    + "; take three different ones");
        }
        return REGEX_DELIMITERS.indexOf(delimiter) >= 0 || REGEX_ANY_WORDS.indexOf(anyWords) >= 0 || singleWord == '.'
                ? Optional.of(
                        "a character that Artemis's address settings take for part of a regular expression, found "
                                + described(delimiter, anyWords, singleWord)
                                + "; take another, such as \"/\", \">\" or \"*\"")
                : Optional.empty();
    }

    /** Returns the reason why this text cannot be the pattern of a policy; empty if it can. */
    public Optional<String> problemWithPattern(String text) {
        if (text.isBlank()) {
            return Optional.of("blank; name an address, or \"" + anyWords + "\" for all");
        }
        if (text.strip().length() < text.length() || hasControl(text)) {
            return Optional.of("spaces around it or control characters in it, found " + Quoted.text(text)
                    + "; write the address alone");
        }
        if (text.length() > DocumentLimits.LONGEST_TEXT) {
            return DocumentLimits.problemWithLength(text);
        }
        return PatternVariables.problemWith(text, characters()).or(() -> problemWithPlain(plain(text)));
    }

    /** Returns the problem with a pattern that has wildcards in place of its variables. */
    private Optional<String> problemWithPlain(String text) {
        if (text.contains(QUEUE_SEPARATOR)) {
            return Optional.of("a queue, found " + Quoted.text(text)
                    + "; a policy covers an address with all its queues: " + "write the part before \"::\"");
        }
        int any = text.indexOf(anyWords);
        if (any >= 0 && any < text.length() - 1) {
            String wildcard = "\"" + anyWords + "\"";
            return Optional.of(wildcard + " before the end, found " + Quoted.text(text) + "; " + wildcard
                    + " can only be the last character, \"" + singleWord + "\" stands for one word");
        }
        Optional<String> problem = isWild(text) ? problemWithWildcards(text) : Optional.empty();
        return problem.or(() -> BrokerAddresses.DEFAULT.problemWith(text, this));
    }

    private static boolean hasControl(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isISOControl(text.charAt(i))) {
                return true;
            }
        }
        return false;
    }

    private Optional<String> problemWithWildcards(String text) {
        char usual = DEFAULT.delimiter;
        if (!contains(usual) && text.endsWith("" + usual + anyWords)) {
            return Optional.of("words that end in \"" + usual + "\", found " + Quoted.text(text) + "; words end at \""
                    + delimiter + "\" here: put it in place of \"" + usual + "\"");
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (REGEX_CHARACTERS.indexOf(c) >= 0 && !contains(c)) {
                return Optional.of("\"" + c + "\" beside a wildcard, found " + Quoted.text(text)
                        + "; Artemis takes it for a regular expression: put \"" + singleWord
                        + "\" in its place, or name the addresses");
            }
        }
        return Optional.empty();
    }

    /** Returns this text, which has no {@link #problemWithPattern problem}, as a pattern. */
    AddressPattern pattern(String text) {
        return AddressPattern.of(plain(text), characters());
    }

    /** Returns this pattern with the wildcard of one word in place of each variable. */
    public String plain(String text) {
        return PatternVariables.plain(text, characters());
    }

    /** Returns the words of an address as the broker routes by them: one at least, and any may be empty. */
    public List<String> routedWords(String address) {
        return AddressWords.ESCAPED.of(address, delimiter);
    }

    /** Returns the number of words of a pattern. */
    long words(String text) {
        return 1 + text.chars().filter(c -> c == delimiter).count();
    }

    /** Returns the variables of a pattern. */
    PatternVariables variables(String text) {
        return PatternVariables.of(text, characters());
    }

    /** Returns the variables of a pattern, with their braces. */
    public Set<String> variablesOf(String text) {
        return variables(text).names();
    }

    /** Returns the three characters for a search. */
    Wildcards characters() {
        return new Wildcards(delimiter, anyWords, singleWord);
    }

    /** Tells whether this text contains a wildcard or a variable. */
    public boolean isWild(String text) {
        return text.indexOf(singleWord) >= 0
                || text.indexOf(anyWords) >= 0
                || !variables(text).areNone();
    }

    /** Tells whether this character is one of the three. */
    private boolean contains(int character) {
        return character == delimiter || character == anyWords || character == singleWord;
    }

    /** Returns the three characters as text for messages. */
    public String describe() {
        return described(delimiter, anyWords, singleWord);
    }

    private static String described(char delimiter, char anyWords, char singleWord) {
        return "delimiter \"" + delimiter + "\", any-words \"" + anyWords + "\", single-word \"" + singleWord + "\"";
    }
}
