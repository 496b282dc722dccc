/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.mq;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.signetmq.policy.internal.text.Quoted;

/** One statement about a policy as MQ writes it, without its meaning. Not thread-safe. */
final class MqPolicy {
    /** The keyword of the queue manager, which only {@code setmqspl} names. */
    static final String QUEUE_MANAGER = "-m";

    /** The most recipients or signers. Statements may add names one by one, and each costs by the names before. */
    private static final int MOST_NAMES = 1000;

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

    /** Sets an attribute by its keyword in MQSC. */
    void set(String keyword, String value) throws MqRefusal {
        boolean repeats = keyword.equals("RECIP") || keyword.equals("SIGNER");
        if (!repeats && !given.add(keyword)) {
            throw new MqRefusal(keyword + " twice; write it once");
        }
        switch (keyword) {
            case QUEUE_MANAGER -> queueManager = value;
            case "POLICY" -> name = value;
            case "SIGNALG" -> signature = value;
            case "ENCALG" -> encryption = value;
            case "RECIP" -> add(value, recipients);
            case "SIGNER" -> add(value, signers);
            case "KEYREUSE" -> keyReuse = value;
            case "TOLERATE" -> tolerates = flag(value);
            case "ENFORCE" -> tolerates = !flag(value);
            case "ACTION" -> action = value;
            default ->
                throw new MqRefusal("unknown keyword " + Quoted.text(keyword)
                        + "; known are POLICY, SIGNALG, ENCALG, RECIP, SIGNER, KEYREUSE, ENFORCE, TOLERATE, ACTION");
        }
        if (given.contains("TOLERATE") && given.contains("ENFORCE")) {
            throw new MqRefusal("both TOLERATE and ENFORCE; write one of them");
        }
    }

    private static void add(String written, Set<String> names) throws MqRefusal {
        names.add(MqDistinguishedName.normalised(written));
        refuseTooMany(names);
    }

    private static void refuseTooMany(Set<String> names) throws MqRefusal {
        if (names.size() > MOST_NAMES) {
            throw new MqRefusal("more than " + MOST_NAMES + " recipients or signers; name fewer");
        }
    }

    private static boolean flag(String value) throws MqRefusal {
        return switch (value) {
            case "1", "YES" -> true;
            case "0", "NO" -> false;
            default -> throw new MqRefusal("toleration neither 0 nor 1, found " + Quoted.text(value));
        };
    }

    /** Returns a copy of another policy with the names of this statement added. */
    MqPolicy addedTo(MqPolicy base) throws MqRefusal {
        MqPolicy sum = base.copy();
        sum.recipients.addAll(recipients);
        sum.signers.addAll(signers);
        refuseTooMany(sum.recipients);
        refuseTooMany(sum.signers);
        return sum;
    }

    /** Returns a copy of another policy without the names of this statement. */
    MqPolicy removedFrom(MqPolicy base) throws MqRefusal {
        MqPolicy rest = base.copy();
        remove(recipients, rest.recipients, "recipient");
        remove(signers, rest.signers, "signer");
        return rest;
    }

    private static void remove(Set<String> unwanted, Set<String> names, String kind) throws MqRefusal {
        for (String name : unwanted) {
            if (!names.remove(name)) {
                throw new MqRefusal(Quoted.text(name) + " is no " + kind + " of the policy");
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

    /** Tells whether the policy protects nothing and names nothing, as MQ shows a policy that does not exist. */
    boolean isPlain() {
        return signature.equals("NONE") && encryption.equals("NONE") && recipients.isEmpty() && signers.isEmpty();
    }

    /** Returns the name of the queue; empty if the statement names none. */
    Optional<String> name() {
        return Optional.of(name).filter(given -> !given.isEmpty());
    }

    /** Returns the name of the queue manager; empty if the statement names none. */
    String queueManager() {
        return queueManager;
    }

    String signature() {
        return signature;
    }

    String encryption() {
        return encryption;
    }

    List<String> recipients() {
        return List.copyOf(recipients);
    }

    List<String> signers() {
        return List.copyOf(signers);
    }

    String keyReuse() {
        return keyReuse;
    }

    boolean tolerates() {
        return tolerates;
    }

    String action() {
        return action;
    }
}
