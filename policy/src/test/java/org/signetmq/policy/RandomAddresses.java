/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Addresses and patterns of few letters, so that they often match; the seed is in every failure. */
public final class RandomAddresses {
    private static final String ORDINARY = "$.";

    private final Random random;
    private final WildcardSyntax syntax;

    public RandomAddresses(long seed) {
        this(seed, WildcardSyntax.DEFAULT);
    }

    public RandomAddresses(long seed, WildcardSyntax syntax) {
        this.random = new Random(seed);
        this.syntax = syntax;
    }

    public int number(int below) {
        return random.nextInt(below);
    }

    /** One to five words, some of them empty. */
    public String address() {
        return words("aab" + ORDINARY.substring(0, ordinary()));
    }

    /** As {@link #address}, but with wildcards where Artemis allows them. */
    public String pattern() {
        String words = words("aab" + String.valueOf(syntax.singleWord()).repeat(3) + ORDINARY.substring(0, ordinary()));
        return switch (random.nextInt(4)) {
            case 0 -> words + syntax.delimiter() + syntax.anyWords();
            case 1 -> words + syntax.anyWords();
            case 2 -> random.nextInt(10) == 0 ? String.valueOf(syntax.anyWords()) : words;
            default -> words;
        };
    }

    /** The dot is a letter where it divides no words. */
    private int ordinary() {
        return syntax.delimiter() == '.' ? 1 : 2;
    }

    private String words(String letters) {
        return IntStream.rangeClosed(0, random.nextInt(4))
                .mapToObj(i -> word(letters))
                .collect(Collectors.joining(String.valueOf(syntax.delimiter())));
    }

    private String word(String letters) {
        int length = random.nextInt(20) == 0 ? 0 : 1 + random.nextInt(2);
        return IntStream.range(0, length)
                .mapToObj(
                        i -> letters.substring(random.nextInt(letters.length())).substring(0, 1))
                .collect(Collectors.joining());
    }
}
