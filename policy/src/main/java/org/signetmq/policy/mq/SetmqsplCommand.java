/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.mq;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.signetmq.policy.internal.text.Quoted;

/**
 * Parses a {@code setmqspl} command. It reads quotes and backslashes as a POSIX shell does, and refuses everything that
 * a shell would expand or run. A line break ends a comment, not the command.
 */
final class SetmqsplCommand {
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

    static MqPolicy parse(String line) throws MqRefusal {
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
            throw new MqRefusal("-remove removes a policy, and only policies are read; remove it here if need be");
        }
        return policy;
    }

    private static String keyword(String option) throws MqRefusal {
        String keyword = option.length() > 1 && option.charAt(0) == '-' ? KEYWORDS.get(option.charAt(1)) : null;
        if (keyword == null) {
            throw new MqRefusal(
                    "unknown option " + Quoted.text(option) + "; known are -m, -p, -s, -e, -r, -a, -t, -c and -remove");
        }
        return keyword;
    }

    /** Returns the value, which may stand in the same word. */
    private static String value(String option, Iterator<String> left) throws MqRefusal {
        if (option.length() > 2) {
            return option.substring(2);
        }
        if (!left.hasNext()) {
            throw new MqRefusal("option " + option + " without a value");
        }
        return left.next();
    }

    private List<String> words() throws MqRefusal {
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

    private void singleQuoted() throws MqRefusal {
        int end = line.indexOf('\'', at);
        if (end < 0) {
            throw new MqRefusal("an opening ' without its end");
        }
        word().append(line, at, end);
        at = end + 1;
    }

    private void doubleQuoted() throws MqRefusal {
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

    private char next(String otherwise) throws MqRefusal {
        if (at == line.length()) {
            throw new MqRefusal(otherwise);
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

    private static MqRefusal shell(char c) {
        return new MqRefusal(
                "a " + Quoted.text(String.valueOf(c)) + " that a shell would expand or run; put it in single quotes");
    }
}
