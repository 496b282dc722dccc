/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.internal.text;

import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.signetmq.policy.text.Quoted;

/** The limits of policies and of their document. A set at the limits takes several hundred MiB. */
public final class DocumentLimits {
    /** The longest document, in bytes of a file or characters of a text. */
    public static final int LONGEST = 48 << 20;

    public static final int MOST_POLICIES = 200_000;

    /** The most recipients, signers or brokers of one policy. */
    public static final int MOST_NAMES = 10_000;

    /** The most recovery recipients. Each message that is encrypted grows by every one of them. */
    public static final int MOST_RECOVERY = 8;

    /** The most certificates of a set, and the most users with signers. */
    public static final int MOST_ENTRIES = 10_000;

    /** The longest certificate of a set, in characters of base64. */
    public static final int LONGEST_CERTIFICATE = 16_384;

    /** The most hidden properties of one policy. */
    public static final int MOST_HIDDEN = 64;

    /** The longest pattern and the longest name, in characters. A distinguished name cannot be longer. */
    public static final int LONGEST_TEXT = 2048;

    /** The most words of all wildcard patterns together, because each word may need memory of its own in the search. */
    public static final int MOST_WORDS = 2_000_000;

    /**
     * The most words with several wildcards inside, such as {@code *a*b}, of all patterns together. The search for an
     * address, which a sender chooses, reads the address once for each of them.
     */
    public static final int MOST_SEARCHED = 1000;

    /** The most problems that are reported. A reader stops there. */
    public static final int MOST_PROBLEMS = 100;

    private DocumentLimits() {}

    /** Returns the reason why this number of policies is too large; empty if it is not. */
    public static Optional<String> problemWithCount(int policies) {
        return problem(
                policies > MOST_POLICIES,
                () -> "more than " + MOST_POLICIES + " policies; take wildcards to name fewer");
    }

    /** Returns the reason why wildcard patterns cannot have this many words together; empty if they can. */
    public static Optional<String> problemWithWords(long words) {
        return problem(
                words > MOST_WORDS,
                () -> "patterns with wildcards of more than " + MOST_WORDS + " words together, found " + words
                        + "; write shorter or fewer patterns");
    }

    /** Returns the reason why patterns cannot have this many words with several wildcards inside; empty if they can. */
    public static Optional<String> problemWithSearchedWords(long words) {
        return problem(
                words > MOST_SEARCHED,
                () -> "patterns of more than " + MOST_SEARCHED
                        + " words together with several wildcards inside, found " + words
                        + "; write words with one wildcard, or fewer patterns");
    }

    /** Returns the reason why a list of this many names is too long; empty if it is not. */
    public static Optional<String> problemWithNames(int names) {
        return problem(names > MOST_NAMES, () -> "more than " + MOST_NAMES + " names, found " + names + "; name fewer");
    }

    /** Returns the reason why there are too many certificates or users; empty if there are not. */
    public static Optional<String> problemWithEntries(int entries) {
        return problem(
                entries > MOST_ENTRIES,
                () -> "more than " + MOST_ENTRIES + " entries, found " + entries + "; name fewer");
    }

    /** Returns the reason why there are too many recovery recipients; empty if there are not. */
    public static Optional<String> problemWithRecovery(int names) {
        return problem(
                names > MOST_RECOVERY,
                () -> "more than " + MOST_RECOVERY + " recovery recipients, found " + names + "; name fewer");
    }

    /** Returns the reason why a pattern or name is too long; empty if it is not. */
    public static Optional<String> problemWithLength(String text) {
        return problem(
                text.length() > LONGEST_TEXT,
                () -> "longer than " + LONGEST_TEXT + " characters, found " + Quoted.text(text)
                        + "; write a shorter one");
    }

    /**
     * Returns the reason why the policy at this index cannot have this pattern; empty for the first one of it.
     *
     * @param firsts the index of the first policy of each pattern before this one; this one is added
     */
    public static Optional<String> problemWithSecond(String pattern, int index, Map<String, Integer> firsts) {
        return Optional.ofNullable(firsts.putIfAbsent(pattern, index))
                .map(first -> "a second policy for " + Quoted.text(pattern) + ", the first is " + PolicyKeys.POLICIES
                        + "[" + first + "]; keep one of them");
    }

    private static Optional<String> problem(boolean isThere, Supplier<String> text) {
        return isThere ? Optional.of(text.get()) : Optional.empty();
    }
}
