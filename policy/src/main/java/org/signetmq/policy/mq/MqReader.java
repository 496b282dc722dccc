/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.mq;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.signetmq.policy.Policy;
import org.signetmq.policy.file.PolicyFile;
import org.signetmq.policy.internal.text.Quoted;
import org.signetmq.policy.mq.MqImport.Outcome;
import org.signetmq.policy.mq.MqImport.Statement;

/** Takes the statements of a text one after the other, as MQ would run them. Not thread-safe. */
final class MqReader {
    /** The most statements that are refused or skipped before the reader gives up. */
    private static final int MOST_REFUSED = 10_000;

    private static final int MOST_POLICIES = 200_000;

    private final MqMapping mapping;
    private final List<Statement> statements = new ArrayList<>();
    private final Map<String, Taken> policies = new LinkedHashMap<>();
    private final Set<String> queueManagers = new LinkedHashSet<>();
    private int refused;

    MqReader(MqMapping mapping) {
        this.mapping = mapping;
    }

    /** A policy and the statement that it comes from. */
    private record Taken(MqPolicy statement, Policy policy, int line) {}

    MqImport read(String text) {
        if (text.length() > PolicyFile.LONGEST) {
            report(1, Outcome.REFUSED, "", "longer than " + PolicyFile.LONGEST + " characters; split the file");
        } else {
            MqStatements all = new MqStatements(text);
            while (all.next()) {
                if (refused == MOST_REFUSED || policies.size() == MOST_POLICIES) {
                    report(all.line(), Outcome.REFUSED, "", gaveUp());
                    break;
                }
                if (all.kind() == MqStatements.Kind.REPORT) {
                    report(
                            all.line(),
                            Outcome.REFUSED,
                            "",
                            "the report of dspmqspl for people, which is not read; write the file by dspmqspl -export");
                    break;
                }
                take(all);
            }
        }
        return new MqImport(
                statements, policies.values().stream().map(Taken::policy).toList(), List.copyOf(queueManagers));
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
            name = statement.name().map(MqReader::label).orElse("");
            if (all.kind() == MqStatements.Kind.DISPLAYED && statement.isPlain()) {
                report(
                        all.line(),
                        Outcome.SKIPPED,
                        name,
                        "protects nothing: MQ shows this for a policy that does not exist");
                refused++;
            } else {
                take(all.line(), name, statement);
            }
        } catch (MqRefusal e) {
            report(
                    all.line(),
                    all.kind() == MqStatements.Kind.OTHER ? Outcome.SKIPPED : Outcome.REFUSED,
                    name,
                    e.reason());
            refused++;
        }
    }

    private void take(int line, String name, MqPolicy statement) throws MqRefusal {
        Taken before = statement.name().map(policies::get).orElse(null);
        MqPolicy whole = switch (statement.action()) {
            case "REPLACE" -> statement;
            case "ADD" -> statement.addedTo(base(before));
            case "REMOVE" -> statement.removedFrom(base(before));
            default ->
                throw new MqRefusal(
                        "unknown action " + Quoted.text(statement.action()) + "; known are REPLACE, ADD and REMOVE");
        };
        MqMapping.Mapped mapped = mapping.map(whole);
        if (before != null) {
            refuseOther(before, whole, mapped.policy());
        }
        policies.put(mapped.policy().pattern(), new Taken(whole, mapped.policy(), line));
        if (!whole.queueManager().isEmpty()) {
            queueManagers.add(label(whole.queueManager()));
        }
        List<String> reasons = new ArrayList<>(mapped.stronger());
        if (statement != whole && statement.hasMore()) {
            reasons.add("only recipients and signers change, its other attributes are left out");
        } else if (statement == whole && before != null) {
            reasons.add("replaces the policy of line " + before.line());
        }
        report(line, mapped.stronger().isEmpty() ? Outcome.TAKEN : Outcome.STRONGER, name, String.join("; ", reasons));
    }

    private static MqPolicy base(@Nullable Taken before) throws MqRefusal {
        if (before == null) {
            throw new MqRefusal("changes a policy that no line above sets; write its whole policy first");
        }
        return before.statement();
    }

    /** Refuses another policy of another queue manager. Commands of MQSC name none, and follow the one before. */
    private static void refuseOther(Taken before, MqPolicy statement, Policy policy) throws MqRefusal {
        String one = before.statement().queueManager();
        String other = statement.queueManager();
        if (!one.isEmpty()
                && !other.isEmpty()
                && !one.equals(other)
                && !before.policy().equals(policy)) {
            throw new MqRefusal("queue manager " + Quoted.text(other) + " has another policy than " + Quoted.text(one)
                    + " in line " + before.line() + "; read the policies of one queue manager at a time");
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
}
