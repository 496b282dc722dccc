/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.internal.match;

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

    /** Tells whether this address matches. */
    public boolean matches(String address) {
        return matchesAll() || forms().stream().anyMatch(form -> form.matchesWords(address));
    }

    private boolean matchesWords(String address) {
        return matchesWords(AddressWords.DIVIDED.of(address, syntax.delimiter()))
                || (AddressWords.differ(address, syntax.delimiter())
                        && matchesWords(AddressWords.ESCAPED.of(address, syntax.delimiter())));
    }

    private boolean matchesWords(List<String> address) {
        if (address.size() < words.size() || (address.size() > words.size() && !anyWordsFollow)) {
            return false;
        }
        for (int i = 0; i < words.size(); i++) {
            if (!wordMatches(words.get(i), address.get(i))) {
                return false;
            }
        }
        return true;
    }

    private boolean wordMatches(String word, String address) {
        return isWildcard(word)
                || (isPartial(word)
                        ? new PartialWord(word, syntax.singleWord()).matches(address)
                        : word.equals(address));
    }
}
