/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.home;

import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrintableText;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.enrolment.PartyFolder;
import org.signetmq.keystore.home.HomeReader;
import org.signetmq.keystore.home.IdentityStore;
import org.signetmq.keystore.home.PartyCheck;
import org.signetmq.keystore.home.PolicyCertificates;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicyProblem;
import org.signetmq.policy.PolicySet;

/**
 * Judges the certificates that a change of policies adds, replaces or removes, by the rules for files of the home.
 * Judges the others no more: one that has ended must not keep its successor out. Not thread-safe.
 */
final class CertificateJudge {
    private static final int MOST_WARNINGS = 20;

    private final HomeReader before;
    private final HomeNames names;
    private final HomeReader after;
    private final PolicyCertificates brought;
    private final Set<String> fresh;
    private final Set<String> touched;
    private final PartyCheck check;
    private final List<PolicyProblem> problems = new ArrayList<>();

    /**
     * Compares the certificates in force with others.
     *
     * @param before the names in force
     * @param after the names with the certificates after the change
     */
    CertificateJudge(HomeNames before, HomeNames after) {
        this.before = before.files();
        this.names = after;
        this.after = after.files();
        this.brought = this.after.policyCertificates();
        PolicyCertificates former = this.before.policyCertificates();
        this.fresh = brought.changedFrom(former);
        this.touched = new HashSet<>(fresh);
        touched.addAll(former.changedFrom(brought));
        this.check = after.check();
    }

    /** Returns the problems of the changed certificates, and of earlier policies that would no longer work. */
    List<PolicyProblem> problems(PolicySet earlier, PolicySet now) {
        if (!fresh.isEmpty()) {
            judgeFresh();
        }
        if (!touched.isEmpty()) {
            judgeUses(earlier, now);
        }
        return List.copyOf(problems);
    }

    private void judgeFresh() {
        Map<String, X509Certificate> home = after.all().stream()
                .filter(entry -> !after.isOfPolicies(entry.name()))
                .collect(Collectors.toMap(Recipient::name, Recipient::certificate));
        Map<String, List<X509Certificate>> trust = after.trusted().stream()
                .collect(Collectors.groupingBy(
                        Recipient::name, Collectors.mapping(Recipient::certificate, Collectors.toList())));
        Set<String> identities = new TreeSet<>(names.home().identityStore().names());
        Map<String, String> unreadable = brought.problems();
        Instant now = Instant.now();
        for (String name : fresh) {
            try {
                IdentityStore.requireName(name);
                String problem = unreadable.get(name);
                if (problem == null) {
                    List<X509Certificate> certificates = brought.certificates(name);
                    PartyFolder.requireParty(certificates, now);
                    problem = problemWithName(name, certificates.get(0), home, trust, identities);
                    var unused = after.find(new Recipient(name, certificates.get(0)).keyIdentifier());
                }
                if (problem != null) {
                    add(name, problem);
                }
            } catch (CertificateRejectedException | KeystoreUnusableException e) {
                add(name, String.valueOf(e.getMessage()));
            }
        }
    }

    private @Nullable String problemWithName(
            String name,
            X509Certificate certificate,
            Map<String, X509Certificate> home,
            Map<String, List<X509Certificate>> trust,
            Set<String> identities) {
        String taken = "the name is that of another key in the home of the broker, ";
        X509Certificate file = home.get(name);
        if (file != null) {
            return HomeNames.isSameKey(file, certificate) ? null : taken + "recipients/; choose another name";
        }
        if (!after.isOfPolicies(name)) {
            return "the home of the broker has a file of this name in recipients/ that cannot be read";
        }
        if (identities.contains(name)) {
            return "the name is that of an identity of the broker; choose another name";
        }
        return trust.getOrDefault(name, List.of(certificate)).stream()
                        .anyMatch(trusted -> HomeNames.isSameKey(trusted, certificate))
                ? null
                : taken + "trust/; choose another name";
    }

    private void add(String name, String problem) {
        problems.add(PolicySource.problem(name, problem));
    }

    /** Judges the changed parties in the roles that the rules and the policies before the change give them. */
    private void judgeUses(PolicySet earlier, PolicySet now) {
        Uses recipients = new Uses(check::problemWithRecipient);
        Uses signers = new Uses(check::problemWithSigner);
        recipients.judge("'recovery'", now.recovery());
        now.settings().users().forEach((user, list) -> signers.judge("the user '" + user + "'", list));
        for (Policy policy : now.policies()) {
            if (earlier.contains(policy)) { // the others are judged as new ones
                String what = "the policy '" + policy.pattern() + "'";
                recipients.judge(what, policy.encryption().recipients());
                signers.judge(what, policy.signing().signers());
                signers.judge(what, policy.signing().brokers());
            }
        }
    }

    /** The names of one role, each judged once. */
    private final class Uses {
        private final Map<String, Optional<String>> known = new HashMap<>();
        private final Function<String, Optional<String>> problem;

        Uses(Function<String, Optional<String>> problem) {
            this.problem = problem;
        }

        void judge(String what, List<String> selectors) {
            for (String selector : selectors) {
                if (!Policy.isByAddress(selector)) {
                    known.computeIfAbsent(selector, this::problemOfTouched)
                            .ifPresent(found -> add(selector, what + " needs it: " + found));
                }
            }
        }

        private Optional<String> problemOfTouched(String selector) {
            try {
                return isTouched(before, selector) || isTouchedNow(selector)
                        ? problem.apply(selector)
                        : Optional.empty();
            } catch (KeystoreUnusableException unclearBefore) {
                return Optional.empty();
            }
        }
    }

    /** Throws KeystoreUnusableException if several keys have the distinguished name. */
    private boolean isTouched(HomeReader directory, String selector) {
        return directory
                .find(selector)
                .filter(found -> touched.contains(found.name()))
                .isPresent();
    }

    private boolean isTouchedNow(String selector) {
        try {
            return isTouched(after, selector);
        } catch (KeystoreUnusableException severalKeys) {
            return true;
        }
    }

    /** Tells of changed certificates that the home does not trust, and of names that two keys have, at most twenty. */
    List<String> warnings() {
        List<String> lines = new ArrayList<>();
        BiConsumer<String, String> line =
                (name, problem) -> lines.add("certificate '" + name + "': " + PrintableText.of(problem));
        for (String name : fresh) {
            check.problemWithRecipient(name)
                    .filter(problem -> check.problemWithSigner(name).isPresent())
                    .ifPresent(problem -> line.accept(name, "messages for it are rejected: " + problem));
            if (lines.size() == MOST_WARNINGS) {
                lines.add("more certificates may have warnings; signet certificate list --broker shows all");
                break;
            }
        }
        return lines;
    }
}
