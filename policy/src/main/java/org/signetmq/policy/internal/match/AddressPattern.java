/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.internal.match;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A pattern with Artemis's wildcards. It consists of words between delimiters. One wildcard stands for one word, also
 * an empty one, or for one or more characters of a word. The other at the end stands for any number of words. The
 * pattern matches every address that Artemis's routing, its address settings or its queries for queues match, in either
 * {@linkplain AddressWords division} of the address. It uses no regular expression, so line breaks match too.
 *
 * @param text the whole pattern
 * @param syntax its wildcards
 * @param words the words before any number of other words
 * @param anyWordsFollow whether any number of other words may follow
 */
public record AddressPattern(String text, Wildcards syntax, List<String> words, boolean anyWordsFollow) {
    /**
     * Orders the wildcard patterns of one address as Artemis does, the most specific first. Here {@code #} stands for
     * the wildcard of any words and {@code *} for that of one word.
     *
     * <ol>
     *   <li>Patterns without {@code #} come before patterns with it.
     *   <li>Without {@code #}, words are compared from the left: any other word comes before {@code *}. Then the
     *       pattern with more words comes first, then the shorter one.
     *   <li>With {@code #}, the longer pattern comes first.
     *   <li>Artemis leaves other ties to a hash table. Here the pattern with fewer {@code *} comes first, then the one
     *       that sorts first.
     * </ol>
     */
    public static final Comparator<AddressPattern> MOST_SPECIFIC_FIRST = AddressPattern::bySpecificity;

    private static final Comparator<AddressPattern> TIES =
            Comparator.comparingInt(AddressPattern::wildcards).thenComparing(AddressPattern::text);

    /** Returns the pattern of a text that can be the pattern of a policy. */
    public static AddressPattern of(String text, Wildcards syntax) {
        boolean any = text.indexOf(syntax.anyWords()) >= 0;
        String words = any ? text.substring(0, text.length() - 1) : text;
        // "a.#" means the same as "a#": "a" itself matches
        if (any && !words.isEmpty() && words.charAt(words.length() - 1) == syntax.delimiter()) {
            words = words.substring(0, words.length() - 1);
        }
        return new AddressPattern(text, syntax, divided(words, syntax), any);
    }

    private static List<String> divided(String words, Wildcards syntax) {
        return List.copyOf(AddressWords.DIVIDED.of(words, syntax.delimiter()));
    }

    /**
     * Returns the patterns of which an address must match one: this one and, if no delimiter stands before the wildcard
     * of any words, the one that has the wildcard as a letter. For Artemis's routing {@code a#} is such a word.
     */
    List<AddressPattern> forms() {
        int last = text.length() - 1;
        if (!anyWordsFollow || last == 0 || text.charAt(last - 1) == syntax.delimiter()) {
            return List.of(this);
        }
        return List.of(this, new AddressPattern(text, syntax, divided(text, syntax), false));
    }

    /** Tells whether this word of a pattern stands for any one word. */
    boolean isWildcard(String word) {
        return word.length() == 1 && word.charAt(0) == syntax.singleWord();
    }

    /** Tells whether this word of a pattern has wildcards among other characters. */
    boolean isPartial(String word) {
        return word.indexOf(syntax.singleWord()) >= 0 && !isWildcard(word);
    }

    /** Returns the number of words with several wildcards inside. A search reads an address once for each of them. */
    public long searchedWords() {
        char single = syntax.singleWord();
        return words.stream()
                .filter(word -> word.indexOf(single) != word.lastIndexOf(single))
                .count();
    }

    /** Tells whether every address matches. */
    boolean matchesAll() {
        return anyWordsFollow && text.length() == 1;
    }

    /** Returns the number of single-word wildcards. */
    int wildcards() {
        int count = 0;
        for (int at = text.indexOf(syntax.singleWord()); at >= 0; at = text.indexOf(syntax.singleWord(), at + 1)) {
            count++;
        }
        return count;
    }

    /**
     * Returns the text before the first wildcard. Every matching address begins with it. If other words may follow, the
     * text ends in a delimiter, although the address without these words matches too.
     */
    public String beginning() {
        int single = text.indexOf(syntax.singleWord());
        if (single >= 0) {
            return text.substring(0, single);
        }
        String words = String.join(String.valueOf(syntax.delimiter()), this.words);
        return anyWordsFollow && !words.isEmpty() ? words + syntax.delimiter() : words;
    }

    /**
     * Tells whether an address may match both patterns. It does not compare two words with wildcards among other
     * characters, so the answer may be true for patterns without a common address.
     */
    public boolean mayOverlap(AddressPattern other) {
        return matchesAll()
                || other.matchesAll()
                || forms().stream()
                        .anyMatch(ours -> other.forms().stream()
                                .anyMatch(theirs -> ours.mayHold(theirs) || theirs.mayHold(ours)));
    }

