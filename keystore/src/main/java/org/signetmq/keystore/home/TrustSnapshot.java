/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.CertificateRejectedException.Reason;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.internal.trust.Issued;
import org.signetmq.keystore.internal.trust.RevocationCheck;
import org.signetmq.keystore.internal.x509.CertificatePaths;
import org.signetmq.keystore.internal.x509.CertificatePaths.TrustRequest;
import org.signetmq.keystore.internal.x509.CertificatePaths.VerificationBudget;
import org.signetmq.keystore.internal.x509.CertificateRules;
import org.signetmq.keystore.internal.x509.HomeCertificates;
import org.signetmq.keystore.internal.x509.HomeCertificates.KnownKeys;
import org.signetmq.keystore.internal.x509.HomeCertificates.NamedParties;
import org.signetmq.keystore.internal.x509.KeyRules.KeyPolicy;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.trust.Certificates;
import org.signetmq.keystore.trust.TrustedCertificate;
import org.signetmq.keystore.trust.TrustedCertificate.NameSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One state of trust, with the answers so far. After a change of a file, a new snapshot replaces it. Thread-safe. */
final class TrustSnapshot {
    private static final Logger LOG = LoggerFactory.getLogger(TrustSnapshot.class);

    /** The most bytes of certificates that are kept with answers. */
    private static final long MAX_KEPT_BYTES = 1L << 20;

    private static final int MAX_ANSWERS = 1024;

    /** The most recipients whose states are fetched before messages need them. */
    private static final int MAX_PARTIES = 1000;

    private static final Duration REMEMBER = Duration.ofMinutes(1);

    /** The sender chooses the path by the other certificates, so an answer holds for these alone. */
    private record Question(X509Certificate certificate, List<X509Certificate> others, CertificateUse use) {}

    private record Accepted(TrustedCertificate answer, Instant from, Instant until) {
        boolean covers(Instant at) {
            return !at.isBefore(from) && !at.isAfter(until);
        }
    }

    private final long version;
    private final HomeCertificates home;
    private final Set<X509Certificate> trusted;
    private final NamedParties parties;
    private final Set<X509Certificate> naming;
    private final Map<PublicKeyInfo, Set<String>> files;
    private final KnownKeys known;
    private final CertificatePaths paths;
    private final KeyPolicy keys;
    private final RevocationCheck revocations;
    private final LongAdder verifications;
    private final ConcurrentHashMap<Question, Accepted> accepted = new ConcurrentHashMap<>();
    private final AtomicLong keptBytes = new AtomicLong();
    private final RejectedCertificates rejected = new RejectedCertificates();

    /** A valid path, and the end of the time for which its members are known not to be revoked. */
    private record Valid(List<X509Certificate> path, Instant until) {}

    TrustSnapshot(
            long version, HomeCertificates home, KeyPolicy keys, RevocationCheck revocations, LongAdder verifications) {
        this.version = version;
        this.home = home;
        this.trusted = home.trustedCertificates();
        this.parties = NamedParties.of(home.parties());
        this.naming = home.trusted().stream()
                .filter(parties::believesNamesOf)
                .map(Recipient::certificate)
                .collect(Collectors.toUnmodifiableSet());
        this.files = home.trusted().stream()
                .collect(Collectors.groupingBy(
                        entry -> PublicKeyInfo.of(entry.certificate()),
                        Collectors.mapping(Recipient::name, Collectors.toUnmodifiableSet())));
        this.known = home.knownKeys();
        this.paths = new CertificatePaths(trusted, home.helpful());
        this.keys = keys;
        this.revocations = revocations;
        this.verifications = verifications;
    }

    long version() {
        return version;
    }

    List<Recipient> trusted() {
        return home.trusted();
    }

