/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.file;

import static org.signetmq.policy.internal.text.PolicyKeys.ACCEPT_LEGACY;
import static org.signetmq.policy.internal.text.PolicyKeys.AUDIT;
import static org.signetmq.policy.internal.text.PolicyKeys.BIND_USER;
import static org.signetmq.policy.internal.text.PolicyKeys.BROKERS;
import static org.signetmq.policy.internal.text.PolicyKeys.CERTIFICATE;
import static org.signetmq.policy.internal.text.PolicyKeys.ENCRYPTION_ALGORITHM;
import static org.signetmq.policy.internal.text.PolicyKeys.ENFORCE;
import static org.signetmq.policy.internal.text.PolicyKeys.EXTRA_RECIPIENTS;
import static org.signetmq.policy.internal.text.PolicyKeys.HIDE;
import static org.signetmq.policy.internal.text.PolicyKeys.KEY_REUSE;
import static org.signetmq.policy.internal.text.PolicyKeys.MAX_AGE;
import static org.signetmq.policy.internal.text.PolicyKeys.MAX_BYTES;
import static org.signetmq.policy.internal.text.PolicyKeys.MUTUAL_TRUST;
import static org.signetmq.policy.internal.text.PolicyKeys.ON_FAILURE;
import static org.signetmq.policy.internal.text.PolicyKeys.PATTERN;
import static org.signetmq.policy.internal.text.PolicyKeys.QUALITY;
import static org.signetmq.policy.internal.text.PolicyKeys.QUARANTINE;
import static org.signetmq.policy.internal.text.PolicyKeys.RECIPIENTS;
import static org.signetmq.policy.internal.text.PolicyKeys.REPLAY_WINDOW;
import static org.signetmq.policy.internal.text.PolicyKeys.REQUIRE;
import static org.signetmq.policy.internal.text.PolicyKeys.SIGNATURE;
import static org.signetmq.policy.internal.text.PolicyKeys.SIGNATURE_ALGORITHM;
import static org.signetmq.policy.internal.text.PolicyKeys.SIGNERS;
import static org.signetmq.policy.internal.text.PolicyKeys.TOLERATION;
import static org.signetmq.policy.internal.text.PolicyKeys.UNLIMITED;
import static org.signetmq.policy.internal.text.PolicyKeys.UNTIL;
import static org.signetmq.policy.internal.text.PolicyKeys.VERIFY;
import static org.signetmq.policy.internal.text.PolicyKeys.WHERE;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.signetmq.policy.Amounts;
import org.signetmq.policy.BrokerAddresses;
import org.signetmq.policy.CertificateInclusion;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.Policy;
import org.signetmq.policy.Policy.Acceptance;
import org.signetmq.policy.Policy.Encryption;
import org.signetmq.policy.Policy.EncryptionAlgorithm;
import org.signetmq.policy.Policy.Enforcement;
import org.signetmq.policy.Policy.LegacyAlgorithms;
import org.signetmq.policy.Policy.MessageAudit;
import org.signetmq.policy.Policy.OnFailure;
import org.signetmq.policy.Policy.OpenFailures;
import org.signetmq.policy.Policy.RequiredKeys;
import org.signetmq.policy.Policy.SignatureCheck;
import org.signetmq.policy.Policy.SignatureSharing;
import org.signetmq.policy.Policy.Signing;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.SealingPlace;
import org.signetmq.policy.SignatureAlgorithm;
import org.signetmq.policy.Toleration;
import org.signetmq.policy.WildcardSyntax;
import org.signetmq.policy.internal.match.PatternVariables.Variables;
import org.signetmq.policy.internal.text.DocumentLimits;
import org.signetmq.policy.internal.text.PolicyKeys;
import org.signetmq.policy.text.Quoted;

/** Reads one policy. The {@link JsonObject} keeps its problems. */
final class PolicyReader {
    /** The highest age that a policy may set. NIST SP 800-57, 5.3.6 recommends no longer use by an originator. */
    static final Duration MOST_AGE = Duration.ofDays(365);

    /** The longest window in which a broker remembers messages. */

    /** The first instant that has no year of four digits. */
    private static final Instant TOO_LATE = Instant.parse("+10000-01-01T00:00:00Z");

    private static final Instant TOO_EARLY = Instant.parse("0000-01-01T00:00:00Z");
    private static final String FORMS_OF_TOLERATION =
            "write \"enforce\", or {\"until\": \"2026-12-31T00:00:00Z\"} to tolerate until then";

