/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.mq;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.Policy.Acceptance;
import org.signetmq.policy.Policy.Encryption;
import org.signetmq.policy.Policy.EncryptionAlgorithm;
import org.signetmq.policy.Policy.Signing;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.Toleration;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.policy.WildcardSyntax;
import org.signetmq.policy.text.Quoted;

/** One statement about a policy as MQ writes it, and its meaning here. Not thread-safe. */
final class MqPolicy {
    /** The keyword of the queue manager, which only {@code setmqspl} names. */
    static final String QUEUE_MANAGER = "-m";

    /** The most recipients or signers. Statements may add names one by one, and each costs by the names before. */
    private static final int MOST_NAMES = 1000;

    /** The longest distinguished name, in characters, as in the names of policies. */
    private static final int LONGEST_NAME = 2048;

    private static final Pattern QUEUE = Pattern.compile("[A-Za-z0-9._/%]{1,48}");
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,7}");
    /** The type of a part of a distinguished name. */
    private static final Pattern TYPE = Pattern.compile("[A-Za-z][A-Za-z0-9.-]{0,63}|[0-9]+(\\.[0-9]+){1,31}");
    /** Characters with a meaning in RFC 4514, which MQ's names have only behind a backslash. */
    private static final String SPECIAL = ";<>\"";

    private String queueManager = "";
    private String name = "";
    private String signature = "NONE";
    private String encryption = "NONE";
    private final Set<String> recipients = new LinkedHashSet<>();
    private final Set<String> signers = new LinkedHashSet<>();
    private String keyReuse = "0";
    private boolean tolerates;
    private String action = "REPLACE";
    private final Set<String> given = new TreeSet<>();

    /**
     * A policy with the ways in which it protects more than MQ's.
     *
     * @param policy the policy
     * @param stronger what was made stronger; empty if nothing was
     */
    record Meaning(Policy policy, List<String> stronger) {}

    /** Sets an attribute by its keyword in MQSC. */
    void set(String keyword, String value) throws MqStatements.Refusal {
        boolean repeats = keyword.equals("RECIP") || keyword.equals("SIGNER");
        if (!repeats && !given.add(keyword)) {
            throw new MqStatements.Refusal(keyword + " twice; write it once");
        }
        switch (keyword) {
            case QUEUE_MANAGER -> queueManager = value;
            case "POLICY" -> name = value;
            case "SIGNALG" -> signature = value.replace("-", "").toUpperCase(Locale.ROOT);
            case "ENCALG" -> encryption = value.replace("-", "").toUpperCase(Locale.ROOT);
            case "RECIP" -> add(distinguishedName(value), recipients);
            case "SIGNER" -> add(distinguishedName(value), signers);
            case "KEYREUSE" -> keyReuse = value;
            case "TOLERATE" -> tolerates = flag(value);
            case "ENFORCE" -> tolerates = !flag(value);
            case "ACTION" -> action = value;
            default ->
                throw new MqStatements.Refusal("unknown keyword " + Quoted.text(keyword)
                        + "; known are POLICY, SIGNALG, ENCALG, RECIP, SIGNER, KEYREUSE, ENFORCE, TOLERATE, ACTION");
        }
        if (given.contains("TOLERATE") && given.contains("ENFORCE")) {
            throw new MqStatements.Refusal("both TOLERATE and ENFORCE; write one of them");
        }
    }

    private static void add(String name, Set<String> names) throws MqStatements.Refusal {
        names.add(name);
        if (names.size() > MOST_NAMES) {
            throw new MqStatements.Refusal("more than " + MOST_NAMES + " recipients or signers; name fewer");
        }
    }

    private static boolean flag(String value) throws MqStatements.Refusal {
        return switch (value) {
            case "1", "YES" -> true;
            case "0", "NO" -> false;
            default -> throw new MqStatements.Refusal("toleration neither 0 nor 1, found " + Quoted.text(value));
        };
    }

    /** Returns the name in MQ's form: without spaces around commas, and with its types in upper case. */
    private static String distinguishedName(String text) throws MqStatements.Refusal {
        if (text.length() > LONGEST_NAME) {
            throw new MqStatements.Refusal(
                    "a name longer than " + LONGEST_NAME + " characters, found " + Quoted.text(text));
        }
        StringBuilder normalised = new StringBuilder();
        int start = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == ',') {
                normalised.append(part(text.substring(start, i), text)).append(',');
                start = i + 1;
            } else if (c == '\\' && i + 1 < text.length()) {
                i++;
            } else if (c == '\\' || SPECIAL.indexOf(c) >= 0 || Character.isISOControl(c)) {
                throw noName(text, "it has a " + Quoted.text(String.valueOf(c)) + " without a backslash before it");
            }
        }
        return normalised.append(part(text.substring(start), text)).toString();
    }

    private static String part(String part, String text) throws MqStatements.Refusal {
        int equals = part.indexOf('=');
        String type = part.substring(0, Math.max(0, equals)).strip();
        String value = trimmed(part.substring(equals + 1));
        if (equals < 0 || !TYPE.matcher(type).matches() || value.isEmpty()) {
            throw noName(text, "each part is TYPE=value");
        }
        return type.toUpperCase(Locale.ROOT) + "=" + value;
    }

    /** Removes spaces at both ends, but keeps the one behind a backslash. */
    private static String trimmed(String value) {
        String ahead = value.stripLeading();
        String both = ahead.stripTrailing();
        return MqStatements.endsInBackslash(both) && both.length() < ahead.length()
                ? both + ahead.charAt(both.length())
                : both;
    }

    private static MqStatements.Refusal noName(String text, String reason) {
        return new MqStatements.Refusal("no distinguished name, found " + Quoted.text(text) + ": " + reason
                + "; write such as CN=alice,O=Example,C=GB");
    }

    /** Returns the whole policy after this statement, which may change the one before. */
    MqPolicy appliedTo(@Nullable MqPolicy before) throws MqStatements.Refusal {
        switch (action) {
            case "REPLACE" -> {
                return this;
            }
            case "ADD", "REMOVE" -> {
                if (before == null) {
                    throw new MqStatements.Refusal(
                            "changes a policy that no line above sets; write its whole policy first");
                }
                MqPolicy changed = before.copy();
                change(changed.recipients, recipients, "recipient");
                change(changed.signers, signers, "signer");
                return changed;
            }
            default ->
                throw new MqStatements.Refusal(
                        "unknown action " + Quoted.text(action) + "; known are REPLACE, ADD and REMOVE");
        }
    }

    private void change(Set<String> names, Set<String> changes, String kind) throws MqStatements.Refusal {
        boolean adds = action.equals("ADD");
        for (String change : changes) {
            if (adds) {
                add(change, names);
            } else if (!names.remove(change)) {
                throw new MqStatements.Refusal(Quoted.text(change) + " is no " + kind + " of the policy");
            }
        }
    }

    private MqPolicy copy() {
        MqPolicy copy = new MqPolicy();
        copy.queueManager = queueManager;
        copy.name = name;
        copy.signature = signature;
        copy.encryption = encryption;
        copy.recipients.addAll(recipients);
        copy.signers.addAll(signers);
        copy.keyReuse = keyReuse;
        copy.tolerates = tolerates;
        return copy;
    }

    /** Tells whether the statement has attributes beside names and algorithms. */
    boolean hasMore() {
        return given.contains("KEYREUSE") || given.contains("TOLERATE") || given.contains("ENFORCE");
    }

    /** Returns the name of the queue; empty if the statement names none. */
    String name() {
        return name;
    }

    /** Returns the name of the queue manager; empty if the statement names none. */
    String queueManager() {
        return queueManager;
    }

    /**
     * Returns the policy with the same meaning, or refuses.
     *
     * @param wildcards the wildcards that no queue's name may contain
     * @param toleration the toleration of policies that tolerate messages in clear
     */
    Meaning meaning(WildcardSyntax wildcards, Toleration toleration) throws MqStatements.Refusal {
        List<String> stronger = new ArrayList<>();
        boolean signs = signs(stronger);
        boolean encrypts = encrypts(stronger);
        if (!encrypts && !recipients.isEmpty()) {
            throw new MqStatements.Refusal(
                    "recipients without an encryption algorithm; MQ refuses this too: name the algorithm");
        }
        if (!signs && !signers.isEmpty()) {
            throw new MqStatements.Refusal(
                    "signers without a signature algorithm; MQ refuses this too: name the algorithm");
        }
        if (encrypts && recipients.isEmpty()) {
            throw new MqStatements.Refusal("an encryption algorithm without recipients; name one at least");
        }
        requireName(wildcards);
        QualityOfProtection quality = encrypts
                ? (signs ? QualityOfProtection.PRIVACY : QualityOfProtection.CONFIDENTIALITY)
                : (signs ? QualityOfProtection.INTEGRITY : QualityOfProtection.NONE);
        Policy policy = new Policy(
                name,
                quality,
                new Signing(Signing.DEFAULT.algorithm(), List.copyOf(signers), Signing.DEFAULT.certificate()),
                new Encryption(EncryptionAlgorithm.AES_256, List.copyOf(recipients), limits(quality, stronger)),
                new Acceptance(
                        tolerates && quality != QualityOfProtection.NONE
                                ? tolerated(toleration, stronger)
                                : Toleration.ENFORCE,
                        Acceptance.DEFAULT.where()));
        try {
            return new Meaning(
                    PolicySet.of(0, UnmatchedAddress.PASS, wildcards, List.of(policy))
                            .policies()
                            .get(0),
                    stronger);
        } catch (InvalidPolicyException e) {
            throw new MqStatements.Refusal(e.problems().get(0).message());
        }
    }

    private boolean signs(List<String> stronger) throws MqStatements.Refusal {
        switch (signature) {
            case "NONE", "SHA512" -> {}
            case "SHA1", "SHA256", "SHA384" -> stronger.add("signature " + signature + " becomes SHA-512");
            case "MD5" -> throw broken("signature", signature, "SHA512");
            default -> throw new MqStatements.Refusal("unknown signature algorithm " + Quoted.text(signature));
        }
        return !signature.equals("NONE");
    }

    private boolean encrypts(List<String> stronger) throws MqStatements.Refusal {
        switch (encryption) {
            case "NONE", "AES256" -> {}
            case "AES128" -> stronger.add("encryption AES128 becomes AES-256");
            case "RC2", "DES", "3DES" -> throw broken("encryption", encryption, "AES256");
            default -> throw new MqStatements.Refusal("unknown encryption algorithm " + Quoted.text(encryption));
        }
        return !encryption.equals("NONE");
    }

    private static MqStatements.Refusal broken(String kind, String algorithm, String better) {
        return new MqStatements.Refusal("the " + kind + " algorithm " + algorithm + " is broken; set " + better
                + " in MQ, and read its policies again");
    }

    private void requireName(WildcardSyntax wildcards) throws MqStatements.Refusal {
        if (name.isEmpty()) {
            throw new MqStatements.Refusal("no name of a policy");
        }
        if (!QUEUE.matcher(name).matches()) {
            throw new MqStatements.Refusal("no name of a queue in MQ, found " + Quoted.text(name)
                    + "; it has 1 to 48 letters, digits and . _ / %");
        }
        if (wildcards.isWild(name)) {
            throw new MqStatements.Refusal("a name with a wildcard of the policies here, found " + Quoted.text(name)
                    + "; it would cover other addresses too");
        }
    }

    private KeyLimits limits(QualityOfProtection quality, List<String> stronger) throws MqStatements.Refusal {
        long messages = messages();
        if (quality != QualityOfProtection.CONFIDENTIALITY) {
            if (messages > 1) {
                stronger.add("key reuse is left out: " + quality.label() + " shares no data key between messages");
            }
            return KeyLimits.FRESH_KEY;
        }
        return new KeyLimits(messages, KeyLimits.MOST_BYTES, KeyLimits.DEFAULT_AGE);
    }

    private long messages() throws MqStatements.Refusal {
        if (keyReuse.equals("*") || keyReuse.equals("UNLIMITED")) {
            return KeyLimits.MOST_MESSAGES;
        }
        if (keyReuse.equals("DISABLED")) {
            return 1;
        }
        if (!NUMBER.matcher(keyReuse).matches()) {
            throw new MqStatements.Refusal("no key reuse from 0 to 9999999, found " + Quoted.text(keyReuse));
        }
        return Math.max(1, Long.parseLong(keyReuse));
    }

    private static Toleration tolerated(Toleration toleration, List<String> stronger) {
        stronger.add(
                toleration.until() == null
                        ? "messages in clear are rejected from the start: Signet tolerates them only until a date, "
                                + "and none is given"
                        : "messages in clear are tolerated until " + toleration.until() + " only");
        return toleration;
    }
}
