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

    /**
     * An address that the pattern may match, with the words that senders may choose: empty ones, escapes, wildcards,
     * line breaks, halves of characters, and now and then 20,000 characters.
     */
    public String hostile(String pattern) {
        String any = String.valueOf(syntax.anyWords());
        String delimiter = String.valueOf(syntax.delimiter());
        String words = pattern.endsWith(any) ? pattern.substring(0, pattern.length() - 1) : pattern;
        StringBuilder address = new StringBuilder();
        for (int i = 0; i < words.length(); i++) {
            char c = words.charAt(i);
            int choice = random.nextInt(40);
            if (c == syntax.singleWord() || choice == 0) {
                address.append(hostileWord());
            } else if (choice > 1) {
                address.append(c);
            }
        }
        for (int i = pattern.endsWith(any) ? random.nextInt(4) : 0; i > 0; i--) {
            address.append(random.nextInt(4) == 0 ? "" : delimiter).append(hostileWord());
        }
        return switch (random.nextInt(60)) {
            case 0 -> address + delimiter;
            case 1 -> delimiter + address;
            case 2 -> address + (hostileWord() + delimiter).repeat(20_000).substring(0, 20_000);
            default -> address.toString();
        };
    }

    private String hostileWord() {
        String delimiter = String.valueOf(syntax.delimiter());
        return switch (random.nextInt(24)) {
            case 0, 1, 2 -> "";
            case 3, 4 -> "v1\\" + delimiter + "2";
            case 5 -> "\\" + delimiter;
            case 6 -> "a\\";
            case 7 -> "\\\\" + delimiter + "\\";
            case 8 -> delimiter;
            case 9 -> "\\" + syntax.singleWord();
            case 10 -> String.valueOf(syntax.singleWord());
            case 11 -> String.valueOf(syntax.anyWords());
            case 12 -> "a\nb";
            case 13 -> "\ud83d\ude00";
            case 14 -> "\ude00";
            case 15 -> "\u00e4\u0000";
            default -> word("ab");
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