    /** Broken or too short algorithms by their beginnings, and modes without authentication. */
    private static final Pattern WEAK = Pattern.compile("(?s)SHA|NULL|NONE|.*(CBC|ECB|CFB|OFB|CTR|NOPADDING).*"
            + "|(MD|SHA1|SHA224|RIPEMD|RC[245]|ARCFOUR|3?DES|TRIPLEDES|TDEA|TDES|BLOWFISH|IDEA|CAST|AES128|AES192).*");

    /** The names of properties that may be hidden: those of JMS, without those that JMS or Artemis gives a meaning. */
    private static final Pattern HIDDEN = Pattern.compile("(?!JMS|_AMQ|_HQ)[A-Za-z_$][A-Za-z0-9_$]{0,127}");

    /** The algorithms by their plain names. */
    private static final Map<String, SignatureAlgorithm> SIGNATURES = new HashMap<>();

    private static final Map<String, EncryptionAlgorithm> ENCRYPTIONS = new HashMap<>();

    static {
        for (SignatureAlgorithm algorithm : SignatureAlgorithm.values()) {
            SIGNATURES.put(plain(algorithm.label()), algorithm);
        }
        for (EncryptionAlgorithm algorithm : EncryptionAlgorithm.values()) {
            ENCRYPTIONS.put(plain(algorithm.label()), algorithm);
            ENCRYPTIONS.put(plain(algorithm.label()) + "GCM", algorithm);
        }
    }

    private final JsonObject json;
    private final PartyValidator known;
    private final WildcardSyntax syntax;

    PolicyReader(JsonObject json, PartyValidator known, WildcardSyntax syntax) {
        this.json = json;
        this.known = known;
        this.syntax = syntax;
    }

    /** Returns the policy; empty if it has a problem. */
    Optional<Policy> read() {
        json.rejectUnknownKeys(PolicyKeys.OF_POLICY);
        json.rejectIfMissing(PATTERN, "name an address or a pattern such as \"orders.#\"");
        json.rejectIfMissing(QUALITY, "write one of none, integrity, privacy, confidentiality, authenticity");
        Optional<String> pattern = json.text(PATTERN);
        pattern.flatMap(syntax::problemWithPattern).ifPresent(problem -> json.reject(PATTERN, problem));
        Optional<QualityOfProtection> quality = json.choice(QUALITY, QualityOfProtection.values());
        Signing signing = signing();
        Encryption encryption = encryption(quality.orElse(QualityOfProtection.CONFIDENTIALITY));
        Acceptance acceptance = new Acceptance(
                toleration(),
                json.choice(WHERE, SealingPlace.values()).orElse(SealingPlace.EITHER),
                json.flag(ACCEPT_LEGACY) ? LegacyAlgorithms.ACCEPTED : LegacyAlgorithms.REFUSED,
                json.choice(AUDIT, List.of(MessageAudit.EACH), MessageAudit::label)
                        .orElse(MessageAudit.NONE));
        Enforcement enforcement = enforcement();
        OpenFailures openFailures = openFailures();
        quality.ifPresent(wanted -> {
            rejectWhatDoesNotFit(wanted, signing, encryption);
            rejectWhatDoesNotFit(wanted, enforcement);
            if (enforcement.require() == RequiredKeys.BOTH) {
                rejectWhatHasNoCompanion(wanted, signing, encryption);
            }
        });
        Set<String> variables = pattern.map(syntax::variablesOf).orElse(Set.of());
        rejectVariables(SIGNERS, signing.signers(), variables);
        rejectVariables(BROKERS, signing.brokers(), Set.of());
        rejectVariables(RECIPIENTS, encryption.recipients(), variables);
        return pattern.isPresent() && quality.isPresent() && !json.hasProblems()
                ? Optional.of(new Policy(
                        pattern.get(), quality.get(), signing, encryption, acceptance, enforcement, openFailures))
                : Optional.empty();
    }

    private void rejectVariables(String key, List<String> names, Set<String> known) {
        Variables.problemWith(names, known).ifPresent(problem -> json.reject(key, problem));
    }

    private Signing signing() {
        return new Signing(
                algorithm(SIGNATURE_ALGORITHM, SIGNATURES, SignatureAlgorithm.values(), SignatureAlgorithm::label)
                        .orElse(Signing.DEFAULT.algorithm()),
                json.parties(SIGNERS, known.signerProblem()),
                json.choice(CERTIFICATE, CertificateInclusion.values()).orElse(Signing.DEFAULT.certificate()),
                json.parties(BROKERS, known.signerProblem()),
                json.choice(SIGNATURE, SignatureSharing.values()).orElse(SignatureSharing.SINGLE));
    }

