/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.address;

import java.util.List;
import java.util.regex.Pattern;
import org.signetmq.policy.WildcardSyntax;

/** Addresses with wildcards as the broker has them: words between delimiters, wildcards for one word or any number. */
final class WildcardAddress {
    private WildcardAddress() {}

    static boolean isPattern(String address, WildcardSyntax syntax) {
        return words(address, syntax).stream()
                .anyMatch(word -> is(word, syntax.singleWord()) || is(word, syntax.anyWords()));
    }

    static boolean matches(String pattern, String address, WildcardSyntax syntax) {
        return matches(words(pattern, syntax), words(address, syntax), syntax);
    }

    private static boolean matches(List<String> pattern, List<String> address, WildcardSyntax syntax) {
        if (pattern.isEmpty()) {
            return address.isEmpty();
        }
        List<String> further = pattern.subList(1, pattern.size());
        if (is(pattern.get(0), syntax.anyWords())) {
            for (int skipped = 0; skipped <= address.size(); skipped++) {
                if (matches(further, address.subList(skipped, address.size()), syntax)) {
                    return true;
                }
            }
            return false;
        }
        return !address.isEmpty()
                && (is(pattern.get(0), syntax.singleWord()) || pattern.get(0).equals(address.get(0)))
                && matches(further, address.subList(1, address.size()), syntax);
    }

    private static boolean is(String word, char wildcard) {
        return word.length() == 1 && word.charAt(0) == wildcard;
    }

    private static List<String> words(String address, WildcardSyntax syntax) {
        return List.of(address.split(Pattern.quote(String.valueOf(syntax.delimiter())), -1));
    }
}
