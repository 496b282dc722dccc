/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.trust;

import java.math.BigInteger;
import java.net.URI;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.CertificateRejectedException.Reason;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.internal.trust.Issued.SeenCertificates;
import org.signetmq.keystore.internal.trust.OcspAnswer.Status;
import org.signetmq.keystore.internal.x509.CertificatePaths.VerificationBudget;
import org.signetmq.keystore.internal.x509.CertificateProviders;
import org.signetmq.keystore.internal.x509.CertificateRules;
import org.signetmq.keystore.trust.RevocationSettings;
import org.signetmq.keystore.trust.RevocationSettings.Failure;
import org.signetmq.keystore.trust.RevocationSettings.Source;
import org.signetmq.keystore.trust.RevocationSettings.WithoutSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Decides by all that is known whether the members of a path are revoked. It never waits for the network: what it does
 * not know, the updater fetches for later messages. Thread-safe.
 */
public final class RevocationCheck {
    private static final Logger LOG = LoggerFactory.getLogger(RevocationCheck.class);

    /** The time after which an answer is verified again that was not rightful, because the clock may be right then. */
    private static final Duration VERIFIED_AGAIN = Duration.ofMinutes(5);

    private final RevocationSettings settings;
    private final RevocationLists files;
    private final RevocationUpdater updater;

    /** The answers of the home by the serial numbers in them. */
    private final Map<BigInteger, List<OcspAnswer>> answers = new HashMap<>();

    private final List<String> unreadable;

    /** The certificates of the home by their keys, and by their subjects. */
    private final Map<SeenCertificates.Key, List<X509Certificate>> byKey = new HashMap<>();

    private final Map<X500Principal, List<X509Certificate>> bySubject = new HashMap<>();

    /** The certificates of the home that signed one of its certificates, found when the key of that one comes. */
    private final Map<X509Certificate, List<X509Certificate>> issuers = new ConcurrentHashMap<>();

    /** The states in these answers, each verified once, or again if the time spoilt an answer. */
    private final Map<Issued.Id, Stapled> stapled = new ConcurrentHashMap<>();

    /**
     * What the home has.
     *
     * @param lists the lists of {@code crl/}
     * @param answers the answers of {@code ocsp/}
     * @param unreadable the problems of unreadable files in {@code ocsp/}, which may revoke any certificate
     * @param certificates the certificates of the home, each of which an issuer may revoke with its key
     */
    public record Files(
            RevocationLists lists,
            List<OcspAnswer> answers,
            List<String> unreadable,
            Collection<X509Certificate> certificates) {}

    /**
     * The state of a certificate in the answers of the home.
     *
     * @param states the states in all rightful answers about the certificate
     * @param complete whether each answer was rightful; a certificate of a responder may be so at another time
     */
    private record Stapled(List<Status> states, boolean complete, Instant at) {
        boolean holds(Instant now) {
            return complete || Duration.between(at, now).abs().compareTo(VERIFIED_AGAIN) < 0;
        }
    }

    public RevocationCheck(RevocationSettings settings, Files home, RevocationUpdater updater) {
        this.settings = settings;
        this.files = settings.isRequired() ? home.lists().verified() : home.lists();
        this.updater = updater;
        this.unreadable = home.unreadable();
        for (OcspAnswer answer : home.answers()) {
            answer.serialNumbers()
                    .forEach(serial -> this.answers
                            .computeIfAbsent(serial, any -> new ArrayList<>())
                            .add(answer));
        }
        for (X509Certificate certificate : home.certificates()) {
            byKey.computeIfAbsent(SeenCertificates.Key.of(certificate), any -> new ArrayList<>())
                    .add(certificate);
            bySubject
                    .computeIfAbsent(certificate.getSubjectX500Principal(), any -> new ArrayList<>())
                    .add(certificate);
        }
        updater.unknown().removeKnown(this::isKnown);
    }

    /** What was fetched, as one question sees it at its time. */
    private record Look(RevocationUpdater.Known known, Instant at, VerificationBudget budget) {}

    /** Returns what a question of no message sees. */
    private Look look(Instant at) {
        return new Look(updater.known(), at, new VerificationBudget(new LongAdder()));
    }

    private List<RevocationLists> lists(Look look) {
        return settings.crl() == Source.OFF
                ? List.of()
                : List.of(files, look.known().lists());
    }

    /** Tells whether the state of a certificate is known, or not needed. */
    private boolean isKnown(Issued issued, Instant at) {
        Look look = look(at);
        Optional<Status> answer = answer(issued, look);
        try {
            return answer.flatMap(Status::revoked).isPresent()
                    || provenUntil(issued, answer, look) != null
                    || isWithoutSource(issued, answer, look);
        } catch (CertificateRejectedException tooCostly) {
            return false;
        }
    }

