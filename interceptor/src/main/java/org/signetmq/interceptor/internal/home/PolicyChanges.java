/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.home;

import java.io.IOException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.SignedPolicies;
import org.signetmq.interceptor.internal.home.PolicyJudge.PolicyFinding;
import org.signetmq.interceptor.internal.log.PluginLog;
import org.signetmq.interceptor.internal.store.ChangeOrigin;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.home.PartyCheck;
import org.signetmq.keystore.trust.CertificateEnd;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicyProblem;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.file.PolicyFile;

/** Judges requests to change the policies of a broker, and makes the changes. Not thread-safe. */
public record PolicyChanges(BrokerPolicies policies, LoadedHome home, BrokerNaming naming, InUse inUse) {
    /** Finds the problems of new policies with what the broker does now. */
    @FunctionalInterface
    public interface InUse {
        List<PolicyProblem> problems(PolicySet before, PolicySet now);
    }

    private static final int MOST_WARNINGS = 20;

    /** Makes or judges a change. An invalid change, or one of an earlier version, changes nothing. */
    ChangeOutcome change(PolicyRequest request) {
        PolicySet before = policies.current();
        if (request.version() != before.version()) {
            return new ChangeOutcome.Stale(before.version(), Optional.ofNullable(policies.origin));
        }
        if (before.version() == Long.MAX_VALUE) {
            return new ChangeOutcome.Refused(before.version(), "the version of the policies cannot grow any more");
        }
        PolicySet now;
        HomeNames names;
        CertificateJudge certificates;
        Optional<SignedPolicies> signed;
        try {
            boolean isChange = request.purpose() == PolicyRequest.Purpose.CHANGE;
            signed = signed(request, isChange ? policies.officers() : List.of());
            if (signed.isPresent()) {
                if (signed.get().text().equals(policies.text)) {
                    return new ChangeOutcome.Unchanged(before.version());
                }
                now = parsed(signed.get());
                PolicySource.requireLater(now.version(), before.version());
            } else {
                now = numbered(before.version() + 1, request.edit().apply(before));
                if (isSame(before, now)) {
                    return new ChangeOutcome.Unchanged(before.version());
                }
            }
            names = home.names().with(now.settings().certificates());
            certificates = new CertificateJudge(home.names(), names);
            List<PolicyProblem> problems = new ArrayList<>(certificates.problems(before, now));
            problems.addAll(problems(before, now, validator(names)));
            problems.addAll(inUse.problems(before, now));
            if (!problems.isEmpty()) {
                throw new InvalidPolicyException(PolicyProblem.first(problems));
            }
            var unused = naming.required(now);
        } catch (InvalidPolicyException e) {
            return new ChangeOutcome.Rejected(before.version(), e.problems());
        } catch (KeystoreUnusableException e) {
            return new ChangeOutcome.Refused(before.version(), "nothing was changed: " + e.getMessage());
        }
        List<String> warnings = new ArrayList<>(certificates.warnings());
        List<Policy> fresh = now.policies().stream()
                .filter(policy -> !before.contains(policy))
                .toList();
        warnings.addAll(warnings(fresh, names));
        if (request.purpose() == PolicyRequest.Purpose.CHANGE) {
            try {
                policies.replace(now, text(signed, now), request.origin());
            } catch (IOException e) {
                PluginLog.LOG.error("the changed policies could not be stored: {}", String.valueOf(e.getMessage()));
                return new ChangeOutcome.Refused(before.version(), "nothing was changed: " + e.getMessage());
            }
        }
        Stream<String> recipients = Stream.concat(
                fresh.stream().flatMap(policy -> policy.encryption().recipients().stream()),
                now.recovery().stream().filter(name -> !before.recovery().contains(name)));
        warnings.addAll(nearEnd(recipients, names));
        return new ChangeOutcome.Accepted(request.purpose(), before, now, warnings);
    }

    /**
     * Returns the document of a request if it is signed; empty for any other request.
     *
     * @param officers those one of whom must have signed it; empty if none needs to
     */
    private static Optional<SignedPolicies> signed(PolicyRequest request, List<X509Certificate> officers) {
        if (request.edit() instanceof PolicyRequest.Document document) {
            return Optional.of(SignedPolicies.open(document.text(), officers))
                    .filter(opened -> opened.signer().isPresent());
        }
        if (!officers.isEmpty()) {
            throw InvalidPolicyException.of(
                    "$",
                    "an officer must sign the policies: export them with signet policy export --out FILE, edit the file,"
                            + " sign it with signet policy sign FILE --as OFFICER --out SIGNED, and load it with signet"
                            + " policy import SIGNED");
        }
        return Optional.empty();
    }

