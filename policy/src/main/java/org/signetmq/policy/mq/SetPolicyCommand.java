/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.mq;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.signetmq.policy.internal.text.Quoted;

/** Parses a {@code SET POLICY} command of MQSC: {@code KEYWORD(value) KEYWORD('value', 'value') KEYWORD}. */
final class SetPolicyCommand {
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

    static MqPolicy parse(String line) throws MqRefusal {
        return new SetPolicyCommand(line.substring("SET".length())).parse();
    }

    private MqPolicy parse() throws MqRefusal {
        skip(" \t,");
        while (at < text.length()) {
            Matcher word = KEYWORD.matcher(text).region(at, text.length());
            if (!word.lookingAt()) {
                throw new MqRefusal("no keyword where one is due, found " + Quoted.text(text.substring(at)));
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

    private void setValues(String keyword) throws MqRefusal {
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
    private String quoted(String keyword) throws MqRefusal {
        skip(" \t");
        if (!isAt('\'')) {
            throw new MqRefusal(keyword + ": a value without quotes beside one with quotes");
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
    private int end(String keyword, int from) throws MqRefusal {
        int quote = text.indexOf('\'', from);
        if (quote < 0) {
            throw new MqRefusal(keyword + ": an opening ' without its end");
        }
        return quote + 1;
    }

    /** Reads a value without quotes up to its closing bracket. MQ takes it in upper case. */
    private String plain(String keyword) throws MqRefusal {
        int end = text.indexOf(')', at);
        if (end < 0) {
            throw unclosed(keyword);
        }
        if (keyword.equals("RECIP") || keyword.equals("SIGNER")) {
            throw new MqRefusal(keyword + ": a distinguished name without quotes; write " + keyword + "('CN=...')");
        }
        String value = text.substring(at, end).strip().toUpperCase(Locale.ROOT);
        at = end + 1;
        return value;
    }

    private static MqRefusal unclosed(String keyword) {
        return new MqRefusal(keyword + " without its closing bracket");
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
