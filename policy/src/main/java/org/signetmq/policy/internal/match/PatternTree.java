/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.internal.match;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.signetmq.policy.internal.match.AddressPattern.AddressWords;
import org.signetmq.policy.internal.match.AddressPattern.Wildcards;

/**
 * Finds the wildcard patterns that match an address. The patterns form a tree whose edges are words. One path alone
 * leads to a node, so a search visits no node twice for one {@linkplain AddressWords division} of the address. It costs
 * by the words of the address: for each word a look-up, and one step for each wildcard that could take the word.
 * Immutable.
 */
public final class PatternTree {
    /** The rank of no pattern. */
    public static final int NONE = Integer.MAX_VALUE;

    private final char delimiter;
    private final Node root = new Node();

    /** Makes a tree of these patterns, the most specific first. The rank of a pattern is its index. */
    public PatternTree(List<AddressPattern> mostSpecificFirst, Wildcards syntax) {
        this.delimiter = syntax.delimiter();
        List<Node> nodes = new ArrayList<>(List.of(root));
        for (int rank = 0; rank < mostSpecificFirst.size(); rank++) {
            add(mostSpecificFirst.get(rank), rank, nodes);
        }
        nodes.forEach(node -> node.indexPartialWords(syntax.singleWord()));
    }

    private void add(AddressPattern pattern, int rank, List<Node> nodes) {
        root.best = Math.min(root.best, rank);
        if (pattern.matchesAll()) {
            root.end(pattern, rank);
            return;
        }
        for (AddressPattern form : pattern.forms()) {
            Node node = root;
            for (String word : form.words()) {
                Node next = node.next(word, form);
                if (next.best == NONE) {
                    nodes.add(next);
                }
                node = next;
                node.best = Math.min(node.best, rank);
            }
            node.end(form, rank);
        }
    }

    /** Returns the rank of the most specific pattern that matches this address; {@link #NONE} if none does. */
    public int best(String address) {
        return search(address, new Ranks(1)).best();
    }

    /** Returns the ranks of all patterns that match this address, the most specific first. */
    public int[] all(String address) {
        return search(address, new Ranks(NONE)).sorted();
    }

    /**
     * Returns the rank of the pattern that is the most specific by one {@linkplain AddressWords division} of the
     * address and does not match by the other, where the same is true of the {@linkplain #best best} one the other way
     * round; {@link #NONE} if there is none. The sender of such an address could choose between both.
     */
    public int rival(String address) {
        if (!AddressWords.differ(address, delimiter)) {
            return NONE;
        }
        int[] divided = all(address, AddressWords.DIVIDED);
        int[] escaped = all(address, AddressWords.ESCAPED);
        boolean areRivals = divided.length > 0
                && escaped.length > 0
                && Arrays.binarySearch(escaped, divided[0]) < 0
                && Arrays.binarySearch(divided, escaped[0]) < 0;
        return areRivals ? Math.max(divided[0], escaped[0]) : NONE;
    }

    private int[] all(String address, AddressWords division) {
        Ranks found = new Ranks(NONE);
        root.anyEnds(found);
        search(address, division, found);
        return found.sorted();
    }

    /** Returns the greatest number of characters and nodes that the search for this address reads. */
    long steps(String address) {
        return search(address, new Ranks(1)).steps;
    }

    private Ranks search(String address, Ranks found) {
        root.anyEnds(found);
        search(address, AddressWords.DIVIDED, found);
        if (AddressWords.differ(address, delimiter)) {
            search(address, AddressWords.ESCAPED, found);
        }
        return found;
    }

    private void search(String address, AddressWords division, Ranks found) {
        List<Node> nodes = List.of(root);
        int at = 0;
        while (!nodes.isEmpty() && at <= address.length()) {
            int end = division.end(address, at, delimiter);
            String word = address.substring(at, end);
            found.steps += word.length() + nodes.size();
            List<Node> following = new ArrayList<>();
            for (Node node : nodes) {
                if (found.wants(node.best)) {
                    node.follow(word, following, found);
                }
            }
            for (Node node : following) {
                if (end == address.length()) {
                    found.add(node.end);
                }
                node.anyEnds(found);
            }
            nodes = following;
            at = end + 1;
        }
    }

    /** Collects ranks: the lowest one, or all. */
    private static final class Ranks {
        private final int most;
        private int[] ranks = new int[1];
        private int count;
        private long steps;

        Ranks(int most) {
            this.most = most;
        }

        boolean wants(int rank) {
            return count < most || rank < ranks[0];
        }

        void add(int rank) {
            if (rank == NONE || !wants(rank)) {
                return;
            }
            if (count == most) {
                count = 0; // the one that is wanted is better
            }
            if (count == ranks.length) {
                ranks = Arrays.copyOf(ranks, 2 * count);
            }
            ranks[count++] = rank;
        }

        int best() {
            return count == 0 ? NONE : ranks[0];
        }

