/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.signetmq.policy.internal.match.PatternVariables.Variables;
import org.signetmq.policy.internal.text.DocumentLimits;
import org.signetmq.policy.internal.text.PolicyKeys;
import org.signetmq.policy.text.Quoted;

/**
 * The protection of every message on the addresses that a pattern matches. Immutable.
 *
 * @param pattern an address, or a pattern of Artemis's wildcards ({@code news.europe.#}, {@code news.*.sport}), with
 *     variables in place of words if names depend on the address ({@code tenant.{t}.#})
 * @param quality the protection of the messages
 * @param signing the signatures and their signers; without effect unless the quality signs
 * @param encryption the encryption and its recipients; without effect unless the quality encrypts
 * @param acceptance the tolerated messages, the place of sealing, and the audit of messages
 * @param enforcement what the broker requires of a message that its producer sealed, and the hidden properties
 * @param openFailures the fate of a message that a consumer cannot open
 */
public record Policy(
        String pattern,
        QualityOfProtection quality,
        Signing signing,
        Encryption encryption,
        Acceptance acceptance,
        Enforcement enforcement,
        OpenFailures openFailures) {
    /** Creates a policy with the default enforcement, and the default fate of messages that do not open. */
    public Policy(
            String pattern,
            QualityOfProtection quality,
            Signing signing,
            Encryption encryption,
            Acceptance acceptance) {
        this(pattern, quality, signing, encryption, acceptance, Enforcement.DEFAULT, OpenFailures.DEFAULT);
    }

    /**
     * The signatures of messages and their signers.
     *
     * @param algorithm the signature algorithm
     * @param signers the permitted signers: names, distinguished names or key identifiers; empty for any trusted one
     * @param certificate whether messages carry the signer's certificate
     * @param brokers the broker identities that vouch for senders: names, distinguished names or key identifiers; empty
     *     for none
     * @param sharing whether one signature may serve several messages
     */
    public record Signing(
            SignatureAlgorithm algorithm,
            List<String> signers,
            CertificateInclusion certificate,
            List<String> brokers,
            SignatureSharing sharing) {
        /** The default: SHA-512, any trusted signer, certificate included. */
        public static final Signing DEFAULT =
                new Signing(SignatureAlgorithm.SHA_512, List.of(), CertificateInclusion.INCLUDED);

        public Signing {
            signers = List.copyOf(signers);
            brokers = List.copyOf(brokers);
        }

        /** Creates rules by which no broker identity vouches for senders. */
        public Signing(SignatureAlgorithm algorithm, List<String> signers, CertificateInclusion certificate) {
            this(algorithm, signers, certificate, List.of());
        }

        /** Creates rules by which each message has a signature of its own. */
        public Signing(
                SignatureAlgorithm algorithm,
                List<String> signers,
                CertificateInclusion certificate,
                List<String> brokers) {
            this(algorithm, signers, certificate, brokers, SignatureSharing.SINGLE);
        }
    }

    /**
     * The encryption of messages and its recipients.
     *
     * @param algorithm the content-encryption algorithm
     * @param recipients the readers: names, distinguished names or key identifiers, with variables of the pattern
     * @param limits the limits of a data key
     * @param mutualTrust whether the administrator accepts that one recipient of quality authenticity can write to the
     *     others in the sender's name
     */
    public record Encryption(
            EncryptionAlgorithm algorithm, List<String> recipients, KeyLimits limits, boolean mutualTrust) {
        /** No recipients, for qualities that do not encrypt. */
        public static final Encryption UNUSED =
                new Encryption(EncryptionAlgorithm.AES_256, List.of(), KeyLimits.FRESH_KEY);

        public Encryption {
            recipients = List.copyOf(recipients);
        }

        /** Creates rules by which recipients need not trust each other. */
        public Encryption(EncryptionAlgorithm algorithm, List<String> recipients, KeyLimits limits) {
            this(algorithm, recipients, limits, false);
        }
    }

    /**
     * The tolerated messages, the place of sealing, and the audit of messages.
     *
     * @param toleration the end of the time in which unprotected messages may still be read
     * @param where the place where messages are sealed
     * @param legacy whether old algorithms of key transport and key derivation are accepted
     * @param audit the sealed messages that the broker audits
     */
    public record Acceptance(Toleration toleration, SealingPlace where, LegacyAlgorithms legacy, MessageAudit audit) {
        /** The default: no unprotected message is read, and producer or broker seals. */
        public static final Acceptance DEFAULT = new Acceptance(Toleration.ENFORCE, SealingPlace.EITHER);

        /** Creates rules by which old algorithms are rejected. */
        public Acceptance(Toleration toleration, SealingPlace where) {
            this(toleration, where, LegacyAlgorithms.REFUSED);
        }

        /** Creates rules by which no message is audited. */
        public Acceptance(Toleration toleration, SealingPlace where, LegacyAlgorithms legacy) {
            this(toleration, where, legacy, MessageAudit.NONE);
        }

        /** Returns these rules with another audit of messages. */
        public Acceptance with(MessageAudit other) {
            return new Acceptance(toleration, where, legacy, other);
        }
    }

    /**
     * What the broker requires of a message that its producer sealed, and the hidden properties.
     *
     * @param verify what the broker checks of a visible signature
     * @param extraRecipients whether a message may have recipients beside those of the policy
     * @param bindUser whether the signer must belong to the user of the session; see {@link PolicySet.Settings#users}
     * @param replayWindow the longest time between signature and arrival, in which a message arrives once; null for no
     *     limit
     * @param hide the names of the properties that travel inside the envelope alone
     * @param require the kinds of keys that protect each message
     */
    public record Enforcement(
            SignatureCheck verify,
            boolean extraRecipients,
            boolean bindUser,
            @Nullable Duration replayWindow,
            List<String> hide,
            RequiredKeys require) {
        /** The longest replay window. */
        public static final Duration LONGEST_REPLAY_WINDOW = Duration.ofDays(7);

        /** The default: signatures are verified, only the recipients of the policy, nothing hidden. */
        public static final Enforcement DEFAULT =
                new Enforcement(SignatureCheck.SIGNATURE, false, false, null, List.of());

        public Enforcement {
            hide = List.copyOf(hide);
        }

        /** Creates an enforcement that needs one kind of keys. */
        public Enforcement(
                SignatureCheck verify,
                boolean extraRecipients,
                boolean bindUser,
                @Nullable Duration replayWindow,
                List<String> hide) {
            this(verify, extraRecipients, bindUser, replayWindow, hide, RequiredKeys.EITHER);
        }
    }

    /**
     * The fate of a message that a consumer cannot open.
     *
     * @param action the action; null for quarantine in listeners and a rejection in receiving calls
     * @param quarantine the address of such messages; null for {@link #QUARANTINE}
     */
    public record OpenFailures(
            @Nullable OnFailure action, @Nullable String quarantine) {
        /** The address of messages that cannot be opened, unless a policy names another. */
        public static final String QUARANTINE = "SIGNET.QUARANTINE";

        /** The default of both. */
        public static final OpenFailures DEFAULT = new OpenFailures(null, null);

        /** Returns the address of messages that cannot be opened. */
        public String quarantineAddress() {
            return quarantine == null ? QUARANTINE : quarantine;
        }
    }

    /** Returns a policy of the defaults that requires signatures only. */
    public static Policy integrity(String pattern) {
        return new Policy(
                pattern, QualityOfProtection.INTEGRITY, Signing.DEFAULT, Encryption.UNUSED, Acceptance.DEFAULT);
    }

    /** Returns a policy of the defaults: signed, then encrypted under a fresh key for each message. */
    public static Policy privacy(String pattern, List<String> recipients) {
        return new Policy(
                pattern,
                QualityOfProtection.PRIVACY,
                Signing.DEFAULT,
                new Encryption(EncryptionAlgorithm.AES_256, recipients, KeyLimits.FRESH_KEY),
                Acceptance.DEFAULT);
    }

    /** Returns a policy of the defaults: encrypted, with a data key reused within the limits. */
    public static Policy confidentiality(String pattern, List<String> recipients, KeyLimits limits) {
        return new Policy(
                pattern,
                QualityOfProtection.CONFIDENTIALITY,
                Signing.DEFAULT,
                new Encryption(EncryptionAlgorithm.AES_256, recipients, limits),
                Acceptance.DEFAULT);
    }

    /**
     * Returns a policy of the defaults: encrypted, with a data key reused within the limits, from a sender that the
     * recipients know. Several recipients trust each other.
     */
    public static Policy authenticity(String pattern, List<String> recipients, KeyLimits limits) {
        return new Policy(
                pattern,
                QualityOfProtection.AUTHENTICITY,
                Signing.DEFAULT,
                new Encryption(EncryptionAlgorithm.AES_256, recipients, limits, recipients.size() > 1),
                Acceptance.DEFAULT);
    }

    /**
     * Returns the problems with too many or too long names, by the key of their list; empty for none.
     *
     * @param recovery the recipients that the set adds to those of a policy that encrypts
     * @param variables the variables of the pattern, with their braces
     */
    Map<String, String> problemsWithNames(List<String> recovery, Set<String> variables) {
        Map<String, String> problems = new LinkedHashMap<>(0);
        checkNames(signing.signers(), PolicyKeys.SIGNERS, problems);
        checkNames(signing.brokers(), PolicyKeys.BROKERS, problems);
        checkNames(encryption.recipients(), PolicyKeys.RECIPIENTS, problems);
        Variables.problemWith(signing.signers(), variables)
                .ifPresent(message -> problems.putIfAbsent(PolicyKeys.SIGNERS, message));
        Variables.problemWith(signing.brokers(), Set.of())
                .ifPresent(message -> problems.putIfAbsent(PolicyKeys.BROKERS, message));
        Variables.problemWith(encryption.recipients(), variables)
                .ifPresent(message -> problems.putIfAbsent(PolicyKeys.RECIPIENTS, message));
        if (quality.encrypts()) {
            DocumentLimits.problemWithNames(encryption.recipients().size() + recovery.size())
                    .or(() -> problemWithTrust(quality, encryption, recovery))
                    .ifPresent(message -> problems.putIfAbsent(PolicyKeys.RECIPIENTS, message));
            recovery.stream()
                    .filter(party -> enforcement.require() == RequiredKeys.BOTH && !RequiredKeys.hasCompanion(party))
                    .findFirst()
                    .ifPresent(party -> problems.put(
                            PolicyKeys.REQUIRE,
                            "both needs names for recovery too, and each NAME means NAME and NAME.pq; found "
                                    + Quoted.text(party)));
        }
        return problems;
    }

    /**
     * Returns the reason why recipients of quality authenticity cannot be several; empty if they can.
     *
     * @param recovery the recipients that the set adds
     */
    public static Optional<String> problemWithTrust(
            QualityOfProtection quality, Encryption encryption, List<String> recovery) {
        if (quality != QualityOfProtection.AUTHENTICITY || encryption.mutualTrust()) {
            return Optional.empty();
        }
        Set<String> all = new HashSet<>(encryption.recipients());
        boolean several = encryption.recipients().size() > 1;
        all.addAll(recovery);
        return !several && all.size() <= 1
                ? Optional.empty()
                : Optional.of((several ? "several" : "several with those for recovery")
                        + ", of which each can write to the others in the sender's name; name one, or write"
                        + " \"mutual-trust\": \"accepted\" if they may, or write \"quality\": \"privacy\"");
    }

    private static void checkNames(List<String> names, String key, Map<String, String> problems) {
        DocumentLimits.problemWithNames(names.size()).ifPresent(message -> problems.put(key, message));
        for (String name : names) {
            if (name.length() > DocumentLimits.LONGEST_TEXT) {
                DocumentLimits.problemWithLength(name).ifPresent(message -> problems.putIfAbsent(key, message));
            }
        }
    }

    /**
     * Tells whether a name of a recipient or signer has a variable, so that each address makes another name of it. Such
     * a name cannot be looked up before there is an address.
     */
    public static boolean isByAddress(String name) {
        return Variables.areIn(name);
    }

    /** Returns a test for the names that addresses can make of a name with variables. */
    public static Predicate<String> namesByAddress(String name) {
        return Variables.namesOf(name);
    }

    /** Returns this policy with these values of its variables, each name once. */
    Policy filled(Map<String, String> values) {
        return with(new Signing(
                        signing.algorithm(),
                        filled(signing.signers(), values),
                        signing.certificate(),
                        signing.brokers(),
                        signing.sharing()))
                .with(new Encryption(
                        encryption.algorithm(),
                        filled(encryption.recipients(), values),
                        encryption.limits(),
                        encryption.mutualTrust()));
    }

    private static List<String> filled(List<String> names, Map<String, String> values) {
        return names.stream().noneMatch(Variables::areIn)
                ? names
                : names.stream()
                        .map(name -> Variables.filled(name, values))
                        .distinct()
                        .toList();
    }

    /** Returns this policy with other rules for signing. */
    public Policy with(Signing other) {
        return new Policy(pattern, quality, other, encryption, acceptance, enforcement, openFailures);
    }

    /** Returns this policy with other rules for encryption. */
    public Policy with(Encryption other) {
        return new Policy(pattern, quality, signing, other, acceptance, enforcement, openFailures);
    }

    /** Returns this policy with other rules for acceptance. */
    public Policy with(Acceptance other) {
        return new Policy(pattern, quality, signing, encryption, other, enforcement, openFailures);
    }

    /** Returns this policy with another enforcement. */
    public Policy with(Enforcement other) {
        return new Policy(pattern, quality, signing, encryption, acceptance, other, openFailures);
    }

    /** Returns this policy with another fate of messages that do not open. */
    public Policy with(OpenFailures other) {
        return new Policy(pattern, quality, signing, encryption, acceptance, enforcement, other);
    }

    /** The content-encryption algorithm of a policy. */
    public enum EncryptionAlgorithm {
        /** AES-256 in Galois/Counter Mode (RFC 5084). */
        AES_256("AES-256");

        private final String label;

        EncryptionAlgorithm(String label) {
            this.label = label;
        }

        /** Returns the name in policy files and on the command line. */
        public String label() {
            return label;
        }
    }

    /** How many messages one signature serves. */
    public enum SignatureSharing implements Labelled {
        /** Each message has a signature of its own. */
        SINGLE,
        /** One signature over a list of hashes serves the messages that are sealed at the same time. */
        SHARED
    }

    /** The kinds of keys that protect a message. */
    public enum RequiredKeys implements Labelled {
        /** A classical key (RSA, EC, Ed25519) or a post-quantum key (ML-KEM, ML-DSA). */
        EITHER,
        /**
         * Both: each name on the policy means two identities, {@code NAME} with classical keys and {@code NAME.pq} with
         * post-quantum keys.
         */
        BOTH;

        private static final String COMPANION = ".pq";

        /** Returns the name of the identity with the post-quantum keys beside those of this name. */
        public static String companionOf(String name) {
            return name + COMPANION;
        }

        /**
         * Tells whether a party on a policy is a name that can have a companion: no DN, key identifier or companion.
         */
        public static boolean hasCompanion(String party) {
            return party.indexOf('=') < 0
                    && !party.regionMatches(true, 0, "ski:", 0, "ski:".length())
                    && !party.endsWith(COMPANION);
        }
    }

    /** What the broker checks of a signature that it sees: that of quality integrity. */
    public enum SignatureCheck implements Labelled {
        /** The signature itself, the certificate of the signer, and whether the policy names the signer. */
        SIGNATURE,
        /** All but the signature itself, which consumers verify. */
        STRUCTURE
    }

    /** What a consumer does with a message that it cannot open. */
    public enum OnFailure implements Labelled {
        /** Moves the message, unchanged and with the reason, to the address for such messages. */
        QUARANTINE,
        /** Gives the message back to the broker, which delivers it again or moves it to its dead-letter address. */
        REJECT,
        /** Acknowledges the message, which is gone then, and counts it. */
        SKIP
    }

    /** Selects the sealed messages of a policy that get a line in the audit log of the broker. */
    public enum MessageAudit implements Labelled {
        /** No message. The policy file has no key then. */
        NONE,
        /** Each message that the broker seals. */
        EACH
    }

    /**
     * The treatment of messages whose data key is protected by old algorithms. These are RSA key transport with PKCS#1
     * v1.5 padding or OAEP with SHA-1, and key derivation with SHA-1.
     */
    public enum LegacyAlgorithms {
        /** Such messages are rejected before a private key is used. */
        REFUSED,
        /** Such messages open like others. Signet never writes them. */
        ACCEPTED
    }
}
