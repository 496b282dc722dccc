/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.mq;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.signetmq.policy.internal.text.Quoted;

/**
 * Cuts a text of MQ into statements. It joins continued lines, and leaves out comments, blank lines, and the messages
 * and echoes of {@code runmqsc}. Not thread-safe.
 */
final class MqStatements {
    /** The longest statement. A thousand names take a tenth of it. */
    private static final int LONGEST = 1 << 20;

    private static final String BYTE_ORDER_MARK = "\ufeff";

    /** The number with which runmqsc echoes a command: {@code 3 : SET POLICY(Q)}. */
    private static final Pattern ECHO = Pattern.compile("[0-9]{0,9} *: ");
    /** A message of runmqsc, the echo of a DISPLAY, and the frame of its output. */
    private static final Pattern MESSAGE = Pattern.compile(
            "AMQ[0-9]{4}[A-Z]?:.*|(?i)(DISPLAY|DIS) +POLICY.*|END|dspmqspl( .*)?|5724-H72 .*|Starting MQSC .*"
                    + "|(One|No|[0-9]+) (MQSC )?commands? .*|All valid MQSC commands .*");

    /** A line of DISPLAY POLICY, or of the report of dspmqspl without an option. */
    private static final Pattern OUTPUT =
            Pattern.compile("(?i)policy (details|name) *:|(POLICY|SIGNALG|ENCALG|RECIP|SIGNER|KEYREUSE) *\\(");

    private final String text;
    private int at;
    private int lines;

    private int line;
    private Kind kind = Kind.OTHER;
    private String statement = "";
    private String problem = "";

    /** The forms of a statement. */
    enum Kind {
        /** A command of the command line. */
        SETMQSPL,
        /** A command of MQSC. */
        SET_POLICY,
        /** A line of an output for people, which shows a policy over several lines. */
        OUTPUT,
        /** A line of none of these forms. */
        OTHER
    }

    MqStatements(String text) {
        this.text = text;
        this.at = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length() : 0;
    }

    /** Goes to the next statement. Returns false at the end. */
    boolean next() {
        while (at < text.length()) {
            line = lines + 1;
            problem = "";
            statement = withoutEcho(readLine());
            if (!problem.isEmpty() || !isLeftOut(statement)) {
                kind = kind(statement);
                switch (kind) {
                    case SETMQSPL -> joinOptions();
                    case SET_POLICY -> joinContinued();
                    default -> {}
                }
                return true;
            }
        }
        return false;
    }

    private static boolean isLeftOut(String line) {
        return line.isEmpty()
                || line.charAt(0) == '*'
                || line.charAt(0) == '#'
                || MESSAGE.matcher(line.length() > 200 ? line.substring(0, 200) : line)
                        .matches();
    }

    private static Kind kind(String line) {
        if (SetmqsplCommand.begins(line)) {
            return Kind.SETMQSPL;
        }
        if (SetPolicyCommand.begins(line)) {
            return Kind.SET_POLICY;
        }
        return OUTPUT.matcher(line).lookingAt() ? Kind.OUTPUT : Kind.OTHER;
    }

    /** Returns the number of the first line of the statement, from 1. */
    int line() {
        return line;
    }

    Kind kind() {
        return kind;
    }

    /** Parses the statement. */
    MqPolicy parse() throws MqRefusal {
        if (!problem.isEmpty()) {
            throw new MqRefusal(problem);
        }
        return switch (kind) {
            case SETMQSPL -> SetmqsplCommand.parse(statement);
            case SET_POLICY -> SetPolicyCommand.parse(statement);
            default -> throw new MqRefusal("neither setmqspl nor SET POLICY, found " + Quoted.text(statement));
        };
    }

    /** Joins the lines behind a backslash, and lines that begin with an option, as z/OS writes them. */
    private void joinOptions() {
        StringBuilder joined = new StringBuilder(statement);
        while (at < text.length()) {
            if (endsInBackslash(joined)) {
                joined.setLength(joined.length() - 1);
                join(joined, readLine());
            } else if (peekBeginsWithOption()) {
                join(joined.append('\n'), readLine()); // ends a comment
            } else {
                break;
            }
        }
        statement = joined.toString();
    }

    /** Tells whether the last character is a backslash with a meaning: it stands behind no other, or behind two. */
    static boolean endsInBackslash(CharSequence text) {
        int backslashes = 0;
        while (backslashes < text.length() && text.charAt(text.length() - 1 - backslashes) == '\\') {
            backslashes++;
        }
        return backslashes % 2 == 1;
    }

    /** Joins lines of MQSC: behind {@code +} from the first character that is no space, behind {@code -} whole. */
    private void joinContinued() {
        StringBuilder joined = new StringBuilder(statement);
        while (at < text.length() && !joined.isEmpty() && "+-".indexOf(joined.charAt(joined.length() - 1)) >= 0) {
            char mark = joined.charAt(joined.length() - 1);
            joined.setLength(joined.length() - 1);
            String next = readLine();
            join(joined, mark == '+' ? withoutEcho(next) : next);
        }
        statement = joined.toString();
    }

    private void join(StringBuilder joined, String next) {
        if (joined.length() + next.length() > LONGEST) {
            problem = tooLong();
            return;
        }
        joined.append(next);
        while (!joined.isEmpty() && Character.isWhitespace(joined.charAt(joined.length() - 1))) {
            joined.setLength(joined.length() - 1);
        }
    }

    private static String tooLong() {
        return "longer than " + LONGEST + " characters; write shorter statements";
    }

    private boolean peekBeginsWithOption() {
        int look = at;
        while (look < text.length() && " \t".indexOf(text.charAt(look)) >= 0) {
            look++;
        }
        return look + 1 < text.length() && text.charAt(look) == '-' && Character.isLetter(text.charAt(look + 1));
    }

    /** Reads the next line. A line that is too long or has control characters becomes a problem. */
    private String readLine() {
        int start = at;
        while (at < text.length() && "\r\n".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        int end = at;
        if (at < text.length()) {
            at += text.startsWith("\r\n", at) ? 2 : 1;
        }
        lines++;
        if (end - start > LONGEST) {
            problem = tooLong();
            return text.substring(start, start + 200).stripTrailing();
        }
        String read = text.substring(start, end).stripTrailing();
        if (read.chars().anyMatch(c -> Character.isISOControl(c) && c != '\t')) {
            problem = "control characters; remove them";
        }
        return read;
    }

    private static String withoutEcho(String line) {
        String stripped = line.strip();
        Matcher echo = ECHO.matcher(stripped);
        return echo.lookingAt() ? stripped.substring(echo.end()).strip() : stripped;
    }
}