    /**
     * Rejects a path with a member that is revoked, or whose state is unknown although it is required. The caller has
     * verified the signatures of the path.
     *
     * @param vouched whether no party issued a member, so that a revocation concerns the key under all certificates
     * @return the end of the time for which the answer holds
     */
    public Instant require(List<X509Certificate> path, boolean vouched, Instant at, VerificationBudget budget) {
        List<Issued> members = Issued.of(path);
        members.forEach(updater::want);
        Look look = new Look(updater.known(), at, budget);
        if (vouched) {
            updater.seen().add(members);
        }
        lists(look).forEach(lists -> lists.requireNotRevoked(path, at, budget));
        if (settings.ocsp() != Source.OFF && !unreadable.isEmpty()) {
            throw CertificateRules.rejected(
                    Reason.REVOKED,
                    path.get(0),
                    "may be revoked, since an OCSP answer cannot be read: " + unreadable.get(0));
        }
        path.forEach(member -> requireKey(member, look));
        Instant until = Instant.MAX;
        for (Issued issued : members) {
            Optional<Status> answer = answer(issued, look);
            answer.flatMap(Status::revoked).ifPresent(revoked -> {
                throw CertificateRules.rejected(
                        Reason.REVOKED, issued.certificate(), "revoked on " + revoked + ", by an OCSP answer");
            });
            if (settings.isRequired()) {
                Instant end = proof(issued, answer, look);
                until = end.isBefore(until) ? end : until;
            }
        }
        return until;
    }

    /** Rejects a certificate whose key is revoked under another certificate, whoever issued that one. */
    private void requireKey(X509Certificate member, Look look) {
        SeenCertificates.Key key = SeenCertificates.Key.of(member);
        Stream<Issued> inHome = byKey.getOrDefault(key, List.of()).stream()
                .filter(other -> !other.equals(member)) // its own revocation has a reason of its own
                .flatMap(other -> issuers.computeIfAbsent(other, this::issuersInHome).stream()
                        .map(issuer -> new Issued(other, issuer)));
        Stream<Issued> seen = updater.seen().of(key).stream()
                .filter(issued -> !issued.certificate().equals(member));
        Stream.concat(inHome, seen)
                .filter(other -> isKeyRevoked(other, look))
                .findFirst()
                .ifPresent(other -> {
                    throw CertificateRules.rejected(
                            Reason.REVOKED,
                            member,
                            "its key is revoked, under the certificate with the serial number "
                                    + other.certificate().getSerialNumber().toString(16));
                });
    }

    private List<X509Certificate> issuersInHome(X509Certificate certificate) {
        return bySubject.getOrDefault(certificate.getIssuerX500Principal(), List.of()).stream()
                .filter(issuer -> CertificateProviders.isSignedBy(certificate, issuer.getPublicKey()))
                .toList();
    }

    /** Tells whether an issuer revoked a certificate for a reason that concerns its key. */
    private boolean isKeyRevoked(Issued issued, Look look) {
        VerificationBudget own = new VerificationBudget(new LongAdder()); // lists remember their signers
        return lists(look).stream().anyMatch(lists -> lists.revokesKey(issued, own))
                || answers(issued, look).anyMatch(status -> status.revoked().isPresent() && status.concernsKey());
    }

    /** Returns the gravest state of a certificate in the answers that count. */
    private Optional<Status> answer(Issued issued, Look look) {
        return answers(issued, look).reduce(Status::graver);
    }

    private Stream<Status> answers(Issued issued, Look look) {
        if (settings.ocsp() == Source.OFF) {
            return Stream.empty();
        }
        Issued.Id id = issued.id();
        List<OcspAnswer> about = answers.getOrDefault(id.serialNumber(), List.of());
        List<Status> inFiles =
                about.isEmpty() ? List.of() : stapled(issued, about, look.at()).states();
        return Stream.of(look.known().answers().getOrDefault(id, List.of()), inFiles)
                .flatMap(List::stream)
                .filter(status -> status.counts(look.at()));
    }

    private Stapled stapled(Issued issued, List<OcspAnswer> about, Instant at) {
        return Objects.requireNonNull(stapled.compute(
                issued.id(),
                (any, before) ->
                        before != null && before.holds(at) ? before : verify(issued, about, at, before == null)));
    }

