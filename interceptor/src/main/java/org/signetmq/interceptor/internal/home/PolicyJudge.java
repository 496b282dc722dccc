/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.home;

import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrintableText;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.home.PartyCheck;
import org.signetmq.keystore.trust.Certificates;
import org.signetmq.keystore.trust.RevocationReport;
import org.signetmq.keystore.trust.SignerMatch;
import org.signetmq.keystore.trust.TrustedCertificate;
import org.signetmq.policy.Policy;
import org.signetmq.policy.Policy.RequiredKeys;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.SealingPlace;

/**
 * Checks whether the plugin can apply each policy in force. It checks again when policies, the broker's identity or the
 * files of the home change, and regularly, because certificates expire. Not thread-safe.
 */
public final class PolicyJudge {
    /** The pause after a check, as a multiple of the time that the check took. */
    private static final long PAUSE_FACTOR = 20;

    private final HomeNames names;
    private final Identities identities;
    private final SignerMatch match;
    private final PartyCheck check;
    private @Nullable Judged last;

    /** The findings, their inputs and the time of the next check. */
    private record Judged(
            PolicySet policies, Identity broker, long files, List<PolicyFinding> findings, long nextNanos) {}

    PolicyJudge(HomeNames names, Identities identities) {
        this.names = names;
        this.identities = identities;
        this.match = new SignerMatch(names.files(), names.files());
        this.check = names.check();
    }

    /** Returns the problems of policies in force in the order of the policies; empty if there are none. */
    List<PolicyFinding> findings(PolicySet policies) {
        Identity broker = identities.ofBroker();
        long files = names.files().version();
        Judged before = last;
        long begun = System.nanoTime();
        if (before != null
                && before.policies().equals(policies)
                && before.broker().equals(broker)
                && before.files() == files
                && begun - before.nextNanos() < 0) {
            return before.findings();
        }
        List<PolicyFinding> findings = findings(policies.policies(), policies.recovery());
        long end = System.nanoTime();
        last = new Judged(policies, broker, files, findings, end + PAUSE_FACTOR * (end - begun));
        return findings;
    }

    /** Returns the problems of these policies with these recovery recipients. */
    List<PolicyFinding> findings(List<Policy> policies, List<String> recovery) {
        return new Judgement().of(policies, recovery);
    }

    /** One check of policies by the current files. */
    private final class Judgement {
        private final Instant now = Instant.now();
        private final Map<String, Optional<String>> recipients = new HashMap<>();
        private final Map<String, Optional<String>> signers = new HashMap<>();
        private final List<PolicyFinding> findings = new ArrayList<>();

        /** The certificates of this home's identities that may sign, the broker's first; null until one is needed. */
        private @Nullable List<TrustedCertificate> own;

        List<PolicyFinding> of(List<Policy> policies, List<String> recovery) {
            Identity broker = identities.ofBroker();
            Optional<String> problem = problemWith(broker);
            for (Policy policy : policies) {
                QualityOfProtection quality = policy.quality();
                if (quality.encrypts()) {
                    judgeRecipients(policy, recovery);
                }
                if (quality == QualityOfProtection.AUTHENTICITY) {
                    judgeCurves(policy, recovery, broker);
                }
                if (quality.provesSender()) {
                    judgeSigner(policy, broker.name(), problem);
                    judgeNamed(policy, "signer", policy.signing().signers());
                    judgeNamed(policy, "broker", policy.signing().brokers());
                }
            }
            return withRemedies();
        }

        /** Returns the findings, those of unknown revocation with the remedy for it. */
        private List<PolicyFinding> withRemedies() {
            try {
                RevocationReport report = names.files().revocations();
                return findings.stream()
                        .map(found -> new PolicyFinding(
                                found.pattern(),
                                found.weight(),
                                found.problem(),
                                report.remedy(found.problem(), found.remedy())))
                        .toList();
            } catch (KeystoreUnusableException settings) {
                return List.copyOf(findings); // the problem is that of the settings
            }
        }

        private void judgeRecipients(Policy policy, List<String> recovery) {
            List<String> own = policy.encryption().recipients();
            own.stream()
                    .filter(selector -> !Policy.isByAddress(selector)) // judged with each message
                    .forEach(selector -> judgeRecipient(policy, selector, new Role("recipient", "set")));
            recovery.stream()
                    .filter(selector -> !own.contains(selector))
                    .forEach(selector -> judgeRecipient(policy, selector, new Role("recovery recipient", "recovery")));
        }

        /** Judges whether the broker's key, and those of the signers, can agree with the keys of all recipients. */
        private void judgeCurves(Policy policy, List<String> recovery, Identity broker) {
            List<Recipient> parties = new ArrayList<>();
            if (policy.acceptance().where() != SealingPlace.CLIENT) {
                parties.add(new Recipient(broker.name(), broker.certificate()));
            }
            Stream.of(
                            policy.encryption().recipients(),
                            recovery,
                            policy.signing().signers())
                    .flatMap(List::stream)
                    .filter(selector -> !Policy.isByAddress(selector))
                    .forEach(selector -> names.named(selector).ifPresent(parties::add));
            Certificates.problemWithAgreement(parties)
                    .ifPresent(problem -> add(
                            policy,
                            "messages are rejected: " + problem,
                            "name parties with keys on one curve, or choose quality privacy with signet policy set"));
        }

        /** What a recipient is to a policy, and the command of {@code signet policy} that names others. */
        private record Role(String label, String command) {}

        private void judgeRecipient(Policy policy, String selector, Role role) {
            recipients
                    .computeIfAbsent(
                            required(policy, selector), any -> problemWith(policy, selector, CertificateUse.RECEIVING))
                    .ifPresent(problem -> add(
                            policy,
                            "messages are rejected: " + role.label() + ": " + problem,
                            "put a certificate that is valid into "
                                    + names.home().recipients() + ", or name other recipients with signet policy "
                                    + role.command()));
        }

