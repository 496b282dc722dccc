/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.mq;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.signetmq.policy.Policy;
import org.signetmq.policy.Toleration;
import org.signetmq.policy.WildcardSyntax;
import org.signetmq.policy.file.PolicyFile;
import org.signetmq.policy.mq.MqPolicies.MqImport.Outcome;
import org.signetmq.policy.mq.MqPolicies.MqImport.Statement;
import org.signetmq.policy.text.Quoted;

/**
 * Reads the policies of IBM MQ Advanced Message Security from text. It understands {@code setmqspl} lines as
 * {@code dspmqspl -export} writes them, and {@code SET POLICY} of MQSC, each in any number and mixture. It takes the
 * statements one after the other, as MQ would run them.
 */
public final class MqPolicies {
    /** The most statements that are refused or skipped before the reader gives up. */
    private static final int MOST_REFUSED = 10_000;

    private static final int MOST_POLICIES = 200_000;

    private final WildcardSyntax wildcards;
    private final Toleration toleration;
    private final List<Statement> statements = new ArrayList<>();
    private final Map<String, Taken> policies = new LinkedHashMap<>();
    private final Set<String> queueManagers = new LinkedHashSet<>();
    private int refused;

    private MqPolicies(WildcardSyntax wildcards, Toleration toleration) {
        this.wildcards = wildcards;
        this.toleration = toleration;
    }

    /** A policy and the statement that it comes from. */
    private record Taken(MqPolicy statement, Policy policy, int line) {}

    /**
     * Reads policies. The quality follows from the algorithms, as in MQ: a signature makes integrity, both make
     * privacy, encryption alone makes confidentiality. Weaker algorithms that Signet can replace become SHA-512 and
     * AES-256. MD5, RC2, DES and 3DES are refused. Names of queues become addresses, distinguished names become
     * recipients and signers. Nothing in the text makes it throw.
     *
     * @param text the text, at most {@value org.signetmq.policy.file.PolicyFile#LONGEST} characters
     * @param wildcards the wildcards of the set that the policies are meant for; no queue's name may contain one
     * @param toleration the toleration of policies that tolerate messages in clear, which MQ does without an end; with
     *     {@link Toleration#ENFORCE} such policies tolerate none
     */
    public static MqImport read(String text, WildcardSyntax wildcards, Toleration toleration) {
        return new MqPolicies(wildcards, toleration).read(text);
    }

    private MqImport read(String text) {
        if (text.length() > PolicyFile.LONGEST) {
            report(1, Outcome.REFUSED, "", "longer than " + PolicyFile.LONGEST + " characters; split the file");
        } else {
            readStatements(new MqStatements(text));
        }
        return new MqImport(
                statements, policies.values().stream().map(Taken::policy).toList(), List.copyOf(queueManagers));
    }

    private void readStatements(MqStatements all) {
        while (all.next()) {
            if (refused == MOST_REFUSED || policies.size() == MOST_POLICIES) {
                report(all.line(), Outcome.REFUSED, "", gaveUp());
                return;
            }
            if (all.kind() == MqStatements.Kind.OUTPUT) {
                report(
                        all.line(),
                        Outcome.REFUSED,
                        "",
                        "the output of dspmqspl or DISPLAY POLICY for people, which is not read; write the file by"
                                + " dspmqspl -export");
                return;
            }
            take(all);
        }
    }

    private String gaveUp() {
        return refused == MOST_REFUSED
                ? MOST_REFUSED
                        + " lines could not be taken, and the rest was not read; is this a file of MQ's policies?"
                : "more than " + MOST_POLICIES + " policies; split the file";
    }

    private void take(MqStatements all) {
        String name = "";
        try {
            MqPolicy statement = all.parse();
            name = label(statement.name());
            take(all.line(), name, statement);
        } catch (MqStatements.Refusal e) {
            Outcome outcome = all.kind() == MqStatements.Kind.OTHER ? Outcome.SKIPPED : Outcome.REFUSED;
            report(all.line(), outcome, name, e.reason());
            refused++;
        }
    }

