/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.mq;

import java.util.List;
import java.util.Locale;
import org.signetmq.policy.Policy;

/**
 * The policies of a text of MQ, and the outcome of each statement.
 *
 * @param statements the statements and the lines that are none, in the order of the text; without comments, blank lines
 *     and messages of MQ
 * @param policies the policies, one for each queue, in the order of the text
 * @param queueManagers the queue managers that the text names, in its order; policies of all of them are in one list
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
                .filter(statement -> statement.outcome() == Outcome.TAKEN || statement.outcome() == Outcome.STRONGER)
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
