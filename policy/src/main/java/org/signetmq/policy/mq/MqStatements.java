/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.mq;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.signetmq.policy.text.Quoted;

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
    MqPolicy parse() throws Refusal {
        if (!problem.isEmpty()) {
            throw new Refusal(problem);
        }
        return switch (kind) {
            case SETMQSPL -> SetmqsplCommand.parse(statement);
            case SET_POLICY -> SetPolicyCommand.parse(statement);
            default -> throw new Refusal("neither setmqspl nor SET POLICY, found " + Quoted.text(statement));
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

    /** Parses a {@code SET POLICY} command of MQSC: {@code KEYWORD(value) KEYWORD('value', 'value') KEYWORD}. */
    private static final class SetPolicyCommand {
        private static final Pattern BEGINNING = Pattern.compile("(?i)SET\\s+POLICY\\s*\\(");
        private static final Pattern KEYWORD = Pattern.compile("[A-Za-z0-9]{1,20}");

        private final String text;
        private final MqPolicy policy = new MqPolicy();
        private int at;

        private SetPolicyCommand(String text) {
            this.text = text;
        }

        /** Returns whether this line begins a command. */
        static boolean begins(String line) {
            return BEGINNING
                    .matcher(line.length() > 80 ? line.substring(0, 80) : line)
                    .lookingAt();
        }

        static MqPolicy parse(String line) throws Refusal {
            return new SetPolicyCommand(line.substring("SET".length())).parse();
        }

        private MqPolicy parse() throws Refusal {
            skip(" \t,");
            while (at < text.length()) {
                Matcher word = KEYWORD.matcher(text).region(at, text.length());
                if (!word.lookingAt()) {
                    throw new Refusal("no keyword where one is due, found " + Quoted.text(text.substring(at)));
                }
                at = word.end();
                String keyword = word.group().toUpperCase(Locale.ROOT);
                skip(" \t");
                if (isAt('(')) {
                    at++;
                    setValues(keyword);
                } else {
                    policy.set(keyword, "YES"); // a flag
                }
                skip(" \t,");
            }
            return policy;
        }

        private void setValues(String keyword) throws Refusal {
            skip(" \t");
            if (!isAt('\'')) {
                policy.set(keyword, plain(keyword));
                return;
            }
            String value = quoted(keyword);
            while (isAt(',')) {
                policy.set(keyword, value);
                at++;
                value = quoted(keyword);
            }
            if (!isAt(')')) {
                throw unclosed(keyword);
            }
            policy.set(keyword, value);
            at++;
        }

        /** Reads a value in quotes, where two quotes stand for one. */
        private String quoted(String keyword) throws Refusal {
            skip(" \t");
            if (!isAt('\'')) {
                throw new Refusal(keyword + ": a value without quotes beside one with quotes");
            }
            StringBuilder value = new StringBuilder();
            int from = at + 1;
            at = end(keyword, from);
            while (isAt('\'')) {
                value.append(text, from, at);
                from = at + 1;
                at = end(keyword, from);
            }
            value.append(text, from, at - 1);
            skip(" \t");
            return value.toString();
        }

        /** Returns the place behind the next quote. */
        private int end(String keyword, int from) throws Refusal {
            int quote = text.indexOf('\'', from);
            if (quote < 0) {
                throw new Refusal(keyword + ": an opening ' without its end");
            }
            return quote + 1;
        }

        /** Reads a value without quotes up to its closing bracket. MQ takes it in upper case. */
        private String plain(String keyword) throws Refusal {
            int end = text.indexOf(')', at);
            if (end < 0) {
                throw unclosed(keyword);
            }
            if (keyword.equals("RECIP") || keyword.equals("SIGNER")) {
                throw new Refusal(keyword + ": a distinguished name without quotes; write " + keyword + "('CN=...')");
            }
            String value = text.substring(at, end).strip().toUpperCase(Locale.ROOT);
            at = end + 1;
            return value;
        }

        private static Refusal unclosed(String keyword) {
            return new Refusal(keyword + " without its closing bracket");
        }

        private boolean isAt(char c) {
            return at < text.length() && text.charAt(at) == c;
        }

        private void skip(String characters) {
            while (at < text.length() && characters.indexOf(text.charAt(at)) >= 0) {
                at++;
            }
        }
    }

    /**
     * Parses a {@code setmqspl} command. It reads quotes and backslashes as a POSIX shell does, and refuses everything
     * that a shell would expand or run. A line break ends a comment, not the command.
     */
    private static final class SetmqsplCommand {
        private static final Map<Character, String> KEYWORDS = Map.of(
                'm', MqPolicy.QUEUE_MANAGER,
                'p', "POLICY",
                's', "SIGNALG",
                'e', "ENCALG",
                'r', "RECIP",
                'a', "SIGNER",
                't', "TOLERATE",
                'c', "KEYREUSE");

        /** Characters that end a command, redirect it, or are replaced by a shell. */
        private static final String RUN = ";|&<>()`$";

        private final String line;
        private final List<String> words = new ArrayList<>();
        /** The word that is being read; null between words. */
        private @Nullable StringBuilder word;

        private int at;

        private SetmqsplCommand(String line) {
            this.line = line;
        }

        /** Returns whether this line begins a command. */
        static boolean begins(String line) {
            int end = 0;
            while (end < line.length() && !Character.isWhitespace(line.charAt(end))) {
                end++;
            }
            String command = line.substring(0, end);
            return command.equals("setmqspl") || command.endsWith("/setmqspl");
        }

        static MqPolicy parse(String line) throws Refusal {
            Iterator<String> words = new SetmqsplCommand(line).words().iterator();
            words.next();
            MqPolicy policy = new MqPolicy();
            boolean removes = false;
            while (words.hasNext()) {
                String option = words.next();
                if (option.equals("-remove")) {
                    removes = true;
                } else {
                    policy.set(keyword(option), value(option, words));
                }
            }
            if (removes) {
                throw new Refusal("-remove removes a policy, and only policies are read; remove it here if need be");
            }
            return policy;
        }

        private static String keyword(String option) throws Refusal {
            String keyword = option.length() > 1 && option.charAt(0) == '-' ? KEYWORDS.get(option.charAt(1)) : null;
            if (keyword == null) {
                throw new Refusal("unknown option " + Quoted.text(option)
                        + "; known are -m, -p, -s, -e, -r, -a, -t, -c and -remove");
            }
            return keyword;
        }

        /** Returns the value, which may stand in the same word. */
        private static String value(String option, Iterator<String> left) throws Refusal {
            if (option.length() > 2) {
                return option.substring(2);
            }
            if (!left.hasNext()) {
                throw new Refusal("option " + option + " without a value");
            }
            return left.next();
        }

        private List<String> words() throws Refusal {
            while (at < line.length()) {
                char c = line.charAt(at++);
                if (c == ' ' || c == '\t' || c == '\n') {
                    end();
                } else if (c == '#' && word == null) {
                    at = line.indexOf('\n', at) < 0 ? line.length() : line.indexOf('\n', at);
                } else if (c == '\'') {
                    singleQuoted();
                } else if (c == '"') {
                    doubleQuoted();
                } else if (c == '\\') {
                    word().append(next("a backslash at the end"));
                } else if (RUN.indexOf(c) >= 0) {
                    throw shell(c);
                } else {
                    word().append(c);
                }
            }
            end();
            return words;
        }

        private void singleQuoted() throws Refusal {
            int end = line.indexOf('\'', at);
            if (end < 0) {
                throw new Refusal("an opening ' without its end");
            }
            word().append(line, at, end);
            at = end + 1;
        }

        private void doubleQuoted() throws Refusal {
            StringBuilder quoted = word();
            char c = next("an opening \" without its end");
            while (c != '"') {
                if (c == '$' || c == '`') {
                    throw shell(c);
                }
                if (c == '\\') {
                    char escaped = next("an opening \" without its end");
                    if ("\"\\$`".indexOf(escaped) < 0) {
                        quoted.append('\\'); // it has no meaning there
                    }
                    c = escaped;
                }
                quoted.append(c);
                c = next("an opening \" without its end");
            }
        }

        private char next(String otherwise) throws Refusal {
            if (at == line.length()) {
                throw new Refusal(otherwise);
            }
            return line.charAt(at++);
        }

        private StringBuilder word() {
            if (word == null) {
                word = new StringBuilder();
            }
            return word;
        }

        private void end() {
            if (word != null) {
                words.add(word.toString());
                word = null;
            }
        }

        private static Refusal shell(char c) {
            return new Refusal("a " + Quoted.text(String.valueOf(c))
                    + " that a shell would expand or run; put it in single quotes");
        }
    }

    /** Thrown for a statement that cannot be taken. The message is the reason and the remedy. */
    static final class Refusal extends Exception {
        private static final long serialVersionUID = 1L;

        Refusal(String reason) {
            super(reason, null, false, false);
        }

        String reason() {
            return String.valueOf(getMessage());
        }
    }
}