    /**
     * Tells whether an address may match both, if a wildcard of this pattern may stand for several words of the other
     * one. It may for {@code a.b\.c}, which matches {@code a.*} and {@code a.*.c}.
     */
    private boolean mayHold(AddressPattern other) {
        int size = other.words.size();
        boolean[] reached = new boolean[size + 1]; // the numbers of words of the other that may match ours so far
        reached[0] = true;
        for (String word : words) {
            boolean[] next = new boolean[size + 1];
            boolean goesOn = false;
            for (int i = 0; i < size; i++) {
                if (reached[i] && wordsMayOverlap(word, other.words.get(i))) {
                    next[i + 1] = true;
                    goesOn = true;
                }
                if (reached[i] && isWildcard(word) && endsInWildcard(other.words.get(i))) {
                    reached[i + 1] = true;
                }
            }
            if (reached[size] && other.anyWordsFollow) {
                return true;
            }
            if (!goesOn) {
                return false;
            }
            reached = next;
        }
        return anyWordsFollow || reached[size];
    }

    private boolean endsInWildcard(String word) {
        return !word.isEmpty() && word.charAt(word.length() - 1) == syntax.singleWord();
    }

    private boolean wordsMayOverlap(String one, String two) {
        if (one.indexOf(syntax.singleWord()) < 0) {
            return wordMatches(two, one);
        }
        return two.indexOf(syntax.singleWord()) >= 0 || wordMatches(one, two);
    }

    /** Tells whether a word of an address matches a word of the pattern. */
    boolean wordMatches(String word, String address) {
        return isWildcard(word)
                || (isPartial(word)
                        ? new PartialWord(word, syntax.singleWord()).matches(address)
                        : word.equals(address));
    }

    private static int bySpecificity(AddressPattern left, AddressPattern right) {
        if (left.anyWordsFollow() != right.anyWordsFollow()) {
            return left.anyWordsFollow() ? 1 : -1;
        }
        int shorter = Integer.compare(left.text().length(), right.text().length());
        int order = left.anyWordsFollow() ? -shorter : byWords(left, right);
        if (order == 0) {
            order = shorter;
        }
        return order == 0 ? TIES.compare(left, right) : order;
    }

    private static int byWords(AddressPattern left, AddressPattern right) {
        List<String> ours = left.words();
        List<String> theirs = right.words();
        for (int i = 0; i < Math.min(ours.size(), theirs.size()); i++) {
            boolean any = left.isWildcard(ours.get(i));
            if (any != right.isWildcard(theirs.get(i))) {
                return any ? 1 : -1;
            }
        }
        return Integer.compare(theirs.size(), ours.size());
    }

    /**
     * A word of a pattern that has wildcards among other characters, such as {@code eu-*}. Each wildcard stands for one
     * or more characters. Immutable.
     */
    static final class PartialWord {
        /** The texts before, between and behind the wildcards. */
        private final String[] texts;

        /** The least number of characters that a matching word has. */
        private final int shortest;

        PartialWord(String word, char wildcard) {
            this.texts = AddressWords.DIVIDED.of(word, wildcard).toArray(String[]::new);
            this.shortest = word.length();
        }

        int wildcards() {
            return texts.length - 1;
        }

        String before() {
            return texts[0];
        }

        String behind() {
            return texts[texts.length - 1];
        }

        /**
         * Tells whether a word matches. It reads the word once from the left: the first place of a text between
         * wildcards leaves the most room for the following ones.
         */
        boolean matches(String word) {
            int last = word.length() - behind().length();
            if (word.length() < shortest || !word.startsWith(before()) || !word.endsWith(behind())) {
                return false;
            }
            int at = before().length();
            for (int i = 1; i < texts.length - 1; i++) {
                int found = word.indexOf(texts[i], at + 1);
                if (found < 0) {
                    return false;
                }
                at = found + texts[i].length();
            }
            return at < last;
        }
    }

    /**
     * The characters of patterns, for a search that does not know policies. The caller checks them.
     *
     * @param delimiter stands between two words
     * @param anyWords stands for any number of words
     * @param singleWord stands for one word, or for one or more characters of a word
     */
    public record Wildcards(char delimiter, char anyWords, char singleWord) {}

    /**
     * The two divisions of an address into words. Artemis's routing takes a delimiter behind a backslash for a part of
     * its word, for example the dot of the MQTT level {@code v1.2}. Artemis's address settings, and its queries for
     * queues, take every delimiter for the end of a word. A pattern matches if it matches by one of the two.
     */
    public enum AddressWords {
        /** Words end at every delimiter. */
        DIVIDED,
        /** Words do not end at a delimiter behind a backslash. */
        ESCAPED;

        private static final char ESCAPE = '\\';

        /** Tells whether the two divisions of this address differ. */
        static boolean differ(String address, char delimiter) {
            for (int at = address.indexOf(delimiter); at >= 0; at = address.indexOf(delimiter, at + 1)) {
                if (isEscaped(address, at)) {
                    return true;
                }
            }
            return false;
        }

        private static boolean isEscaped(String address, int delimiter) {
            return delimiter > 0 && address.charAt(delimiter - 1) == ESCAPE;
        }

        /** Returns the end of the word that begins here: the index of a delimiter, or the length of the address. */
        int end(String address, int from, char delimiter) {
            int end = address.indexOf(delimiter, from);
            while (end >= 0 && this == ESCAPED && isEscaped(address, end)) {
                end = address.indexOf(delimiter, end + 1);
            }
            return end < 0 ? address.length() : end;
        }

        /** Returns the words, at least one. Any of them may be empty. */
        public List<String> of(String address, char delimiter) {
            List<String> words = new ArrayList<>();
            for (int at = 0; at <= address.length(); ) {
                int end = end(address, at, delimiter);
                words.add(address.substring(at, end));
                at = end + 1;
            }
            return words;
        }
    }
}
