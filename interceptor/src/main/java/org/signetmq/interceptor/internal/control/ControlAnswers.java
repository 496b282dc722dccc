/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.control;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.regex.Pattern;
import org.signetmq.interceptor.internal.home.PolicyChanges.ChangeOutcome;
import org.signetmq.interceptor.internal.home.PolicyChanges.PolicyRequest;
import org.signetmq.interceptor.internal.store.ChangeOrigin;
import org.signetmq.policy.PolicyProblem;

/** Writes the answers of the control as JSON. */
public final class ControlAnswers {
    /** The longest part of a text in an answer or a request, in characters. */
    public static final int LONGEST_PART = 30_000;

    /** The greatest number of problems in an answer. */
    static final int MOST_PROBLEMS = 100;

    /** The place of a policy in the whole document. */
    private static final Pattern PLACE = Pattern.compile("^policies\\[[0-9]+]\\.");

    /** Tells which document an administrator sent. */
    public enum Scope {
        /** One policy: paths of problems begin in it. */
        POLICY,
        /** The whole document. */
        DOCUMENT
    }

    private ControlAnswers() {}

    /** Returns an answer without content. */
    public static ObjectNode empty() {
        return JsonNodeFactory.instance.objectNode();
    }

    /** Returns the outcome of a change. */
    public static ObjectNode of(ChangeOutcome outcome, Scope scope) {
        ObjectNode answer = empty();
        if (outcome instanceof ChangeOutcome.Accepted accepted) {
            boolean isChange = accepted.purpose() == PolicyRequest.Purpose.CHANGE;
            answer.put("outcome", isChange ? "changed" : "accepted")
                    .put("version", accepted.now().version())
                    .put("before", accepted.before().version());
            accepted.warnings().forEach(answer.putArray("warnings")::add);
        } else if (outcome instanceof ChangeOutcome.Unchanged unchanged) {
            answer.put("outcome", "unchanged").put("version", unchanged.version());
        } else if (outcome instanceof ChangeOutcome.Rejected rejected) {
            answer.put("outcome", "rejected").put("version", rejected.version());
            problems(answer.putArray("problems"), rejected.problems(), scope);
        } else if (outcome instanceof ChangeOutcome.Stale stale) {
            answer.put("outcome", "stale").put("version", stale.version());
            ObjectNode change = answer.putObject("change").put("version", stale.version());
            stale.change().ifPresent(origin -> add(change, origin));
        } else if (outcome instanceof ChangeOutcome.Refused refused) {
            answer.put("outcome", "refused").put("version", refused.version()).put("reason", refused.reason());
        }
        return answer;
    }

    /**
     * Adds the part of a long text that begins at an offset. No part divides a character of two {@code char}s, because
     * half of one is no JSON.
     *
     * @throws IllegalArgumentException if the offset is outside of the text
     */
    public static ObjectNode addPart(ObjectNode answer, String text, int offset) {
        if (offset < 0 || offset > text.length()) {
            throw new IllegalArgumentException("offset " + offset + ": must be from 0 to " + text.length());
        }
        int end = Math.min(text.length(), offset + LONGEST_PART);
        boolean divides = end > offset && end < text.length() && Character.isHighSurrogate(text.charAt(end - 1));
        return answer.put("length", text.length())
                .put("offset", offset)
                .put("text", text.substring(offset, divides ? end - 1 : end));
    }

    private static void problems(ArrayNode array, List<PolicyProblem> problems, Scope scope) {
        problems.stream()
                .limit(MOST_PROBLEMS)
                .forEach(problem -> array.addObject()
                        .put(
                                "path",
                                scope == Scope.POLICY
                                        ? PLACE.matcher(problem.path()).replaceFirst("")
                                        : problem.path())
                        .put("message", problem.message()));
        if (problems.size() > MOST_PROBLEMS) {
            array.addObject()
                    .put("path", "$")
                    .put("message", (problems.size() - MOST_PROBLEMS) + " more problems are not listed");
        }
    }

    /** Adds the origin of a change; a user that is unknown is left out. */
    public static void add(ObjectNode answer, ChangeOrigin origin) {
        if (origin.by() != null) {
            answer.put("by", origin.by());
        }
        answer.put("from", origin.from()).put("at", origin.at().toString());
    }
}
