/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.certificate;

import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.signetmq.cli.command.policy.access.PolicyStore;
import org.signetmq.cli.console.CliException;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.home.Home;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;

/** Finds the policies of a home that name a certificate, for recovery too. */
public record PolicyReferences(PolicySet policies, RecipientDirectory directory) {
    private static final int MOST = 20;
    private static final String RECOVERY = "(recovery)";

    /** Returns those of a home. */
    public static PolicyReferences of(Home home) throws IOException {
        return new PolicyReferences(new PolicyStore(home).read(), home.recipientDirectory());
    }

    /**
     * Returns the patterns of policies that name a party by its name, its distinguished name or its key. The recovery
     * recipients are last, in brackets.
     */
    public List<String> ofParty(String name) {
        return matching(selector -> selector.equals(name) || standsFor(selector, name));
    }

    /** Returns the patterns of policies that name signers by a certificate in {@code trust/}. */
    public List<String> ofIssuer(String name) {
        Pattern issued = Pattern.compile(".*;\\s*issuer\\s*=\\s*" + Pattern.quote(name) + "\\s*", Pattern.DOTALL);
        return matching(selector -> issued.matcher(selector).matches());
    }

    private List<String> matching(Predicate<String> isMeant) {
        Stream<String> patterns = policies.policies().stream()
                .filter(policy -> selectors(policy).anyMatch(isMeant))
                .map(Policy::pattern);
        Stream<String> recovery = policies.recovery().stream().anyMatch(isMeant) ? Stream.of(RECOVERY) : Stream.empty();
        return Stream.concat(patterns, recovery).toList();
    }

    private static Stream<String> selectors(Policy policy) {
        return Stream.of(
                        policy.encryption().recipients(),
                        policy.signing().signers(),
                        policy.signing().brokers())
                .flatMap(List::stream);
    }

    private boolean standsFor(String selector, String name) {
        if (Policy.isByAddress(selector)) {
            return Policy.namesByAddress(selector).test(name);
        }
        try {
            return directory
                    .find(selector)
                    .filter(found -> found.name().equals(name))
                    .isPresent();
        } catch (KeystoreUnusableException e) {
            return false; // several keys have the distinguished name, so it stands for none of them
        }
    }

    /** Refuses the removal of something that policies name. */
    public static CliException refusal(String what, List<String> patterns) {
        String shown = String.join(", ", patterns.subList(0, Math.min(MOST, patterns.size())));
        int more = patterns.size() - MOST;
        return CliException.failure(what + ": policies need it: " + shown + (more > 0 ? " and " + more + " more" : ""))
                .hint("change these policies first; --force removes it all the same, and messages are rejected then");
    }
}
