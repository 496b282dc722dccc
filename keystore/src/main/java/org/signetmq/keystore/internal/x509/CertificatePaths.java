/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.x509;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.GeneralSubtree;
import org.bouncycastle.asn1.x509.NameConstraints;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.PublicKeyInfo;

/**
 * Finds paths to trusted certificates. The search goes from issuer to issuer and never back, so a message with more
 * certificates does not cost more. Immutable.
 */
public final class CertificatePaths {
    /** The most issuers in a path, the trusted one included. */
    public static final int MAX_ISSUERS = 4;

    /** The most other certificates beside the one to be judged. */
    static final int MAX_OTHERS = 4;

    private final Set<X509Certificate> anchors;

    /** The issuers of the home by their names, the trusted ones first. */
    private final Map<X500Principal, List<X509Certificate>> bySubject = new HashMap<>();

    /**
     * Creates the search of a home.
     *
     * @param trusted certificates that end a path if they may issue others
     * @param helpful certificates that may stand in the middle of a path
     */
    public CertificatePaths(Set<X509Certificate> trusted, Collection<X509Certificate> helpful) {
        // a trusted certificate of an end entity ends no path but its own
        this.anchors =
                Set.copyOf(trusted.stream().filter(CertificateRules::mayIssue).toList());
        Stream.concat(anchors.stream(), helpful.stream().filter(certificate -> !anchors.contains(certificate)))
                .filter(CertificateRules::mayIssue)
                .forEach(certificate -> bySubject
                        .computeIfAbsent(certificate.getSubjectX500Principal(), any -> new ArrayList<>())
                        .add(certificate));
    }

    /**
     * Returns a certificate, then its issuers as far as the others have them. The others come in any order.
     *
     * @param most the most issuers
     */
    public static List<X509Certificate> chain(X509Certificate leaf, Collection<X509Certificate> others, int most) {
        List<X509Certificate> chain = new ArrayList<>(List.of(leaf));
        X509Certificate last = leaf;
        while (last != null && chain.size() <= most && !CertificateRules.isSelfIssued(last)) {
            X509Certificate issued = last;
            last = others.stream()
                    .filter(other -> other.getSubjectX500Principal().equals(issued.getIssuerX500Principal()))
                    .filter(other -> CertificateRules.mayIssue(other) && !chain.contains(other))
                    .filter(other -> CertificateProviders.isSignedBy(issued, other.getPublicKey()))
                    .findFirst()
                    .orElse(null);
            if (last != null) {
                chain.add(last);
            }
        }
        return List.copyOf(chain);
    }

    /**
     * Finds the path from the certificate to a trusted one, both included.
     *
     * @throws CertificateRejectedException if there is no path, or a rule rejects a member
     */
    public List<X509Certificate> find(TrustRequest request, VerificationBudget budget) {
        X509Certificate certificate = request.certificate();
        List<X509Certificate> others = distinct(certificate, request.others());
        if (others.size() > MAX_OTHERS) {
            throw CertificateRules.untrusted(certificate, "comes with more than " + MAX_OTHERS + " other certificates");
        }
        List<X509Certificate> path = search(request, others, budget);
        for (X509Certificate member : path) {
            CertificateRules.requireDates(member, request.at());
        }
        requireValid(path, request.at(), budget);
        NameConstraintCheck.require(
                path); // after the proof of the issuers, because it compares each name with each constraint
        return path;
    }

    /** Returns the other certificates, one for each name and key. */
    private static List<X509Certificate> distinct(X509Certificate certificate, Collection<X509Certificate> others) {
        Map<Member, X509Certificate> distinct = new LinkedHashMap<>();
        Member itself = Member.of(certificate);
        for (X509Certificate other : others) {
            Member member = Member.of(other);
            if (!member.equals(itself)) {
                distinct.putIfAbsent(member, other);
            }
        }
        return List.copyOf(distinct.values());
    }