    private Encryption encryption(QualityOfProtection quality) {
        KeyLimits defaults = defaultLimits(quality);
        return new Encryption(
                algorithm(ENCRYPTION_ALGORITHM, ENCRYPTIONS, EncryptionAlgorithm.values(), EncryptionAlgorithm::label)
                        .orElse(Encryption.UNUSED.algorithm()),
                json.parties(RECIPIENTS, known.recipientProblem()),
                new KeyLimits(
                        keyReuse().orElse(defaults.messages()),
                        bytes().orElse(defaults.bytes()),
                        age().orElse(defaults.age())),
                json.choice(MUTUAL_TRUST, List.of(PolicyKeys.ACCEPTED), word -> word)
                        .isPresent());
    }

    /** Returns the algorithm with this name in upper or lower case, with or without hyphens. */
    private <A> Optional<A> algorithm(String key, Map<String, A> named, A[] all, Function<A, String> label) {
        Optional<String> name = json.text(key);
        Optional<A> algorithm = name.map(written -> named.get(plain(written)));
        if (name.isPresent() && algorithm.isEmpty()) {
            String choice = Arrays.stream(all).map(label).collect(Collectors.joining("\" or \""));
            json.reject(
                    key,
                    WEAK.matcher(plain(name.get())).matches()
                            ? "a weak algorithm, found " + Quoted.text(name.get()) + "; use \"" + choice + "\""
                            : "not supported, found " + Quoted.text(name.get()) + "; supported is \"" + choice + "\"");
        }
        return algorithm;
    }

    private static String plain(String name) {
        StringBuilder plain = new StringBuilder(name.length());
        name.toUpperCase(Locale.ROOT).chars().filter(c -> "-_/ ".indexOf(c) < 0).forEach(c -> plain.append((char) c));
        return plain.toString();
    }

    /** Returns the limits of a policy that names none. */
    static KeyLimits defaultLimits(QualityOfProtection quality) {
        return quality.reusesKeys() ? KeyLimits.DEFAULT : KeyLimits.FRESH_KEY;
    }

    private OptionalLong keyReuse() {
        Optional<JsonNode> value = json.field(KEY_REUSE);
        if (value.isEmpty()) {
            return OptionalLong.empty();
        }
        if (UNLIMITED.equals(value.get().textValue())) {
            return OptionalLong.of(KeyLimits.MOST_MESSAGES);
        }
        OptionalLong number = JsonObject.wholeNumber(value.get(), 0, KeyLimits.MOST_MESSAGES);
        if (number.isEmpty()) {
            json.reject(
                    KEY_REUSE,
                    "no number of messages, found " + JsonObject.describe(value.get())
                            + "; write 0 for a fresh key each, a whole number up to " + KeyLimits.MOST_MESSAGES
                            + ", or \"unlimited\"");
            return number;
        }
        return OptionalLong.of(Math.max(1, number.getAsLong())); // 0 and 1 both mean a fresh key for each message
    }

    private OptionalLong bytes() {
        Optional<JsonNode> value = json.field(MAX_BYTES);
        if (value.isEmpty()) {
            return OptionalLong.empty();
        }
        OptionalLong bytes = value.get().isTextual()
                ? Amounts.bytes(value.get().textValue())
                : JsonObject.wholeNumber(value.get(), 1, KeyLimits.MOST_BYTES);
        if (bytes.isEmpty() || bytes.getAsLong() < 1 || bytes.getAsLong() > KeyLimits.MOST_BYTES) {
            json.reject(
                    MAX_BYTES,
                    "no size from 1 byte to " + Amounts.format(KeyLimits.MOST_BYTES) + ", found "
                            + JsonObject.describe(value.get())
                            + "; write a number of bytes, or a size such as \"512MiB\" (B, KiB, MiB, GiB, TiB)");
            return OptionalLong.empty();
        }
        return bytes;
    }

    private Optional<Duration> age() {
        return duration(MAX_AGE, MOST_AGE);
    }

