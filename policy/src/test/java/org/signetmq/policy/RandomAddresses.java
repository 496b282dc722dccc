/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Addresses and patterns of few letters, so that they often match; the seed is in every failure. */
final class RandomAddresses {
    private final Random random;

    RandomAddresses(long seed) {
        this.random = new Random(seed);
    }

    int number(int below) {
        return random.nextInt(below);
    }

    /** One to five words, some of them empty. */
    String address() {
        return words("aab$");
    }

    /** As {@link #address}, but with wildcards where Artemis allows them. */
    String pattern() {
        String words = words("aab***$");
        return switch (random.nextInt(4)) {
            case 0 -> words + ".#";
            case 1 -> words + "#";
            case 2 -> random.nextInt(10) == 0 ? "#" : words;
            default -> words;
        };
    }

    private String words(String letters) {
        return IntStream.rangeClosed(0, random.nextInt(4))
                .mapToObj(i -> word(letters))
                .collect(Collectors.joining("."));
    }

    private String word(String letters) {
        int length = random.nextInt(20) == 0 ? 0 : 1 + random.nextInt(2);
        return IntStream.range(0, length)
                .mapToObj(
                        i -> letters.substring(random.nextInt(letters.length())).substring(0, 1))
                .collect(Collectors.joining());
    }
}