    private List<X509Certificate> search(
            TrustRequest request, List<X509Certificate> carried, VerificationBudget budget) {
        List<X509Certificate> path = new ArrayList<>(List.of(request.certificate()));
        Set<Member> passed = new HashSet<>();
        while (!anchors.isEmpty() && path.size() <= MAX_ISSUERS) {
            X509Certificate last = path.get(path.size() - 1);
            passed.add(Member.of(last));
            KeyRules.signatureProblem(last).ifPresent(problem -> {
                throw CertificateRules.untrusted(last, problem);
            });
            List<X509Certificate> possible = candidates(last, carried, request.at()).stream()
                    .filter(candidate -> !passed.contains(Member.of(candidate)))
                    .toList();
            Optional<X509Certificate> issuer = issuer(path, possible, budget);
            if (issuer.isEmpty()) {
                break;
            }
            path.add(issuer.get());
            if (anchors.contains(issuer.get())) {
                return path;
            }
        }
        throw CertificateRules.untrusted(
                request.certificate(),
                "not trusted itself, and no valid path of at most " + MAX_ISSUERS
                        + " issuers leads from it to a trusted certificate");
    }

    /**
     * Returns the next member of a path. It does not verify the last candidate, because {@link #requireValid} verifies
     * the whole path. It leaves enough of the budget for that.
     */
    private static Optional<X509Certificate> issuer(
            List<X509Certificate> path, List<X509Certificate> candidates, VerificationBudget budget) {
        if (candidates.isEmpty()) {
            return Optional.empty();
        }
        X509Certificate certificate = path.get(path.size() - 1);
        int last = candidates.size() - 1;
        for (X509Certificate candidate : candidates.subList(0, last)) {
            if (!budget.leavesAfterOne(path.size()) || !budget.spend(1)) {
                return Optional.empty();
            }
            if (CertificateProviders.isSignedBy(certificate, candidate.getPublicKey())) {
                return Optional.of(candidate);
            }
        }
        return Optional.of(candidates.get(last));
    }

    /** Returns one possible issuer for each key, the likeliest first, by names and identifiers alone. */
    private List<X509Certificate> candidates(X509Certificate certificate, List<X509Certificate> carried, Instant at) {
        Map<PublicKeyInfo, X509Certificate> best = new HashMap<>();
        List<X509Certificate> known = bySubject.getOrDefault(certificate.getIssuerX500Principal(), List.of());
        Stream<X509Certificate> others = carried.stream()
                .filter(candidate -> candidate.getSubjectX500Principal().equals(certificate.getIssuerX500Principal()))
                .filter(CertificateRules::mayIssue);
        Stream.concat(known.stream(), others)
                .forEach(candidate ->
                        best.merge(PublicKeyInfo.of(candidate), candidate, (one, other) -> better(one, other, at)));
        KeyIdentifier wanted = KeyIdentifier.ofIssuer(certificate).orElse(null);
        return best.values().stream()
                .filter(candidate ->
                        KeyRules.problem(candidate, CertificateUse.SIGNING).isEmpty())
                .sorted(Comparator.<X509Certificate>comparingInt(candidate -> distance(candidate, wanted))
                        .thenComparing(candidate -> !anchors.contains(candidate))
                        .thenComparing(candidate -> !known.contains(candidate)))
                .toList();
    }

    /** Returns the one of two certificates with the same key and name that likelier leads to a trusted certificate. */
    private X509Certificate better(X509Certificate one, X509Certificate other, Instant at) {
        return rank(other, at) > rank(one, at) ? other : one;
    }

    private int rank(X509Certificate certificate, Instant at) {
        int dated = CertificateRules.isInDate(certificate, at) ? 1 : 0;
        if (anchors.contains(certificate)) {
            return 3 + dated;
        }
        boolean near = !CertificateRules.isSelfIssued(certificate)
                && bySubject.getOrDefault(certificate.getIssuerX500Principal(), List.of()).stream()
                        .anyMatch(anchors::contains);
        return (near ? 1 : 0) + dated;
    }