    TrustedCertificate verify(
            X509Certificate certificate, Collection<X509Certificate> others, CertificateUse use, Instant at) {
        Question question =
                new Question(certificate, trusted.contains(certificate) ? List.of() : List.copyOf(others), use);
        Accepted before = accepted.get(question);
        if (before != null && before.covers(at)) {
            return before.answer();
        }
        try {
            Valid valid = validate(new TrustRequest(certificate, others, use, at));
            TrustedCertificate answer = answer(valid.path());
            remember(question, new Accepted(answer, at, until(valid, at)));
            return answer;
        } catch (CertificateRejectedException | KeystoreUnusableException rejected) {
            throw rejected;
        } catch (RuntimeException malformed) { // parsers throw many exceptions for malformed extensions
            throw CertificateRules.untrusted(certificate, "a certificate of its path is malformed");
        }
    }

    /** Returns the first recipients of the home, and their issuers up to trusted ones. Costs verifications. */
    List<Issued> issuedParties(Instant now) {
        Set<Issued> issued = new LinkedHashSet<>();
        for (Recipient party :
                home.parties().subList(0, Math.min(MAX_PARTIES, home.parties().size()))) {
            try {
                TrustRequest request = new TrustRequest(party.certificate(), List.of(), CertificateUse.SIGNING, now);
                issued.addAll(
                        trusted.contains(party.certificate())
                                ? List.of()
                                : Issued.of(paths.find(request, new VerificationBudget(verifications))));
            } catch (RuntimeException unusable) {
                LOG.debug("recipients/{} is not usable, so its state is not fetched", party.name(), unusable);
            }
        }
        return List.copyOf(issued);
    }

    /** Returns why the states of certificates of the home are unknown, those of all that an issuer issued first. */
    List<String> unknownStates(Instant at) {
        Set<X509Certificate> own =
                home.parties().stream().map(Recipient::certificate).collect(Collectors.toUnmodifiableSet());
        Map<X509Certificate, String> issuers = new LinkedHashMap<>();
        trusted.stream()
                .filter(issuer -> CertificateRules.mayIssue(issuer) && !own.contains(issuer))
                .filter(issuer -> !at.isAfter(issuer.getNotAfter().toInstant()))
                .forEach(issuer ->
                        revocations.unknownIssued(issuer, at).ifPresent(reason -> issuers.put(issuer, reason)));
        return Stream.concat(
                        issuers.values().stream(),
                        issuedParties(at).stream()
                                .filter(issued -> !issuers.containsKey(issued.issuer()))
                                .flatMap(issued -> revocations.unknownState(issued, at).stream()))
                .toList();
    }

    private void remember(Question question, Accepted answer) {
        long bytes = Stream.concat(answer.answer().path().stream(), question.others().stream())
                .mapToInt(Certificates::length)
                .sum();
        if (keptBytes.addAndGet(bytes) > MAX_KEPT_BYTES || accepted.size() >= MAX_ANSWERS) {
            accepted.clear();
            keptBytes.set(bytes);
        }
        accepted.put(question, answer);
    }

    private Valid validate(TrustRequest request) {
        X509Certificate certificate = request.certificate();
        CertificateRules.requireKey(certificate, request.use());
        CertificateRules.requireDates(certificate, request.at());
        CertificateRules.requireUsage(certificate, request.use());
        CertificateRules.requireMailPurpose(certificate);
        CertificateRules.requireExtensions(certificate);
        CertificateRules.requireIdentifier(certificate);
        VerificationBudget budget = new VerificationBudget(verifications);
        if (trusted.contains(certificate)) {
            return notRevoked(List.of(certificate), request, budget);
        }
        ByteBuffer key = RejectedCertificates.key(request);
        Optional<CertificateRejectedException> before = rejected.find(key, request.at());
        if (before.isPresent()) {
            throw before.get();
        }
        try {
            return notRevoked(paths.find(request, budget), request, budget);
        } catch (CertificateRejectedException e) {
            if (budget.isTouched()) {
                rejected.remember(key, e, request.at());
            }
            throw e;
        }
    }