    private static PolicySet parsed(SignedPolicies document) {
        return PolicyFile.parse(document.json(), PartyValidator.acceptAll());
    }

    private static PolicySet numbered(long version, PolicySet policies) {
        return PolicySet.of(version, policies.settings(), policies.policies());
    }

    private static String text(Optional<SignedPolicies> signed, PolicySet now) {
        return signed.map(SignedPolicies::text).orElseGet(() -> PolicyFile.format(now));
    }

    /** Returns one line for each of these policies that rejects messages though it can be used, at most twenty. */
    private List<String> warnings(List<Policy> fresh, HomeNames names) {
        List<PolicyFinding> found;
        try {
            found = new PolicyJudge(names, home.identities()).findings(fresh, List.of());
        } catch (KeystoreUnusableException withoutKey) { // the state says so
            return new ArrayList<>();
        }
        List<String> lines = new ArrayList<>(
                found.stream().limit(MOST_WARNINGS).map(PolicyFinding::toString).toList());
        if (found.size() > MOST_WARNINGS) {
            lines.add((found.size() - MOST_WARNINGS) + " more warnings; signet broker status lists them");
        }
        return lines;
    }

    /** Returns one line for each of these recipients whose certificate ends within 30 days, at most twenty. */
    private static List<String> nearEnd(Stream<String> recipients, HomeNames names) {
        Instant now = Instant.now();
        return recipients
                .filter(name -> !Policy.isByAddress(name))
                .distinct()
                .flatMap(name -> names
                        .named(name)
                        .map(found -> CertificateEnd.of(found.certificate(), now))
                        .filter(end -> end.isNear() && !end.isPast()) // the check of names reports those in the past
                        .map(end -> "recipient '" + name + "': its certificate " + end.inWords()
                                + "; put a new certificate into recipients/ before that")
                        .stream())
                .limit(MOST_WARNINGS)
                .toList();
    }

    /**
     * Puts the wanted policies in place of lost ones, with a version above all that are known. As with a policy file
     * that the first start takes over, a policy whose names cannot be used becomes a finding.
     */
    ChangeOutcome restore(PolicyRequest request) {
        try {
            Optional<SignedPolicies> signed = signed(request, policies.officers());
            PolicySet wanted = naming.required(
                    signed.isPresent() ? parsed(signed.get()) : request.edit().apply(PolicySet.EMPTY));
            long known = policies.lastVersion();
            PolicySet before = PolicySet.of(
                    signed.isPresent() ? known : Math.max(known, wanted.version()),
                    PolicySet.Settings.DEFAULT,
                    List.of());
            if (before.version() == Long.MAX_VALUE) {
                return new ChangeOutcome.Refused(0, "the version of the policies cannot grow any more");
            }
            if (signed.isPresent()) { // the last one may come back, and no older one
                PolicySource.requireLater(wanted.version(), before.version() - 1);
            }
            PolicySet now = signed.isPresent() ? wanted : numbered(before.version() + 1, wanted);
            policies.restore(now, text(signed, now), request.origin());
            return new ChangeOutcome.Accepted(PolicyRequest.Purpose.CHANGE, before, now, List.of());
        } catch (InvalidPolicyException e) {
            return new ChangeOutcome.Rejected(0, e.problems());
        } catch (IOException | KeystoreUnusableException e) {
            return new ChangeOutcome.Refused(0, "nothing was changed: " + e.getMessage());
        }
    }

    /** Returns the problems of new names in the rules, and of new policies. Earlier policies were judged when set. */
    private static List<PolicyProblem> problems(PolicySet before, PolicySet now, PartyValidator known) {
        List<PolicyProblem> problems = new ArrayList<>(problemsWithRules(before, now, known));
        for (int i = 0; i < now.policies().size(); i++) {
            Policy policy = now.policies().get(i);
            if (!before.contains(policy)) {
                problems.addAll(problems("policies[" + i + "]", policy, now, known));
            }
        }
        return problems;
    }