    /** Returns 0 if the certificate names this issuer's key, 1 if it names no key, and 2 if it names another key. */
    private static int distance(X509Certificate candidate, @Nullable KeyIdentifier wanted) {
        if (wanted == null) {
            return 1;
        }
        return KeyIdentifier.of(candidate).equals(wanted) ? 0 : 2;
    }

    /**
     * Rejects an invalid path by PKIX (RFC 5280 section 6), and by rules that the validator lacks. The validator is the
     * JDK's. Bouncy Castle's validates paths with post-quantum keys, which Java 17 does not know. Costs one signature
     * verification for each issuer.
     */
    private static void requireValid(List<X509Certificate> path, Instant at, VerificationBudget budget) {
        requireMembers(path);
        int last = path.size() - 1;
        if (!budget.spend(last)) {
            throw CertificateRules.untrusted(path.get(0), "its path costs too many verifications");
        }
        try {
            CertificateProviders.PathValidation validation = path.stream()
                            .anyMatch(member -> KeyRules.postQuantum(member).isPresent())
                    ? CertificateProviders.PathValidation.POST_QUANTUM
                    : CertificateProviders.PathValidation.USUAL;
            PKIXParameters parameters =
                    new PKIXParameters(Set.of(new TrustAnchor(validation.certificate(path.get(last)), null)));
            parameters.setDate(Date.from(at));
            parameters.setPolicyMappingInhibited(
                    true); // Signet requires no policy, and mappings make the tree of policies large
            parameters.setRevocationEnabled(false); // RevocationLists checks it, and needs no list of each issuer
            var unused = validation.validator().validate(validation.path(path.subList(0, last)), parameters);
        } catch (CertPathValidatorException | InvalidAlgorithmParameterException invalid) {
            throw CertificateRules.untrusted(
                    path.get(0),
                    "not trusted itself, and the path from its issuer to a trusted certificate is not valid");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("pkix: every JDK has it", e);
        }
    }

    private static void requireMembers(List<X509Certificate> path) {
        X509Certificate anchor = path.get(path.size() - 1);
        // the JDK does not check the trusted certificate
        if (path.size() > 1 && path.size() - 2 > anchor.getBasicConstraints()) {
            throw CertificateRules.untrusted(
                    path.get(0), "has more issuers than the path length of the trusted one allows");
        }
        for (X509Certificate member : path) {
            CertificateRules.requireKey(member);
            CertificateRules.requireExtensions(member);
            CertificateRules.requireFewPolicies(member);
            CertificateRules.requireMailPurpose(member);
        }
    }

    /** The name and key of a certificate. Two certificates with the same lead to the same path. */
    private record Member(X500Principal name, PublicKeyInfo key) {
        static Member of(X509Certificate certificate) {
            return new Member(certificate.getSubjectX500Principal(), PublicKeyInfo.of(certificate));
        }
    }

    /**
     * The question whether a certificate may be used.
     *
     * @param certificate the certificate to be judged
     * @param others certificates that may help to build its path
     * @param use its purpose
     * @param at the time of the use
     */
    public record TrustRequest(
            X509Certificate certificate, Collection<X509Certificate> others, CertificateUse use, Instant at) {
        public TrustRequest {
            others = List.copyOf(others);
        }
    }

    /**
     * Applies the name constraints of all issuers in a path (RFC 5280 section 4.2.1.10). The JDK's path validation does
     * not apply those of the trusted certificate.
     */
    private static final class NameConstraintCheck {
        private static final String EXTENSION = "2.5.29.30";

        private static final String ALTERNATIVE_NAMES = "2.5.29.17";

        /** The kinds of names that the JDK can compare. */
        private static final Set<Integer> COMPARABLE = Set.of(
                GeneralName.rfc822Name,
                GeneralName.dNSName,
                GeneralName.directoryName,
                GeneralName.uniformResourceIdentifier,
                GeneralName.iPAddress);

