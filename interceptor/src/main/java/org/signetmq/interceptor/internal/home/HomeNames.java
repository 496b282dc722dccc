/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.home;

import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.home.HomeNames.Used.Use;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrintableText;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.home.Finding;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.HomeReader;
import org.signetmq.keystore.home.PartyCheck;
import org.signetmq.keystore.home.TrustFindings;
import org.signetmq.keystore.trust.CertificateEnd;
import org.signetmq.keystore.trust.RevocationReport;
import org.signetmq.keystore.trust.RevocationSettings;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;

/**
 * Resolves the names in policies with the files of a home.
 *
 * @param home the home
 * @param files its recipients and its trust
 */
public record HomeNames(Home home, HomeReader files) {
    private static final int MOST_BY_ADDRESS = 100;
    private static final int MOST_NAMES = 10_000;
    private static final int LONGEST_PROBLEM = 600;

    /** Returns the names with these certificates of policies: base64 of DER, by name. */
    HomeNames with(Map<String, String> texts) {
        return new HomeNames(home, files.with(texts));
    }

    /** Returns a check that explains why a name in a policy cannot be used. */
    PartyCheck check() {
        return new PartyCheck(files, files);
    }

    /** Returns the names that policies may use. */
    PartyValidator parties() {
        PartyCheck check = check();
        Map<String, String> unreadable = files.policyCertificates().problems();
        Function<String, Optional<String>> certificate = name ->
                Optional.ofNullable(unreadable.get(name)).map(problem -> "certificates." + name + ": " + problem);
        return new PartyValidator(
                name -> certificate.apply(name).or(() -> check.problemWithRecipient(name)),
                name -> certificate.apply(name).or(() -> check.problemWithSignerInForce(name)),
                texts -> with(texts).parties());
    }

    /**
     * Returns the reason why certificates in use have an unknown state, or why the settings of trust are not in force;
     * null if there is none.
     */
    @Nullable
    String trustProblem() {
        RevocationReport report = files.revocations();
        List<String> parts = new ArrayList<>();
        report.problem().ifPresent(problem -> parts.add("the changed settings are not in force: " + problem));
        if (!report.unknown().isEmpty()) {
            boolean hard = report.settings().failure() == RevocationSettings.Failure.HARD;
            parts.add("certificates of unknown state, which are " + (hard ? "rejected" : "accepted (fail: soft)") + ": "
                    + report.unknown().size() + ", the first: "
                    + report.unknown().get(0));
        }
        return parts.isEmpty() ? null : PrintableText.of(String.join("; ", parts), LONGEST_PROBLEM);
    }

    /** A certificate that messages need now. */
    public record Used(Use use, String name, X509Certificate certificate) {
        /** The use of a certificate. */
        public enum Use {
            /** The broker's own. */
            OWN("own", ""),
            /** That of a recipient, for recovery too, or of a signer or broker in a policy. */
            PARTY("party", "recipients/"),
            /** The same, of a certificate that the policies bring. */
            STORED("party", "certificates/"),
            /** That of an issuer. One that has a successor of the same name in {@code trust/} may end. */
            ISSUER("issuer", "trust/");

            private final String label;
            private final String folder;

            Use(String label, String folder) {
                this.label = label;
                this.folder = folder;
            }

            /** Returns the kind of its owner. */
            public String label() {
                return label;
            }

            /** Returns the folder of the home with the certificate; empty for that of the broker. */
            public String folder() {
                return folder;
            }
        }

        /** Returns the end of the certificate. */
        public Instant end() {
            return certificate.getNotAfter().toInstant();
        }
    }