        private void judgeSigner(Policy policy, String broker, Optional<String> problem) {
            if (policy.acceptance().where() == SealingPlace.CLIENT) {
                return;
            }
            if (problem.isEmpty()
                    && policy.enforcement().require() == RequiredKeys.BOTH
                    && identities.ofBroker().companion() == null) {
                add(
                        policy,
                        "messages are rejected: the broker's own identity '" + broker + "' has no companion '"
                                + RequiredKeys.companionOf(broker) + "' in "
                                + names.home().identities(),
                        "signet identity create " + RequiredKeys.companionOf(broker)
                                + " --dn DN --key-algorithm ml-dsa-65");
                return;
            }
            if (problem.isPresent()) {
                add(
                        policy,
                        "messages are rejected: the broker's own identity '" + broker + "' cannot sign: "
                                + problem.get(),
                        "give the broker an identity whose certificate is valid and trusted");
            } else if (!policy.signing().signers().isEmpty()
                    && policy.signing().signers().stream().noneMatch(Policy::isByAddress)
                    && !isAmong(policy, own().get(0))) {
                boolean isUsers = own().stream().anyMatch(signer -> isAmong(policy, signer));
                add(
                        policy,
                        isUsers ? PolicyFinding.Weight.WARNING : PolicyFinding.Weight.FAILURE,
                        "messages in clear are rejected"
                                + (isUsers
                                        ? ", except those of users with an identity of their own: the broker's identity '"
                                                + broker + "' is none of its signers"
                                        : ": neither the broker's identity '" + broker + "' nor another one in "
                                                + names.home().identities() + " is one of its signers"),
                        "add '" + broker + "' with signet policy add-signer, or set --where client if producers seal");
            }
        }

        private void judgeNamed(Policy policy, String role, List<String> selectors) {
            for (String selector : selectors) {
                if (Policy.isByAddress(selector)) {
                    continue;
                }
                signers.computeIfAbsent(
                                required(policy, selector),
                                any -> problemWith(policy, selector, CertificateUse.SIGNING))
                        .ifPresent(problem -> add(
                                policy,
                                "a " + role + " that matches no signature: " + problem,
                                "put a certificate that is valid into "
                                        + names.home().recipients() + ", or leave this " + role
                                        + " out with signet policy set"));
            }
        }

        /** Returns the names that a party stands for. */
        private static String required(Policy policy, String selector) {
            return policy.enforcement().require() == RequiredKeys.BOTH
                    ? selector + " and " + RequiredKeys.companionOf(selector)
                    : selector;
        }

        private Optional<String> problemWith(Policy policy, String selector, CertificateUse use) {
            if (policy.enforcement().require() == RequiredKeys.BOTH) {
                return check.problemWithBoth(selector, use);
            }
            return use == CertificateUse.SIGNING
                    ? check.problemWithSigner(selector)
                    : check.problemWithRecipient(selector);
        }

        private void add(Policy policy, String problem, String remedy) {
            add(policy, PolicyFinding.Weight.FAILURE, problem, remedy);
        }

        private void add(Policy policy, PolicyFinding.Weight weight, String problem, String remedy) {
            findings.add(new PolicyFinding(
                    PrintableText.of(policy.pattern()), weight, PrintableText.of(problem), PrintableText.of(remedy)));
        }

        private boolean isAmong(Policy policy, TrustedCertificate signer) {
            return policy.signing().signers().stream().anyMatch(selector -> match.matches(signer, selector));
        }

        private List<TrustedCertificate> own() {
            List<TrustedCertificate> known = own;
            if (known == null) {
                known = new ArrayList<>();
                Identity broker = identities.ofBroker();
                known.add(verified(broker.certificate(), broker.chain()));
                for (String name : names.home().identityStore().names()) {
                    ofUser(name).ifPresent(known::add);
                }
                own = known;
            }
            return known;
        }

        private Optional<TrustedCertificate> ofUser(String name) {
            try {
                return names.files()
                        .find(name)
                        .map(Recipient::certificate)
                        .map(certificate -> verified(certificate, List.of()));
            } catch (CertificateRejectedException | KeystoreUnusableException unusable) {
                return Optional.empty();
            }
        }

        private Optional<String> problemWith(Identity broker) {
            try {
                var unused = verified(broker.certificate(), broker.chain());
                return Optional.empty();
            } catch (CertificateRejectedException | KeystoreUnusableException e) {
                return Optional.of(String.valueOf(e.getMessage()));
            }
        }

        private TrustedCertificate verified(X509Certificate certificate, List<X509Certificate> chain) {
            return names.files().verify(certificate, chain, CertificateUse.SIGNING, now);
        }
    }

    /**
     * A problem of a policy.
     *
     * @param pattern the pattern of the policy
     * @param weight the weight of the problem
     * @param problem the problem
     * @param remedy the remedy for the administrator
     */
    public record PolicyFinding(String pattern, Weight weight, String problem, String remedy) {
        /** The weight of a problem. */
        public enum Weight {
            /** The plugin rejects messages because of it, or a part of the policy has no effect. */
            FAILURE,
            /**
             * The plugin applies the policy as it is written, which rejects more messages than an administrator may
             * mean.
             */
            WARNING
        }

        public boolean isFailure() {
            return weight == PolicyFinding.Weight.FAILURE;
        }

        /** Returns pattern, problem and remedy on one line. */
        @Override
        public String toString() {
            return pattern + ": " + problem + "; " + remedy;
        }
    }
}