    private static Stapled verify(Issued issued, List<OcspAnswer> about, Instant at, boolean warns) {
        List<Status> found = new ArrayList<>();
        boolean complete = true;
        for (OcspAnswer answer : about) {
            try {
                answer.status(issued, at).ifPresent(found::add);
            } catch (KeystoreUnusableException notRightful) {
                complete = false;
                LOG.atLevel(warns ? Level.WARN : Level.DEBUG)
                        .log(
                                "an answer in ocsp/ about the serial number {} is not used: {}",
                                issued.certificate().getSerialNumber().toString(16),
                                notRightful.getMessage());
            }
        }
        return new Stapled(found, complete, at);
    }

    private Instant proof(Issued issued, Optional<Status> answer, Look look) {
        Instant end = provenUntil(issued, answer, look);
        if (end != null || isWithoutSource(issued, answer, look)) {
            updater.unknown().remove(issued);
            return end == null ? Instant.MAX : end;
        }
        CertificateRejectedException unknown = unknown(issued.certificate(), look.at());
        updater.unknown().add(issued, String.valueOf(unknown.getMessage()));
        if (settings.failure() == Failure.HARD) {
            throw unknown;
        }
        return Instant.MAX;
    }

    /** Returns the end of the time for which the certificate is not revoked; null if that is unknown. */
    private @Nullable Instant provenUntil(Issued issued, Optional<Status> answer, Look look) {
        Set<String> points = RevocationPoints.of(issued.certificate()).listNames();
        Stream<Instant> byLists = lists(look).stream()
                .flatMap(lists -> lists.provenUntil(issued, points, look.at(), look.budget()).stream());
        Stream<Instant> byAnswer = answer.filter(status -> status.proves(look.at())).map(Status::until).stream();
        return Stream.concat(byAnswer, byLists).max(Comparator.naturalOrder()).orElse(null);
    }

    private boolean isWithoutSource(Issued issued, Optional<Status> answer, Look look) {
        return settings.withoutSource() == WithoutSource.ACCEPT
                && answer.isEmpty()
                && !RevocationPoints.of(issued.certificate()).namesSource()
                && !files.hasListFor(issued.certificate())
                && !look.known().lists().hasListFor(issued.certificate());
    }

    /**
     * Returns the reason why a certificate of the home is of no use or accepted unproved: its state is unknown. Empty
     * if the state is known, or not needed.
     */
    public Optional<String> unknownState(Issued issued, Instant at) {
        return settings.isRequired() && !isKnown(issued, at)
                ? Optional.ofNullable(unknown(issued.certificate(), at).getMessage())
                : Optional.empty();
    }

    /**
     * Returns the reason why the states of all certificates of an issuer are unknown. Empty if another source than
     * {@code crl/} may tell.
     */
    public Optional<String> unknownIssued(X509Certificate issuer, Instant at) {
        if (!settings.isRequired() || settings.crl() != Source.FILES || settings.ocsp() != Source.OFF) {
            return Optional.empty();
        }
        Optional<Instant> end = files.endOfLists(issuer.getSubjectX500Principal());
        if (end.isEmpty() ? settings.withoutSource() == WithoutSource.ACCEPT : !at.isAfter(end.get())) {
            return Optional.empty();
        }
        String why = end.map(ended -> "its list in crl/ ended on " + ended).orElse("crl/ has no list of it");
        return Optional.ofNullable(CertificateRules.rejected(
                        Reason.REVOKED, issuer, "each certificate of this issuer may be revoked: " + why)
                .getMessage());
    }

    private CertificateRejectedException unknown(X509Certificate certificate, Instant at) {
        X500Principal issuer = certificate.getIssuerX500Principal();
        String ended = settings.crl() == Source.OFF
                ? ""
                : files.endOfLists(issuer)
                        .filter(at::isAfter)
                        .map(end ->
                                "the list of " + DistinguishedName.shown(issuer) + " in crl/ ended on " + end + "; ")
                        .orElse("");
        return CertificateRules.rejected(
                Reason.REVOKED,
                certificate,
                "it may be revoked: " + ended + "no valid list or OCSP answer is known; "
                        + remedy(RevocationPoints.of(certificate)));
    }

    private String remedy(RevocationPoints points) {
        List<String> asked = new ArrayList<>();
        if (settings.crl() == Source.FETCH) {
            points.lists().stream().limit(1).map(URI::toASCIIString).forEach(asked::add);
        }
        if (settings.ocsp() == Source.FETCH) {
            points.responders().stream().limit(1).map(URI::toASCIIString).forEach(asked::add);
        }
        return asked.isEmpty()
                ? "put one into crl/ or ocsp/, because it names no address that Signet may ask"
                : "Signet asks " + String.join(" and ", asked) + " in the background";
    }
}