    /**
     * Returns the certificates that messages need now, each once: the broker's own, those of parties, and issuers.
     *
     * @param identities those of the broker; its own certificate is left out if it is unknown
     */
    public List<Used> used(PolicySet policies, Identities identities) {
        List<Used> used = new ArrayList<>();
        try {
            used.add(new Used(Use.OWN, "identity", identities.ofBroker().certificate()));
        } catch (KeystoreUnusableException unknown) {
            // the state shows it
        }
        Stream<String> names = policies.policies().stream()
                .map(policies::applied)
                .flatMap(policy -> Stream.of(
                                policy.quality().encrypts()
                                        ? policy.encryption().recipients()
                                        : List.<String>of(),
                                policy.quality().provesSender()
                                        ? policy.signing().signers()
                                        : List.<String>of(),
                                policy.quality().provesSender()
                                        ? policy.signing().brokers()
                                        : List.<String>of())
                        .flatMap(List::stream))
                .distinct()
                .limit(MOST_NAMES);
        byAllAddresses(names)
                .limit(MOST_NAMES)
                .flatMap(name -> named(name).stream())
                .forEach(party -> used.add(new Used(
                        files.isOfPolicies(party.name()) ? Use.STORED : Use.PARTY, party.name(), party.certificate())));
        CertificateEnd.withoutSuccessor(files.trusted())
                .forEach(issuer -> used.add(new Used(Use.ISSUER, issuer.name(), issuer.certificate())));
        Set<X509Certificate> seen = new HashSet<>();
        used.removeIf(each -> !seen.add(each.certificate()));
        return used;
    }

    /** Returns the entry of a name; empty if there is none, or the name stands for two keys. */
    public Optional<Recipient> named(String name) {
        try {
            return files.find(name);
        } catch (KeystoreUnusableException unclear) { // the check of names reports it
            return Optional.empty();
        }
    }

    /** Returns whether the file of this name in {@code recipients/} has the key of this certificate, or had it. */
    public boolean isKeyOf(String name, X509Certificate certificate) {
        return isCurrentKeyOf(name, certificate) || isFormerKeyOf(name, certificate);
    }

    /** Returns whether this certificate has the current key of an identity, or a former one. */
    public boolean isKeyOf(Identity identity, X509Certificate certificate) {
        X509Certificate current = identity.certificate();
        return isSameKey(current, certificate)
                || (isCurrentKeyOf(identity.name(), current) && isFormerKeyOf(identity.name(), certificate));
    }

    private boolean isCurrentKeyOf(String name, X509Certificate certificate) {
        return named(name)
                .filter(known -> isSameKey(known.certificate(), certificate))
                .isPresent();
    }

    private boolean isFormerKeyOf(String name, X509Certificate certificate) {
        for (Recipient former : files.former()) {
            if (former.name().equals(name) && isSameKey(former.certificate(), certificate)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns these names. In place of each that depends on the address it returns the names in {@code recipients/}
     * that an address can make of it, for the first hundred of these.
     */
    public Stream<String> byAllAddresses(Stream<String> names) {
        Map<Boolean, List<String>> parts = names.distinct().collect(Collectors.partitioningBy(Policy::isByAddress));
        List<Predicate<String>> made = parts.getOrDefault(true, List.of()).stream()
                .limit(MOST_BY_ADDRESS)
                .map(Policy::namesByAddress)
                .toList();
        Stream<String> found = made.isEmpty()
                ? Stream.empty()
                : files.all().stream()
                        .map(Recipient::name)
                        .filter(name -> made.stream().anyMatch(test -> test.test(name)));
        return Stream.concat(parts.getOrDefault(false, List.of()).stream(), found)
                .distinct();
    }

    public static boolean isSameKey(X509Certificate one, X509Certificate other) {
        return Arrays.equals(
                one.getPublicKey().getEncoded(), other.getPublicKey().getEncoded());
    }

    /** Returns the signers and brokers that policies name, each once. */
    static List<String> signers(PolicySet policies) {
        return policies.policies().stream()
                .flatMap(policy ->
                        Stream.concat(policy.signing().signers().stream(), policy.signing().brokers().stream()))
                .filter(name -> !Policy.isByAddress(name))
                .distinct()
                .toList();
    }

    /** Returns one line with the number of names that do not stand for one key, and the first of them. */
    public Optional<String> finding(PolicySet policies) {
        List<Finding> findings = TrustFindings.of(home, files, files, signers(policies));
        return findings.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        findings.size() + " found (signet doctor home lists them), the first: " + findings.get(0));
    }
}
