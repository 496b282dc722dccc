/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.signetmq.policy.internal.text.DocumentLimits;
import org.signetmq.policy.internal.text.PolicyKeys;

/**
 * The protection of every message on the addresses that a pattern matches. Immutable.
 *
 * @param pattern an address, or a pattern of Artemis's wildcards ({@code news.europe.#}, {@code news.*.sport})
 * @param quality the protection of the messages
 * @param signing the signatures and their signers; without effect unless the quality signs
 * @param encryption the encryption and its recipients; without effect unless the quality encrypts
 * @param acceptance the tolerated messages, the place of sealing, and the audit of messages
 */
public record Policy(
        String pattern, QualityOfProtection quality, Signing signing, Encryption encryption, Acceptance acceptance) {

    /**
     * The signatures of messages and their signers.
     *
     * @param algorithm the signature algorithm
     * @param signers the permitted signers: names, distinguished names or key identifiers; empty for any trusted one
     * @param certificate whether messages carry the signer's certificate
     * @param brokers the broker identities that vouch for senders: names, distinguished names or key identifiers; empty
     *     for none
     */
    public record Signing(
            SignatureAlgorithm algorithm,
            List<String> signers,
            CertificateInclusion certificate,
            List<String> brokers) {
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
    }

    /**
     * The encryption of messages and its recipients.
     *
     * @param algorithm the content-encryption algorithm
     * @param recipients the readers: names, distinguished names or key identifiers
     * @param limits the limits of a data key
     */
    public record Encryption(EncryptionAlgorithm algorithm, List<String> recipients, KeyLimits limits) {
        /** No recipients, for qualities that do not encrypt. */
        public static final Encryption UNUSED =
                new Encryption(EncryptionAlgorithm.AES_256, List.of(), KeyLimits.FRESH_KEY);

        public Encryption {
            recipients = List.copyOf(recipients);
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
     * Returns the problems with too many or too long names, by the key of their list; empty for none.
     *
     * @param recovery the number of recipients that the set adds to those of a policy that encrypts
     */
    Map<String, String> problemsWithNames(int recovery) {
        Map<String, String> problems = new LinkedHashMap<>(0);
        checkNames(signing.signers(), PolicyKeys.SIGNERS, problems);
        checkNames(signing.brokers(), PolicyKeys.BROKERS, problems);
        checkNames(encryption.recipients(), PolicyKeys.RECIPIENTS, problems);
        if (quality.encrypts()) {
            DocumentLimits.problemWithNames(encryption.recipients().size() + recovery)
                    .ifPresent(message -> problems.putIfAbsent(PolicyKeys.RECIPIENTS, message));
        }
        return problems;
    }

    private static void checkNames(List<String> names, String key, Map<String, String> problems) {
        DocumentLimits.problemWithNames(names.size()).ifPresent(message -> problems.put(key, message));
        for (String name : names) {
            if (name.length() > DocumentLimits.LONGEST_TEXT) {
                DocumentLimits.problemWithLength(name).ifPresent(message -> problems.putIfAbsent(key, message));
            }
        }
    }

    /** Returns this policy with other rules for signing. */
    public Policy with(Signing other) {
        return new Policy(pattern, quality, other, encryption, acceptance);
    }

    /** Returns this policy with other rules for encryption. */
    public Policy with(Encryption other) {
        return new Policy(pattern, quality, signing, other, acceptance);
    }

    /** Returns this policy with other rules for acceptance. */
    public Policy with(Acceptance other) {
        return new Policy(pattern, quality, signing, encryption, other);
    }
}