    /** Judges new names in the rules alone: one whose certificate has ended must not keep its successor out. */
    private static List<PolicyProblem> problemsWithRules(PolicySet before, PolicySet now, PartyValidator known) {
        Set<String> signers = before.settings().users().values().stream()
                .flatMap(List::stream)
                .collect(Collectors.toSet());
        PartyValidator ofNew = new PartyValidator(
                name -> before.recovery().contains(name)
                        ? Optional.empty()
                        : known.recipientProblem().apply(name),
                name -> signers.contains(name)
                        ? Optional.empty()
                        : known.signerProblem().apply(name));
        return PolicyFile.problems(PolicySet.of(now.version(), now.settings(), List.of()), ofNew);
    }

    private static List<PolicyProblem> problems(String path, Policy policy, PolicySet now, PartyValidator known) {
        PolicySet alone = PolicySet.of(
                now.version(), new PolicySet.Settings(now.unmatched(), now.wildcards(), List.of()), List.of(policy));
        List<PolicyProblem> problems = new ArrayList<>();
        for (PolicyProblem problem : PolicyFile.problems(alone, known)) {
            problems.add(new PolicyProblem(problem.path().replace("policies[0]", path), problem.message()));
        }
        @Nullable Instant until = policy.acceptance().toleration().until();
        if (until != null && !until.isAfter(Instant.now())) {
            problems.add(new PolicyProblem(
                    path + ".toleration.until",
                    "in the past, found " + until
                            + "; name a later date, or leave it out to accept no unprotected messages"));
        }
        return problems;
    }

    /** Returns a check that looks up each name once. */
    private static PartyValidator validator(HomeNames names) {
        PartyCheck check = names.check();
        return new PartyValidator(once(check::problemWithRecipient), once(check::problemWithSigner));
    }

    private static Function<String, Optional<String>> once(Function<String, Optional<String>> check) {
        Map<String, Optional<String>> known = new HashMap<>();
        return name -> known.computeIfAbsent(name, check);
    }

    private static boolean isSame(PolicySet before, PolicySet now) {
        return before.settings().equals(now.settings()) && before.policies().equals(now.policies());
    }

    /** The outcome of a request to change the policies. Immutable. */
    public sealed interface ChangeOutcome {
        /**
         * The change was made, or would be made.
         *
         * @param purpose whether it was made or judged
         * @param before the policies before
         * @param now the policies after
         * @param warnings advice for the administrator
         */
        record Accepted(PolicyRequest.Purpose purpose, PolicySet before, PolicySet now, List<String> warnings)
                implements ChangeOutcome {
            public Accepted {
                warnings = List.copyOf(warnings);
            }
        }

        /** The policies in force are already as wanted. */
        record Unchanged(long version) implements ChangeOutcome {}

        /** The wanted policies are invalid, and nothing was changed. */
        record Rejected(long version, List<PolicyProblem> problems) implements ChangeOutcome {
            public Rejected {
                problems = List.copyOf(problems);
            }
        }

        /**
         * Another change came first, and nothing was changed.
         *
         * @param version the version in force
         * @param change the origin of that version; empty if it is unknown
         */
        record Stale(long version, Optional<ChangeOrigin> change) implements ChangeOutcome {}

        /** This broker does not take changes now, and nothing was changed. */
        record Refused(long version, String reason) implements ChangeOutcome {}
    }

    /**
     * An administrator's request to change the policies in force.
     *
     * @param version the version that the administrator saw; the change is made only if it is still in force
     * @param purpose whether the change is to be made
     * @param origin the administrator
     * @param edit the change
     */
    public record PolicyRequest(long version, Purpose purpose, ChangeOrigin origin, Edit edit) {
        /** Tells whether a change is to be made, or only judged. */
        public enum Purpose {
            /** The change is made if it is valid. */
            CHANGE,
            /** The change is judged, and nothing changes. */
            JUDGEMENT
        }

        /** Makes new policies from those in force. */
        @FunctionalInterface
        public interface Edit {
            /**
             * Returns the new policies. Their version does not count, and the plugin checks the names in them later.
             *
             * @throws InvalidPolicyException if the change is not valid
             */
            PolicySet apply(PolicySet policies);
        }

        /** Puts a whole document in force, which an officer may have signed. */
        public record Document(String text) implements Edit {
            @Override
            public PolicySet apply(PolicySet policies) {
                return parsed(SignedPolicies.open(text, List.of()));
            }
        }
    }
}
