/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

/** Addresses with wildcards as Artemis has them: words between dots, {@code *} one word, {@code #} any number. */
final class WildcardAddress {
    private WildcardAddress() {}

    static boolean isPattern(String address) {
        for (String word : words(address)) {
            if (word.equals("*") || word.equals("#")) {
                return true;
            }
        }
        return false;
    }

    static boolean matches(String pattern, String address) {
        return matches(words(pattern), 0, words(address), 0);
    }

    private static boolean matches(String[] pattern, int at, String[] address, int from) {
        if (at == pattern.length) {
            return from == address.length;
        }
        if (pattern[at].equals("#")) {
            for (int rest = from; rest <= address.length; rest++) {
                if (matches(pattern, at + 1, address, rest)) {
                    return true;
                }
            }
            return false;
        }
        return from < address.length
                && (pattern[at].equals("*") || pattern[at].equals(address[from]))
                && matches(pattern, at + 1, address, from + 1);
    }

    private static String[] words(String address) {
        return address.split("\\.", -1);
    }
}