    private Valid notRevoked(List<X509Certificate> path, TrustRequest request, VerificationBudget budget) {
        keys.require(path);
        return new Valid(path, revocations.require(path, isVouched(path), request.at(), budget));
    }

    private TrustedCertificate answer(List<X509Certificate> path) {
        List<X509Certificate> issuers = path.subList(1, path.size());
        return new TrustedCertificate(
                path, isVouched(path) ? NameSource.ISSUER : NameSource.HOME, known, vouching(issuers));
    }

    /** Tells whether Signet believes the names that all issuers of a path gave. */
    private boolean isVouched(List<X509Certificate> path) {
        List<X509Certificate> issuers = path.subList(1, path.size());
        return !issuers.isEmpty()
                && naming.contains(issuers.get(issuers.size() - 1))
                && issuers.stream().noneMatch(parties::isParty);
    }

    /** Returns the files of the issuers up to the first party, for whose names the issuers above do not vouch. */
    private Set<String> vouching(List<X509Certificate> issuers) {
        Set<String> vouching = new HashSet<>();
        for (X509Certificate issuer : issuers) {
            vouching.addAll(files.getOrDefault(PublicKeyInfo.of(issuer), Set.of()));
            if (parties.isParty(issuer)) {
                break;
            }
        }
        return vouching;
    }

    private static Instant until(Valid valid, Instant at) {
        return Stream.concat(
                        Stream.of(valid.until()),
                        valid.path().stream().map(member -> member.getNotAfter().toInstant()))
                .reduce(at.plus(REMEMBER), (one, other) -> one.isBefore(other) ? one : other);
    }

    /**
     * Remembers rejected certificates for a short time, so that the next message with them costs no signature
     * verification. It holds digests and texts: at most {@link #MAX_ENTRIES} entries, each with a text of at most
     * {@link #MAX_TEXT} characters. Thread-safe.
     */
    static final class RejectedCertificates {
        static final int MAX_ENTRIES = 1024;
        static final int MAX_TEXT = 1024;
        static final Duration REMEMBERED = Duration.ofSeconds(30);

        private record Rejection(Reason reason, String text, Instant at) {
            boolean holds(Instant now) {
                return Duration.between(at, now).abs().compareTo(REMEMBERED) < 0;
            }
        }

        /** The rejections, the oldest first. Guarded by this. */
        private final Map<ByteBuffer, Rejection> rejections = new LinkedHashMap<>();

        /** Returns a digest of a request and all its certificates. */
        public static ByteBuffer key(TrustRequest request) {
            MessageDigest digest = CryptoProviders.digest("SHA-256");
            digest.update(request.use().name().getBytes(StandardCharsets.US_ASCII));
            digest.update(PublicKeyInfo.encoded(request.certificate()));
            request.others().forEach(other -> digest.update(PublicKeyInfo.encoded(other)));
            return ByteBuffer.wrap(digest.digest());
        }

        /** Returns a recent rejection of the same request, with its reason and text; empty if there is none. */
        public synchronized Optional<CertificateRejectedException> find(ByteBuffer key, Instant at) {
            return Optional.ofNullable(rejections.get(key))
                    .filter(rejection -> rejection.holds(at))
                    .map(rejection -> new CertificateRejectedException(rejection.reason(), rejection.text()));
        }

        /** Adds a rejection, and removes the oldest one if there is no room. */
        public synchronized void remember(ByteBuffer key, CertificateRejectedException rejection, Instant at) {
            rejections.remove(key);
            if (rejections.size() >= MAX_ENTRIES) {
                rejections.remove(rejections.keySet().iterator().next());
            }
            String text = String.valueOf(rejection.getMessage());
            String kept = text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT - 3) + "...";
            rejections.put(key, new Rejection(rejection.reason(), kept, at));
        }

        synchronized int size() {
            return rejections.size();
        }
    }
}