    private Optional<Duration> duration(String key, Duration most) {
        Optional<String> text = json.text(key);
        Optional<Duration> age = text.flatMap(Amounts::duration)
                .filter(found -> !found.isNegative() && !found.isZero() && found.compareTo(most) <= 0);
        if (text.isPresent() && age.isEmpty()) {
            json.reject(
                    key,
                    "no duration above zero and up to " + most.toDays() + " days, found " + Quoted.text(text.get())
                            + "; write one such as \"90s\", \"30m\", \"1h\", \"7d\" or \"PT1H30M\"");
        }
        return age;
    }

    private Enforcement enforcement() {
        return new Enforcement(
                json.choice(VERIFY, SignatureCheck.values()).orElse(Enforcement.DEFAULT.verify()),
                json.choice(EXTRA_RECIPIENTS, List.of(PolicyKeys.REFUSE, PolicyKeys.ALLOW), word -> word)
                        .filter(PolicyKeys.ALLOW::equals)
                        .isPresent(),
                json.choice(BIND_USER, List.of(PolicyKeys.BY_CERTIFICATE), word -> word)
                        .isPresent(),
                duration(REPLAY_WINDOW, Enforcement.LONGEST_REPLAY_WINDOW).orElse(null),
                hidden(),
                json.choice(REQUIRE, RequiredKeys.values()).orElse(RequiredKeys.EITHER));
    }

    /**
     * Returns the names of hidden properties. Each is a name of JMS, and none that JMS or a broker keeps for itself.
     */
    private List<String> hidden() {
        List<String> names = json.parties(HIDE, name -> Optional.empty());
        names.stream()
                .filter(name -> !HIDDEN.matcher(name).matches())
                .forEach(name -> json.reject(
                        HIDE,
                        "no name of a property that can travel hidden, found " + Quoted.text(name)
                                + "; write a Java identifier that begins neither with JMS nor with _AMQ"));
        json.rejectIf(
                names.size() > DocumentLimits.MOST_HIDDEN,
                HIDE,
                "more than " + DocumentLimits.MOST_HIDDEN + " names, found " + names.size());
        return names;
    }

    private OpenFailures openFailures() {
        Optional<String> quarantine = json.text(QUARANTINE);
        quarantine
                .filter(address -> address.isBlank()
                        || !address.equals(address.strip())
                        || address.length() > DocumentLimits.LONGEST_TEXT
                        || address.contains("::")
                        || syntax.isWild(address)
                        || BrokerAddresses.DEFAULT.useOf(address).isPresent())
                .ifPresent(wrong -> json.reject(
                        QUARANTINE,
                        "no single address of your own, found " + Quoted.text(wrong) + "; write one such as \""
                                + OpenFailures.QUARANTINE + "\""));
        return new OpenFailures(json.choice(ON_FAILURE, OnFailure.values()).orElse(null), quarantine.orElse(null));
    }

    private void rejectWhatDoesNotFit(QualityOfProtection quality, Enforcement enforcement) {
        String label = quality.label();
        if (quality != QualityOfProtection.INTEGRITY) {
            boolean showsSender = quality == QualityOfProtection.AUTHENTICITY; // in place of a signature
            String unseen = label + (quality.signs() ? " hides its signature from the broker" : " does not sign")
                    + "; remove it, or write \"quality\": \"integrity\"";
            json.rejectIf(
                    json.has(VERIFY) && (!quality.signs() || enforcement.verify() == SignatureCheck.STRUCTURE),
                    VERIFY,
                    unseen);
            json.rejectIf(enforcement.bindUser() && !showsSender, BIND_USER, unseen);
        }
        json.rejectIf(
                quality == QualityOfProtection.INTEGRITY
                        && enforcement.verify() == SignatureCheck.STRUCTURE
                        && json.has(REPLAY_WINDOW),
                REPLAY_WINDOW,
                "the broker would remember messages whose signature it does not verify; remove \"verify\":"
                        + " \"structure\", or this key");
        json.rejectIf(
                !quality.encrypts() && json.has(EXTRA_RECIPIENTS),
                EXTRA_RECIPIENTS,
                label + " does not encrypt; remove it");
        if (quality == QualityOfProtection.NONE) {
            for (String key : List.of(REPLAY_WINDOW, HIDE, ON_FAILURE, QUARANTINE)) {
                json.rejectIf(json.has(key), key, "none passes messages unchanged; remove it, or name another quality");
            }
        }
    }