        int[] sorted() {
            // both divisions of an address, or both forms of a pattern, may match
            return Arrays.stream(ranks, 0, count).sorted().distinct().toArray();
        }
    }

    /** The patterns that begin with the same words. */
    private static final class Node {
        /** The rank of the most specific pattern of this node and of all that follow it. */
        private int best = NONE;
        /** The pattern that ends here. */
        private int end = NONE;
        /**
         * The pattern of any words that ends here: {@code a.#}, and the other one with the same meaning: {@code a#}.
         */
        private int anyEnd = NONE;

        private int sameAnyEnd = NONE;
        /** The following word, if there is one only: most nodes need no map. */
        private @Nullable String onlyWord;

        private @Nullable Node onlyNext;
        private Map<String, Node> words = Map.of();
        private @Nullable Node singleWord;
        private Map<String, Node> partialWords = Map.of();
        private @Nullable PartialWords<Node> partial;

        /** Returns the node for the next word of a pattern, and makes it if need be. */
        Node next(String word, AddressPattern pattern) {
            if (pattern.isWildcard(word)) {
                singleWord = singleWord == null ? new Node() : singleWord;
                return singleWord;
            }
            if (pattern.isPartial(word)) {
                partialWords = partialWords.isEmpty() ? new HashMap<>() : partialWords;
                return partialWords.computeIfAbsent(word, key -> new Node());
            }
            if (words.isEmpty() && (onlyWord == null || onlyWord.equals(word))) {
                onlyWord = word;
                onlyNext = onlyNext == null ? new Node() : onlyNext;
                return onlyNext;
            }
            if (onlyWord != null && onlyNext != null) {
                words = new HashMap<>(Map.of(onlyWord, onlyNext));
                onlyWord = null;
                onlyNext = null;
            }
            return words.computeIfAbsent(word, key -> new Node());
        }

        private @Nullable Node named(String word) {
            return onlyWord == null ? words.get(word) : onlyWord.equals(word) ? onlyNext : null;
        }

        void end(AddressPattern pattern, int rank) {
            if (!pattern.anyWordsFollow()) {
                end = rank;
            } else if (anyEnd == NONE) {
                anyEnd = rank;
            } else {
                sameAnyEnd = rank;
            }
        }

        void indexPartialWords(char wildcard) {
            if (!partialWords.isEmpty()) {
                partial = new PartialWords<>(partialWords, wildcard);
                partialWords = Map.of();
            }
        }

        void anyEnds(Ranks found) {
            found.add(anyEnd);
            found.add(sameAnyEnd);
        }

        /** Adds the nodes that a word of an address leads to. */
        void follow(String word, List<Node> following, Ranks found) {
            Node named = named(word);
            if (named != null) {
                following.add(named);
            }
            if (singleWord != null) {
                following.add(singleWord);
            }
            if (partial != null) {
                found.steps += partial.matching(word, node -> found.wants(node.best), following);
            }
        }
    }

    /**
     * Finds the words with wildcards inside, such as {@code eu-*}, that match a word of an address. For words with one
     * wildcard it makes the only words that could match, and looks them up. It reads the word once for each word with
     * several wildcards, so a set has few of them. Immutable.
     */
    private static final class PartialWords<V> {
        private final char wildcard;
        private final Map<String, V> single = new HashMap<>();
        /** The different lengths before and behind the wildcard of words with one. */
        private final List<Lengths> lengths;

        private final List<Several<V>> several = new ArrayList<>();

        private record Lengths(int before, int behind) {}

        private record Several<V>(AddressPattern.PartialWord word, V value) {}

        PartialWords(Map<String, V> words, char wildcard) {
            this.wildcard = wildcard;
            Set<Lengths> different = new LinkedHashSet<>();
            words.forEach((text, value) -> {
                AddressPattern.PartialWord word = new AddressPattern.PartialWord(text, wildcard);
                if (word.wildcards() == 1) {
                    single.put(text, value);
                    different.add(
                            new Lengths(word.before().length(), word.behind().length()));
                } else {
                    several.add(new Several<>(word, value));
                }
            });
            this.lengths = List.copyOf(different);
        }

        /**
         * Adds the values of all words that match.
         *
         * @param isWanted whether the match of a word with this value counts
         * @return the greatest number of characters that it read
         */
        long matching(String word, Predicate<V> isWanted, List<V> found) {
            long read = 0;
            int length = word.length();
            for (Lengths each : lengths) {
                if (each.before + each.behind < length) {
                    read += each.before + each.behind;
                    V value = single.get(
                            word.substring(0, each.before) + wildcard + word.substring(length - each.behind, length));
                    if (value != null) {
                        found.add(value);
                    }
                }
            }
            for (Several<V> each : several) {
                if (isWanted.test(each.value)) {
                    read += length;
                    if (each.word.matches(word)) {
                        found.add(each.value);
                    }
                }
            }
            return read;
        }
    }
}
