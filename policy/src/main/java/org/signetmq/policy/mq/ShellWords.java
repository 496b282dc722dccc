/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.mq;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.policy.internal.text.Quoted;

/**
 * Splits a command into words, with quotes and backslashes as a POSIX shell reads them. A line break ends a comment,
 * not the command. Everything that a shell would expand or run is refused.
 */
final class ShellWords {
    /** Characters that end a command, redirect it, or are replaced by a shell. */
    private static final String RUN = ";|&<>()`$";

    private final String line;
    private final List<String> words = new ArrayList<>();
    /** The word that is being read; null between words. */
    private @Nullable StringBuilder word;

    private int at;

    private ShellWords(String line) {
        this.line = line;
    }

    static List<String> of(String line) throws MqRefusal {
        return new ShellWords(line).split();
    }

    private List<String> split() throws MqRefusal {
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