    private Toleration toleration() {
        Optional<JsonNode> value = json.field(TOLERATION);
        if (value.isEmpty() || ENFORCE.equals(value.get().textValue())) {
            return Toleration.ENFORCE;
        }
        if (!(value.get() instanceof ObjectNode object)) {
            json.reject(
                    TOLERATION,
                    "no known toleration, found " + JsonObject.describe(value.get()) + "; " + FORMS_OF_TOLERATION);
            return Toleration.ENFORCE;
        }
        JsonObject toleration = new JsonObject(object, json.pathOf(TOLERATION));
        toleration.rejectUnknownKeys(PolicyKeys.OF_TOLERATION);
        toleration.rejectIfMissing(UNTIL, "toleration needs an end; " + FORMS_OF_TOLERATION);
        Optional<String> until = toleration.text(UNTIL);
        Optional<Instant> end = until.flatMap(PolicyReader::instant);
        if (until.isPresent() && end.isEmpty()) {
            toleration.reject(
                    UNTIL,
                    "no date with time and zone, found " + Quoted.text(until.get())
                            + "; write it as \"2026-12-31T00:00:00Z\"");
        }
        json.rejectAll(TOLERATION, toleration.problems());
        return end.map(Toleration::new).orElse(Toleration.ENFORCE);
    }

    private static Optional<Instant> instant(String text) {
        try {
            Instant instant = OffsetDateTime.parse(text).toInstant();
            return instant.isBefore(TOO_EARLY) || !instant.isBefore(TOO_LATE) ? Optional.empty() : Optional.of(instant);
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** Rejects what {@code require: both} cannot mean: each name stands for itself and its companion. */
    private void rejectWhatHasNoCompanion(QualityOfProtection quality, Signing signing, Encryption encryption) {
        json.rejectIf(
                quality == QualityOfProtection.NONE || quality == QualityOfProtection.AUTHENTICITY,
                REQUIRE,
                quality.label()
                        + (quality == QualityOfProtection.NONE
                                ? " uses no keys; remove it"
                                : " proves the sender by elliptic curves alone; write \"quality\": \"privacy\""));
        json.rejectIf(
                quality.signs() && signing.signers().isEmpty(),
                SIGNERS,
                "none, but \"require\": \"both\" checks that two keys are those of one signer; name the signers");
        rejectOtherThanNames(RECIPIENTS, encryption.recipients());
        rejectOtherThanNames(SIGNERS, signing.signers());
        rejectOtherThanNames(BROKERS, signing.brokers());
    }

    private void rejectOtherThanNames(String key, List<String> parties) {
        parties.stream()
                .filter(party -> !RequiredKeys.hasCompanion(party))
                .forEach(party -> json.reject(
                        key,
                        "\"require\": \"both\" needs names, and each NAME means NAME and NAME.pq; found "
                                + Quoted.text(party)));
    }

    private void rejectWhatDoesNotFit(QualityOfProtection quality, Signing signing, Encryption encryption) {
        String label = quality.label();
        boolean nobody = json.field(RECIPIENTS)
                .map(list -> list.isArray() && list.isEmpty())
                .orElse(true);
        json.rejectIf(
                quality.encrypts() && nobody,
                RECIPIENTS,
                "none, but " + label + " encrypts, and no consumer could read; name at least one");
        json.rejectIf(
                !quality.encrypts() && !encryption.recipients().isEmpty(),
                RECIPIENTS,
                label + " does not encrypt: every client can read; remove them, or write "
                        + "\"quality\": \"privacy\" or \"confidentiality\"");
        json.rejectIf(
                !quality.provesSender() && !signing.signers().isEmpty(),
                SIGNERS,
                label + " does not sign: no signer is checked; remove them, or write "
                        + "\"quality\": \"integrity\", \"privacy\" or \"authenticity\"");
        json.rejectIf(
                !quality.provesSender() && !signing.brokers().isEmpty(),
                BROKERS,
                label + " does not sign: no broker can vouch for a sender; remove them, or write "
                        + "\"quality\": \"integrity\", \"privacy\" or \"authenticity\"");
        json.rejectIf(
                !quality.signs() && signing.sharing() == SignatureSharing.SHARED,
                SIGNATURE,
                label + " does not sign; remove it, or write \"quality\": \"integrity\" or \"privacy\"");
        json.rejectIf(
                quality != QualityOfProtection.AUTHENTICITY && encryption.mutualTrust(),
                MUTUAL_TRUST,
                label + " does not need it; remove it, or write \"quality\": \"authenticity\"");
        Policy.problemWithTrust(quality, encryption, List.of()).ifPresent(problem -> json.reject(RECIPIENTS, problem));
        if (!quality.reusesKeys()) {
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
