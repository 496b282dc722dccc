/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import org.signetmq.policy.internal.match.PatternVariables.Variables;

/**
 * A policy as its set applies it to an address, with the version of the set. The recovery recipients of the set stand
 * among the recipients of a policy that encrypts. Variables in names have the values of the address; a name for which
 * the address has no usable value begins with {@code /}, and no certificate has it. A set returns the same instance for
 * every address of a policy without variables.
 *
 * @param policy the policy, with all recipients
 * @param version the version of its set
 * @param values the values of the variables of its pattern, by the variable with its braces; empty where the address
 *     gives no usable one
 * @param rival the pattern of another policy, to which the address belongs if a delimiter behind a backslash ends no
 *     word, or if it does; empty for none
 */
public record EffectivePolicy(Policy policy, long version, Map<String, String> values, Optional<String> rival) {
    public EffectivePolicy {
        values = Map.copyOf(values);
    }

    /** Creates the policy of an address that belongs to one pattern. */
    public EffectivePolicy(Policy policy, long version, Map<String, String> values) {
        this(policy, version, values, Optional.empty());
    }

    /** Creates the policy of a pattern without variables. */
    public EffectivePolicy(Policy policy, long version) {
        this(policy, version, Map.of());
    }

    /** Tells whether a name of the policy lacks the value of a variable, because the address gives no usable one. */
    public static boolean isIncomplete(String name) {
        return name.startsWith(String.valueOf(Variables.INCOMPLETE));
    }

    /** Returns this policy with the other one to which the address belongs, too. */
    EffectivePolicy besides(EffectivePolicy other) {
        return new EffectivePolicy(
                policy, version, values, Optional.of(other.policy().pattern()));
    }

    /**
     * Returns the reason why no message to the address can be protected: the address gives no usable value of a
     * variable, so the policy does not know for which names it is, or it belongs to two policies. Else empty.
     */
    public Optional<String> problem() {
        if (rival.isPresent()) {
            return Optional.of(
                    "the address belongs to policy '" + policy.pattern() + "' and, because of its backslash, to '"
                            + rival.get() + "'; send to another address, or make a policy for this one alone");
        }
        if (!values.containsValue("")) { // asked for each message
            return Optional.empty();
        }
        return values.entrySet().stream()
                .filter(value -> value.getValue().isEmpty())
                .map(Map.Entry::getKey)
                .min(Comparator.naturalOrder())
                .map(variable -> "policy '" + policy.pattern() + "': the address gives no value for " + variable
                        + "; a word of the address in place of a variable must have 1 to 64 letters, digits, '.', '_'"
                        + " and '-'");
    }

    /** Returns the reference to the policy in a message: {@code pattern@version}. */
    public String reference() {
        return policy.pattern() + '@' + version;
    }
}
