/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.internal.json;

import static org.signetmq.policy.internal.text.PolicyKeys.ACCEPT_LEGACY;
import static org.signetmq.policy.internal.text.PolicyKeys.AUDIT;
import static org.signetmq.policy.internal.text.PolicyKeys.BROKERS;
import static org.signetmq.policy.internal.text.PolicyKeys.CERTIFICATE;
import static org.signetmq.policy.internal.text.PolicyKeys.ENCRYPTION_ALGORITHM;
import static org.signetmq.policy.internal.text.PolicyKeys.PATTERN;
import static org.signetmq.policy.internal.text.PolicyKeys.QUALITY;
import static org.signetmq.policy.internal.text.PolicyKeys.RECIPIENTS;
import static org.signetmq.policy.internal.text.PolicyKeys.SIGNATURE_ALGORITHM;
import static org.signetmq.policy.internal.text.PolicyKeys.SIGNERS;
import static org.signetmq.policy.internal.text.PolicyKeys.WHERE;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.signetmq.policy.CertificateInclusion;
import org.signetmq.policy.EncryptionAlgorithm;
import org.signetmq.policy.LegacyAlgorithms;
import org.signetmq.policy.MessageAudit;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.Policy;
import org.signetmq.policy.Policy.Acceptance;
import org.signetmq.policy.Policy.Encryption;
import org.signetmq.policy.Policy.Signing;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.SealingPlace;
import org.signetmq.policy.SignatureAlgorithm;
import org.signetmq.policy.WildcardSyntax;
import org.signetmq.policy.internal.text.PolicyKeys;

/** Reads one policy. The {@link JsonObject} keeps its problems. */
public final class PolicyReader {
    private static final List<String> SIGNATURE_LABELS = Arrays.stream(SignatureAlgorithm.values())
            .map(SignatureAlgorithm::label)
            .toList();
    private static final List<String> ENCRYPTION_LABELS = Arrays.stream(EncryptionAlgorithm.values())
            .map(EncryptionAlgorithm::label)
            .toList();

    private final JsonObject json;
    private final PartyValidator known;
    private final WildcardSyntax syntax;

    public PolicyReader(JsonObject json, PartyValidator known, WildcardSyntax syntax) {
        this.json = json;
        this.known = known;
        this.syntax = syntax;
    }

    /** Returns the policy; empty if it has a problem. */
    public Optional<Policy> read() {
        json.rejectUnknownKeys(PolicyKeys.OF_POLICY);
        json.rejectIfMissing(PATTERN, "name an address or a pattern such as \"orders.#\"");
        json.rejectIfMissing(QUALITY, "write one of none, integrity, privacy, confidentiality");
        Optional<String> pattern = json.text(PATTERN);
        pattern.flatMap(text -> syntax.problemWithPattern(text)).ifPresent(problem -> json.reject(PATTERN, problem));
        Optional<QualityOfProtection> quality =
                json.choice(QUALITY, List.of(QualityOfProtection.values()), QualityOfProtection::label);
        Signing signing = signing();
        Encryption encryption = encryption(quality.orElse(QualityOfProtection.CONFIDENTIALITY));
        Acceptance acceptance = new Acceptance(
                TolerationReader.read(json),
                json.choice(WHERE, List.of(SealingPlace.values()), SealingPlace::label)
                        .orElse(SealingPlace.EITHER),
                json.flag(ACCEPT_LEGACY) ? LegacyAlgorithms.ACCEPTED : LegacyAlgorithms.REFUSED,
                json.choice(AUDIT, List.of(MessageAudit.EACH), MessageAudit::label)
                        .orElse(MessageAudit.NONE));
        quality.ifPresent(wanted -> rejectWhatDoesNotFit(wanted, signing, encryption));
        return pattern.isPresent() && quality.isPresent() && !json.hasProblems()
                ? Optional.of(new Policy(pattern.get(), quality.get(), signing, encryption, acceptance))
                : Optional.empty();
    }

    private Signing signing() {
        Optional<SignatureAlgorithm> algorithm =
                algorithm(SIGNATURE_ALGORITHM, AlgorithmNames::signature, SIGNATURE_LABELS);
        return new Signing(
                algorithm.orElse(Signing.DEFAULT.algorithm()),
                json.parties(SIGNERS, known.signerProblem()),
                json.choice(CERTIFICATE, List.of(CertificateInclusion.values()), CertificateInclusion::label)
                        .orElse(Signing.DEFAULT.certificate()),
                json.parties(BROKERS, known.signerProblem()));
    }

    private Encryption encryption(QualityOfProtection quality) {
        Optional<EncryptionAlgorithm> algorithm =
                algorithm(ENCRYPTION_ALGORITHM, AlgorithmNames::encryption, ENCRYPTION_LABELS);
        return new Encryption(
                algorithm.orElse(Encryption.UNUSED.algorithm()),
                json.parties(RECIPIENTS, known.recipientProblem()),
                KeyLimitsReader.read(json, KeyLimitsReader.defaultsOf(quality)));
    }

    private <A> Optional<A> algorithm(String key, Function<String, Optional<A>> named, List<String> supported) {
        Optional<String> name = json.text(key);
        Optional<A> algorithm = name.flatMap(named);
        if (name.isPresent() && algorithm.isEmpty()) {
            json.reject(key, AlgorithmNames.problemWith(name.get(), supported));
        }
        return algorithm;
    }

    private void rejectWhatDoesNotFit(QualityOfProtection quality, Signing signing, Encryption encryption) {
        String label = quality.label();
        boolean nobody = json.field(RECIPIENTS)
                .map(list -> list.isArray() && list.isEmpty())
                .orElse(true);
        if (quality.encrypts() && nobody) {
            json.reject(RECIPIENTS, "none, but " + label + " encrypts, and no consumer could read; name at least one");
        }
        if (!quality.encrypts() && !encryption.recipients().isEmpty()) {
            json.reject(
                    RECIPIENTS,
                    label + " does not encrypt: every client can read; remove them, or write "
                            + "\"quality\": \"privacy\" or \"confidentiality\"");
        }
        if (!quality.signs() && !signing.signers().isEmpty()) {
            json.reject(
                    SIGNERS,
                    label + " does not sign: no signer is checked; remove them, or write "
                            + "\"quality\": \"integrity\" or \"privacy\"");
        }
        if (!quality.signs() && !signing.brokers().isEmpty()) {
            json.reject(
                    BROKERS,
                    label + " does not sign: no broker can vouch for a sender; remove them, or write "
                            + "\"quality\": \"integrity\" or \"privacy\"");
        }
        if (quality != QualityOfProtection.CONFIDENTIALITY) {
            PolicyKeys.OF_KEY_LIMITS.stream()
                    .filter(json::has)
                    .forEach(key -> json.reject(
                            key,
                            label
                                    + (quality.encrypts()
                                            ? " takes a fresh key for each message"
                                            : " needs no data key")
                                    + "; remove it, or write \"quality\": \"confidentiality\""));
        }
    }
}
