/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.file;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.NearestWord;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.Policy;
import org.signetmq.policy.Policy.Encryption;
import org.signetmq.policy.Policy.Signing;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.internal.text.DocumentLimits;
import org.signetmq.policy.internal.text.PolicyKeys;
import org.signetmq.policy.internal.text.Quoted;

/**
 * A change of one name in one policy: adds or removes a recipient or a signer. Names are compared as text, so two
 * spellings of a distinguished name are two names. Immutable.
 */
public final class PolicyEdit {
    private final Party party;
    private final Change change;
    private final String pattern;
    private final String name;

    private enum Change {
        ADD,
        REMOVE
    }

    private enum Party {
        RECIPIENT("recipient", PolicyKeys.RECIPIENTS),
        SIGNER("signer", PolicyKeys.SIGNERS);

        private final String label;
        private final String key;

        Party(String label, String key) {
            this.label = label;
            this.key = key;
        }
    }

    private PolicyEdit(Party party, Change change, String pattern, String name) {
        this.party = party;
        this.change = change;
        this.pattern = pattern;
        this.name = name;
    }

    /** Returns the edit that adds this recipient to the policy with exactly this pattern. */
    public static PolicyEdit addRecipient(String pattern, String name) {
        return new PolicyEdit(Party.RECIPIENT, Change.ADD, pattern, name);
    }

    /** Returns the edit that removes this recipient from the policy with exactly this pattern. */
    public static PolicyEdit removeRecipient(String pattern, String name) {
        return new PolicyEdit(Party.RECIPIENT, Change.REMOVE, pattern, name);
    }

    /** Returns the edit that adds this signer to the policy with exactly this pattern. */
    public static PolicyEdit addSigner(String pattern, String name) {
        return new PolicyEdit(Party.SIGNER, Change.ADD, pattern, name);
    }

    /** Returns the edit that removes this signer from the policy with exactly this pattern. */
    public static PolicyEdit removeSigner(String pattern, String name) {
        return new PolicyEdit(Party.SIGNER, Change.REMOVE, pattern, name);
    }

    /**
     * Returns the next version of these policies, with the change.
     *
     * @param known checks a name that is added
     * @throws InvalidPolicyException if no policy has this pattern or its quality does not use the list, if a name to
     *     add is there or cannot be used, or if a name to remove is missing or the last one
     */
    public PolicySet applyTo(PolicySet policies, PartyValidator known) {
        Policy policy = policies.named(pattern)
                .orElseThrow(() -> InvalidPolicyException.of(
                        PolicyKeys.PATTERN, "no policy for exactly " + Quoted.text(pattern) + "; set one first"));
        problemWithQuality(policy.quality()).ifPresent(this::reject);
        List<String> names = new ArrayList<>(
                party == Party.RECIPIENT
                        ? policy.encryption().recipients()
                        : policy.signing().signers());
        if (change == Change.ADD) {
            add(names, known);
        } else {
            remove(names, policy.quality());
        }
        return policies.with(changed(policy, names));
    }

    private Optional<String> problemWithQuality(QualityOfProtection quality) {
        if (party == Party.RECIPIENT && !quality.encrypts()) {
            return Optional.of(
                    quality.label() + " does not encrypt: every client can read; set privacy or confidentiality first");
        }
        return party == Party.SIGNER && !quality.signs()
                ? Optional.of(quality.label() + " does not sign: no signer is checked; set integrity or privacy first")
                : Optional.empty();
    }

    private void add(List<String> names, PartyValidator known) {
        if (name.isBlank()) {
            reject("not a name, found " + Quoted.text(name)
                    + "; write a name, a distinguished name or a key identifier");
        }
        if (names.contains(name)) {
            reject(Quoted.text(name) + " is a " + party.label + " of " + Quoted.text(pattern) + " already");
        }
        DocumentLimits.problemWithLength(name)
                .or(() -> Policy.isByAddress(name)
                        ? Optional.empty()
                        : (party == Party.RECIPIENT ? known.recipientProblem() : known.signerProblem()).apply(name))
                .ifPresent(this::reject);
        names.add(name);
    }

    private void remove(List<String> names, QualityOfProtection quality) {
        if (!names.remove(name)) {
            reject(Quoted.text(name) + " is no " + party.label + " of " + Quoted.text(pattern)
                    + NearestWord.of(name, names)
                            .map(nearest -> "; did you mean " + Quoted.text(nearest) + "?")
                            .orElse(""));
        }
        if (names.isEmpty()) {
            reject(Quoted.text(name) + " is the last " + party.label + " of " + Quoted.text(pattern)
                    + (party == Party.RECIPIENT
                            ? ", and " + quality.label() + " encrypts; add another recipient first"
                            : ", and every trusted signer could sign without it; add another signer first, "
                                    + "or set the policy without signers"));
        }
    }

    private Policy changed(Policy policy, List<String> names) {
        Encryption encryption = policy.encryption();
        Signing signing = policy.signing();
        return party == Party.RECIPIENT
                ? policy.with(new Encryption(encryption.algorithm(), names, encryption.limits()))
                : policy.with(new Signing(signing.algorithm(), names, signing.certificate(), signing.brokers()));
    }

    private void reject(String message) {
        throw InvalidPolicyException.of(party.key, message);
    }

    @Override
    public String toString() {
        return (change == Change.ADD ? "add " : "remove ") + party.label + " " + Quoted.text(name) + " of "
                + Quoted.text(pattern);
    }
}