        /** The longest name that is compared. */
        private static final int MAX_NAME = 512;

        private static final String HOST = "[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*";

        /**
         * The forms of names that constraints of their kind are compared with. The JDK compares characters, so a dot
         * behind a host, or another text that a program takes for the host, would lead around a constraint.
         */
        private static final Map<Integer, Pattern> PLAIN = Map.of(
                GeneralName.dNSName, Pattern.compile("(\\*\\.)?" + HOST),
                GeneralName.rfc822Name, Pattern.compile("[^@]+@" + HOST),
                GeneralName.uniformResourceIdentifier,
                        Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*://" + HOST + "(:[0-9]*)?([/?#].*)?"));

        private static final Pattern PLAIN_BASE = Pattern.compile("([^@]+@)?\\.?" + HOST);

        private NameConstraintCheck() {}

        static void require(List<X509Certificate> path) {
            for (int i = path.size() - 1; i > 0; i--) {
                X509Certificate issuer = path.get(i);
                byte[] extension = issuer.getExtensionValue(EXTENSION);
                if (extension != null) {
                    require(path.subList(0, i), issuer, constraints(issuer, extension));
                }
            }
        }

        private static void require(List<X509Certificate> issued, X509Certificate issuer, byte[] constraints) {
            List<List<List<String>>> excluded = excludedDirectories(constraints);
            Set<Integer> kinds = subtrees(NameConstraints.getInstance(constraints))
                    .map(subtree -> subtree.getBase().getTagNo())
                    .collect(Collectors.toUnmodifiableSet());
            X509CertSelector selector = new X509CertSelector();
            try {
                selector.setNameConstraints(constraints);
            } catch (IOException malformed) {
                throw unreadable(issuer);
            }
            for (int i = 0; i < issued.size(); i++) {
                X509Certificate member = issued.get(i);
                boolean exempt = i > 0 && CertificateRules.isSelfIssued(member); // RFC 5280 section 6.1.3 (b)
                if (!exempt && (!arePlain(kinds, member) || !allows(selector, member) || isBelow(excluded, member))) {
                    throw CertificateRules.untrusted(member, "its names are not those that an issuer of it may give");
                }
            }
        }

        /** Returns the excluded names, normalised, because the JDK distinguishes the string types of a value. */
        private static List<List<List<String>>> excludedDirectories(byte[] constraints) {
            GeneralSubtree[] excluded = NameConstraints.getInstance(constraints).getExcludedSubtrees();
            return excluded == null
                    ? List.of()
                    : Stream.of(excluded)
                            .map(GeneralSubtree::getBase)
                            .filter(base -> base.getTagNo() == GeneralName.directoryName)
                            .map(base -> DistinguishedName.foldedOrder(X500Name.getInstance(base.getName())))
                            .toList();
        }

        private static boolean isBelow(List<List<List<String>>> directories, X509Certificate member) {
            if (directories.isEmpty()) {
                return false;
            }
            return directoryNames(member)
                    .anyMatch(name -> directories.stream()
                            .anyMatch(directory -> name.size() >= directory.size()
                                    && name.subList(0, directory.size()).equals(directory)));
        }

        /** Tells whether the names of these kinds, and addresses in the subject, have the forms that are compared. */
        private static boolean arePlain(Set<Integer> kinds, X509Certificate member) {
            Stream<GeneralName> addresses = Stream.of(
                            subject(member).getRDNs(PKCSObjectIdentifiers.pkcs_9_at_emailAddress))
                    .flatMap(rdn -> Stream.of(rdn.getTypesAndValues()))
                    .filter(value -> value.getType().equals(PKCSObjectIdentifiers.pkcs_9_at_emailAddress))
                    .map(value -> new GeneralName(
                            GeneralName.rfc822Name, value.getValue().toString()));
            return Stream.concat(addresses, alternativeNames(member))
                    .filter(name -> kinds.contains(name.getTagNo()))
                    .allMatch(name -> {
                        Pattern form = PLAIN.get(name.getTagNo());
                        return form == null || isPlain(form, name);
                    });
        }

        private static boolean isPlain(Pattern form, GeneralName name) {
            String text = name.getName().toString();
            return text.length() <= MAX_NAME && form.matcher(text).matches();
        }

        private static X500Name subject(X509Certificate member) {
            return X500Name.getInstance(member.getSubjectX500Principal().getEncoded());
        }

        private static Stream<GeneralName> alternativeNames(X509Certificate member) {
            byte[] extension = member.getExtensionValue(ALTERNATIVE_NAMES);
            return extension == null
                    ? Stream.empty()
                    : Stream.of(GeneralNames.getInstance(
                                    ASN1OctetString.getInstance(extension).getOctets())
                            .getNames());
        }

        private static Stream<List<List<String>>> directoryNames(X509Certificate member) {
            return Stream.concat(
                    Stream.of(DistinguishedName.foldedOrder(subject(member))),
                    alternativeNames(member)
                            .filter(name -> name.getTagNo() == GeneralName.directoryName)
                            .map(name -> DistinguishedName.foldedOrder(X500Name.getInstance(name.getName()))));
        }

        private static boolean allows(X509CertSelector selector, X509Certificate member) {
            try {
                return selector.match(member);
            } catch (RuntimeException incomparable) {
                return false;
            }
        }

        private static byte[] constraints(X509Certificate issuer, byte[] extension) {
            try {
                byte[] encoded = ASN1OctetString.getInstance(extension).getOctets();
                NameConstraints constraints = NameConstraints.getInstance(encoded);
                if (subtrees(constraints).allMatch(NameConstraintCheck::isComparable)) {
                    return encoded;
                }
            } catch (RuntimeException malformed) {
                throw unreadable(issuer);
            }
            throw unreadable(issuer);
        }

        private static Stream<GeneralSubtree> subtrees(NameConstraints constraints) {
            return Stream.of(constraints.getPermittedSubtrees(), constraints.getExcludedSubtrees())
                    .flatMap(subtrees -> subtrees == null ? Stream.empty() : Stream.of(subtrees));
        }

        private static boolean isComparable(GeneralSubtree subtree) {
            GeneralName base = subtree.getBase();
            return COMPARABLE.contains(base.getTagNo())
                    && (!PLAIN.containsKey(base.getTagNo()) || isPlain(PLAIN_BASE, base))
                    && subtree.getMinimum().signum() == 0
                    && subtree.getMaximum() == null;
        }

        private static CertificateRejectedException unreadable(X509Certificate issuer) {
            return CertificateRules.untrusted(issuer, "has name constraints of a kind that Signet cannot compare");
        }
    }

    /** The signature verifications that remain for one certificate. For one thread. */
    public static final class VerificationBudget {
        /**
         * The most verifications for one certificate. With the three signatures of a message's content these are eight.
         */
        public static final int LIMIT = 5;

        private final LongAdder total;
        private int left;

        /**
         * Creates a full budget.
         *
         * @param total counts the spending of all budgets
         */
        public VerificationBudget(LongAdder total) {
            this(LIMIT, total);
        }

        private VerificationBudget(int left, LongAdder total) {
            this.left = left;
            this.total = total;
        }

        /** Takes this number of verifications. Takes none and returns false if fewer remain. */
        public boolean spend(int count) {
            if (count > left) {
                return false;
            }
            left -= count;
            total.add(count);
            return true;
        }

        /** Tells whether a verification was taken. */
        public boolean isTouched() {
            return left < LIMIT;
        }

        /** Tells whether this number would remain after one more. */
        boolean leavesAfterOne(int count) {
            return left - 1 >= count;
        }
    }
}
