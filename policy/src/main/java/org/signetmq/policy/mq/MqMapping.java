/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.mq;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.signetmq.policy.EncryptionAlgorithm;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.Policy.Acceptance;
import org.signetmq.policy.Policy.Encryption;
import org.signetmq.policy.Policy.Signing;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.Toleration;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.policy.WildcardSyntax;
import org.signetmq.policy.internal.text.Quoted;

/**
 * Gives the policies of MQ their meaning.
 *
 * @param wildcards the wildcards that no queue's name may contain
 * @param toleration the toleration of policies that tolerate messages in clear
 */
record MqMapping(WildcardSyntax wildcards, Toleration toleration) {
    /** The highest number that MQ takes for the reuse of a key. */
    static final long MOST_REUSE = 9_999_999;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._/%]{1,48}");
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,7}");

    /**
     * A policy with the ways in which it protects more than MQ's.
     *
     * @param policy the policy
     * @param stronger what was made stronger; empty if nothing was
     */
    record Mapped(Policy policy, List<String> stronger) {}

    /** Returns whether this can be the name of a queue or queue manager in MQ. */
    static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    /** Returns the reason to refuse a name that MQ's queues cannot have. */
    static String noName(String text) {
        return "no name of a queue in MQ, found " + Quoted.text(text) + "; it has 1 to 48 letters, digits and . _ / %";
    }

    /** Returns the policy with the same meaning, or refuses. */
    Mapped map(MqPolicy mq) throws MqRefusal {
        List<String> stronger = new ArrayList<>();
        boolean signs = signs(mq.signature(), stronger);
        boolean encrypts = encrypts(mq.encryption(), stronger);
        List<String> recipients = mq.recipients();
        List<String> signers = mq.signers();
        refuseUnused(encrypts, recipients, "recipients without an encryption algorithm");
        refuseUnused(signs, signers, "signers without a signature algorithm");
        if (encrypts && recipients.isEmpty()) {
            throw new MqRefusal("an encryption algorithm without recipients; name one at least");
        }
        QualityOfProtection quality = quality(signs, encrypts);
        Policy policy = new Policy(
                name(mq),
                quality,
                new Signing(Signing.DEFAULT.algorithm(), signers, Signing.DEFAULT.certificate()),
                new Encryption(EncryptionAlgorithm.AES_256, recipients, limits(mq.keyReuse(), quality, stronger)),
                new Acceptance(
                        tolerated(mq.tolerates() && quality != QualityOfProtection.NONE, stronger),
                        Acceptance.DEFAULT.where()));
        return new Mapped(checked(policy), stronger);
    }

    private static boolean signs(String algorithm, List<String> stronger) throws MqRefusal {
        switch (plain(algorithm)) {
            case "NONE" -> {
                return false;
            }
            case "SHA512" -> {
                return true;
            }
            case "SHA1", "SHA256", "SHA384" -> {
                stronger.add("signature " + plain(algorithm) + " becomes SHA-512");
                return true;
            }
            case "MD5" -> throw weak("signature", algorithm, "SHA512");
            default -> throw new MqRefusal("unknown signature algorithm " + Quoted.text(algorithm));
        }
    }

    private static boolean encrypts(String algorithm, List<String> stronger) throws MqRefusal {
        switch (plain(algorithm)) {
            case "NONE" -> {
                return false;
            }
            case "AES256" -> {
                return true;
            }
            case "AES128" -> {
                stronger.add("encryption AES128 becomes AES-256");
                return true;
            }
            case "RC2", "DES", "3DES" -> throw weak("encryption", algorithm, "AES256");
            default -> throw new MqRefusal("unknown encryption algorithm " + Quoted.text(algorithm));
        }
    }

    private static MqRefusal weak(String kind, String algorithm, String better) {
        return new MqRefusal("the " + kind + " algorithm " + plain(algorithm) + " is broken; set " + better
                + " in MQ, and read its policies again");
    }

    private static String plain(String algorithm) {
        return algorithm.replace("-", "").toUpperCase(Locale.ROOT);
    }

    private static QualityOfProtection quality(boolean signs, boolean encrypts) {
        if (signs) {
            return encrypts ? QualityOfProtection.PRIVACY : QualityOfProtection.INTEGRITY;
        }
        return encrypts ? QualityOfProtection.CONFIDENTIALITY : QualityOfProtection.NONE;
    }

    private static void refuseUnused(boolean used, List<String> names, String what) throws MqRefusal {
        if (!used && !names.isEmpty()) {
            throw new MqRefusal(what + "; MQ refuses this too: name the algorithm");
        }
    }

    private String name(MqPolicy mq) throws MqRefusal {
        String name = mq.name().orElseThrow(() -> new MqRefusal("no name of a policy"));
        if (!isName(name)) {
            throw new MqRefusal(noName(name));
        }
        if (wildcards.isWild(name)) {
            throw new MqRefusal("a name with a wildcard of the policies here, found " + Quoted.text(name)
                    + "; it would cover other addresses too");
        }
        return name;
    }

    private static KeyLimits limits(String keyReuse, QualityOfProtection quality, List<String> stronger)
            throws MqRefusal {
        long messages = messages(keyReuse);
        if (quality != QualityOfProtection.CONFIDENTIALITY) {
            if (messages > 1) {
                stronger.add("key reuse is left out: " + quality.label() + " shares no data key between messages");
            }
            return KeyLimits.FRESH_KEY;
        }
        return new KeyLimits(messages, KeyLimits.MOST_BYTES, KeyLimits.DEFAULT_AGE);
    }

    private static long messages(String keyReuse) throws MqRefusal {
        switch (keyReuse) {
            case "*", "UNLIMITED" -> {
                return KeyLimits.MOST_MESSAGES;
            }
            case "DISABLED" -> {
                return 1;
            }
            default -> {
                if (NUMBER.matcher(keyReuse).matches()) {
                    return Math.max(1, Long.parseLong(keyReuse));
                }
                throw new MqRefusal("no key reuse from 0 to " + MOST_REUSE + ", found " + Quoted.text(keyReuse));
            }
        }
    }

    private Toleration tolerated(boolean tolerates, List<String> stronger) {
        if (!tolerates) {
            return Toleration.ENFORCE;
        }
        stronger.add(
                toleration.until() == null
                        ? "messages in clear are rejected from the start: Signet tolerates them only until a date, "
                                + "and none is given"
                        : "messages in clear are tolerated until " + toleration.until() + " only");
        return toleration;
    }

    /** Refuses a policy that no set can have. */
    private Policy checked(Policy policy) throws MqRefusal {
        try {
            return PolicySet.of(0, UnmatchedAddress.PASS, wildcards, List.of(policy))
                    .policies()
                    .get(0);
        } catch (InvalidPolicyException e) {
            throw new MqRefusal(e.problems().get(0).message());
        }
    }
}