    private void take(int line, String name, MqPolicy statement) throws MqStatements.Refusal {
        Taken before = policies.get(statement.name());
        MqPolicy whole = statement.appliedTo(before == null ? null : before.statement());
        MqPolicy.Meaning meaning = whole.meaning(wildcards, toleration);
        if (before != null) {
            refuseOther(before, whole, meaning.policy());
        }
        policies.put(meaning.policy().pattern(), new Taken(whole, meaning.policy(), line));
        if (!whole.queueManager().isEmpty()) {
            queueManagers.add(label(whole.queueManager()));
        }
        List<String> reasons = new ArrayList<>(meaning.stronger());
        if (statement != whole && statement.hasMore()) {
            reasons.add("only recipients and signers change, its other attributes are left out");
        } else if (statement == whole && before != null) {
            reasons.add("replaces the policy of line " + before.line());
        }
        Outcome outcome = meaning.stronger().isEmpty() ? Outcome.TAKEN : Outcome.STRONGER;
        report(line, outcome, name, String.join("; ", reasons));
    }

    /** Refuses another policy of another queue manager. Commands of MQSC name none, and follow the one before. */
    private static void refuseOther(Taken before, MqPolicy statement, Policy policy) throws MqStatements.Refusal {
        String one = before.statement().queueManager();
        String other = statement.queueManager();
        if (!one.isEmpty()
                && !other.isEmpty()
                && !one.equals(other)
                && !before.policy().equals(policy)) {
            throw new MqStatements.Refusal(
                    "queue manager " + Quoted.text(other) + " has another policy than " + Quoted.text(one) + " in line "
                            + before.line() + "; read the policies of one queue manager at a time");
        }
    }

    private void report(int line, Outcome outcome, String policy, String reason) {
        statements.add(new Statement(line, outcome, policy, reason));
    }

    /** Returns a name as text for messages, without the quotes. */
    private static String label(String name) {
        String quoted = Quoted.text(name);
        return quoted.substring(1, quoted.length() - 1);
    }

    /**
     * The policies of a text of MQ, and the outcome of each statement.
     *
     * @param statements the statements and the lines that are none, in the order of the text; without comments, blank
     *     lines and messages of MQ
     * @param policies the policies, one for each queue, in the order of the text
     * @param queueManagers the queue managers that the text names, in its order; policies of all of them are in one
     *     list
     */
    public record MqImport(List<Statement> statements, List<Policy> policies, List<String> queueManagers) {

        /** The outcomes of a statement. */
        public enum Outcome {
            /** The policy was taken as it is. */
            TAKEN,
            /** The policy was taken, and protects more than in MQ. */
            STRONGER,
            /** The statement was refused. */
            REFUSED,
            /** The line has no policy to take. */
            SKIPPED
        }

        /**
         * One statement.
         *
         * @param line the number of its first line, from 1
         * @param outcome the outcome
         * @param policy the name of its policy as text for messages; empty if it could not be read
         * @param reason the change, or the reason of the refusal, on one line; may be empty
         */
        public record Statement(int line, Outcome outcome, String policy, String reason) {
            @Override
            public String toString() {
                return "line " + line + ": " + (policy.isEmpty() ? "" : policy + ": ")
                        + outcome.name().toLowerCase(Locale.ROOT) + (reason.isEmpty() ? "" : ": " + reason);
            }
        }

        public MqImport {
            statements = List.copyOf(statements);
            policies = List.copyOf(policies);
            queueManagers = List.copyOf(queueManagers);
        }

        /** Returns the number of the line that a policy comes from; 0 if the text has no such policy. */
        public int line(String pattern) {
            return statements.stream()
                    .filter(statement ->
                            statement.outcome() == Outcome.TAKEN || statement.outcome() == Outcome.STRONGER)
                    .filter(statement -> statement.policy().equals(pattern))
                    .mapToInt(Statement::line)
                    .max()
                    .orElse(0);
        }

        /** Returns the number of statements with this outcome. */
        public long count(Outcome outcome) {
            return statements.stream()
                    .filter(statement -> statement.outcome() == outcome)
                    .count();
        }
    }
}
