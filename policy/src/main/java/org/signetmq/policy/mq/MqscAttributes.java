/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.mq;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.signetmq.policy.internal.text.Quoted;

/** Parses the attributes of MQSC: {@code KEYWORD(value) KEYWORD('value') KEYWORD}. */
final class MqscAttributes {
    /** The attributes of policies; other words are no attributes of one. */
    private static final Set<String> KEYWORDS =
            Set.of("POLICY", "SIGNALG", "ENCALG", "RECIP", "SIGNER", "KEYREUSE", "ENFORCE", "TOLERATE", "ACTION");

    private static final Pattern SET_POLICY = Pattern.compile("(?i)SET\\s+POLICY\\s*\\(.*");
    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9]{1,20}");

    private final String text;
    private final boolean displayed;
    private int at;

    private MqscAttributes(String text, boolean displayed) {
        this.text = text;
        this.displayed = displayed;
    }

    /**
     * One attribute.
     *
     * @param keyword the keyword in upper case
     * @param values the values between the brackets; a value that is missing reads as YES
     */
    record Attribute(String keyword, List<String> values) {}

    /** Returns whether this line begins a {@code SET POLICY} command. */
    static boolean beginsSetPolicy(String line) {
        return SET_POLICY
                .matcher(line.length() > 80 ? line.substring(0, 80) : line)
                .matches();
    }

    /** Returns whether this line is one of {@code DISPLAY POLICY}: it begins with a keyword of policies. */
    static boolean isDisplayed(String line) {
        Matcher word = WORD.matcher(line);
        return word.lookingAt()
                && KEYWORDS.contains(word.group())
                && (word.end() == line.length() || " (\t".indexOf(line.charAt(word.end())) >= 0);
    }

    /** Parses the attributes of a command: words without quotes are in upper case. */
    static List<Attribute> ofCommand(String text) throws MqRefusal {
        return new MqscAttributes(text, false).parse();
    }

    /** Parses the attributes of an output, where values stand as they are and without quotes. */
    static List<Attribute> ofOutput(String text) throws MqRefusal {
        return new MqscAttributes(text, true).parse();
    }

    private List<Attribute> parse() throws MqRefusal {
        List<Attribute> attributes = new ArrayList<>();
        skipSeparators();
        while (at < text.length()) {
            String keyword = keyword();
            skipSpaces();
            if (at < text.length() && text.charAt(at) == '(') {
                at++;
                attributes.add(new Attribute(keyword, values(keyword)));
            } else {
                attributes.add(new Attribute(keyword, List.of("YES")));
            }
            skipSeparators();
        }
        return attributes;
    }

    private String keyword() throws MqRefusal {
        Matcher word = WORD.matcher(text).region(at, text.length());
        if (!word.lookingAt()) {
            throw new MqRefusal("no keyword where one is due, found " + Quoted.text(text.substring(at)));
        }
        at = word.end();
        return word.group().toUpperCase(Locale.ROOT);
    }

    private List<String> values(String keyword) throws MqRefusal {
        List<String> values = new ArrayList<>();
        skipSpaces();
        if (at < text.length() && text.charAt(at) == '\'') {
            do {
                at = at + (values.isEmpty() ? 0 : 1);
                skipSpaces();
                values.add(quoted(keyword));
                skipSpaces();
            } while (at < text.length() && text.charAt(at) == ',');
            if (at == text.length() || text.charAt(at) != ')') {
                throw new MqRefusal(keyword + " without its closing bracket");
            }
            at++;
        } else {
            values.add(plain(keyword));
        }
        return values;
    }

    /** Reads a value in quotes, where two quotes stand for one. */
    private String quoted(String keyword) throws MqRefusal {
        if (at == text.length() || text.charAt(at) != '\'') {
            throw new MqRefusal(keyword + ": a value without quotes beside one with quotes");
        }
        StringBuilder value = new StringBuilder();
        at++;
        while (true) {
            int end = text.indexOf('\'', at);
            if (end < 0) {
                throw new MqRefusal(keyword + ": an opening ' without its end");
            }
            value.append(text, at, end);
            at = end + 1;
            if (at == text.length() || text.charAt(at) != '\'') {
                return value.toString();
            }
            value.append('\'');
            at++;
        }
    }

    /** Reads a value up to its closing bracket. An output has names with brackets inside. */
    private String plain(String keyword) throws MqRefusal {
        int depth = 1;
        int start = at;
        while (at < text.length()) {
            char c = text.charAt(at++);
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            if (depth == 0) {
                String value = text.substring(start, at - 1).strip();
                return displayed ? value : unquoted(keyword, value);
            }
        }
        throw new MqRefusal(keyword + " without its closing bracket");
    }

    private static String unquoted(String keyword, String value) throws MqRefusal {
        if (keyword.equals("RECIP") || keyword.equals("SIGNER")) {
            throw new MqRefusal(keyword + ": a distinguished name without quotes; write " + keyword + "('CN=...')");
        }
        return value.toUpperCase(Locale.ROOT);
    }

    private void skipSeparators() {
        while (at < text.length() && " \t,".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private void skipSpaces() {
        while (at < text.length() && " \t".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }
}
