/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.mq;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.signetmq.policy.internal.text.Quoted;

/** Checks the text of distinguished names and brings it into MQ's form: {@code CN=alice,O=Example,C=GB}. */
final class MqDistinguishedName {
    /** As in the names of policies. */
    private static final int LONGEST = 2048;

    private static final Pattern TYPE = Pattern.compile("[A-Za-z][A-Za-z0-9.-]{0,63}|[0-9]+(\\.[0-9]+){1,31}");
    /** Characters with a meaning in RFC 4514, which MQ's names have only behind a backslash. */
    private static final String SPECIAL = ";<>\"";

    private MqDistinguishedName() {}

    /** Returns the name without spaces around commas and with its types in upper case. */
    static String normalised(String text) throws MqRefusal {
        if (text.length() > LONGEST) {
            throw new MqRefusal("a name longer than " + LONGEST + " characters, found " + Quoted.text(text));
        }
        List<String> attributes = new ArrayList<>();
        for (String attribute : split(text)) {
            attributes.add(attribute(attribute, text));
        }
        return String.join(",", attributes);
    }

    private static List<String> split(String text) throws MqRefusal {
        List<String> parts = new ArrayList<>();
        StringBuilder part = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\' && i + 1 < text.length()) {
                part.append(c).append(text.charAt(++i));
            } else if (c == ',') {
                parts.add(part.toString());
                part.setLength(0);
            } else if (c == '\\' || SPECIAL.indexOf(c) >= 0 || Character.isISOControl(c)) {
                throw noName(text, "it has a " + Quoted.text(String.valueOf(c)) + " without a backslash before it");
            } else {
                part.append(c);
            }
        }
        parts.add(part.toString());
        return parts;
    }

    private static String attribute(String attribute, String text) throws MqRefusal {
        int equals = attribute.indexOf('=');
        String type = attribute.substring(0, Math.max(0, equals)).strip();
        String value = trimmed(attribute.substring(equals + 1));
        if (equals < 0 || !TYPE.matcher(type).matches() || value.isEmpty()) {
            throw noName(text, "each part is TYPE=value");
        }
        return type.toUpperCase(Locale.ROOT) + "=" + value;
    }

    /** Removes spaces at both ends, but keeps the one behind a backslash. */
    private static String trimmed(String value) {
        String ahead = value.stripLeading();
        String both = ahead.stripTrailing();
        int backslashes = 0;
        while (backslashes < both.length() && both.charAt(both.length() - 1 - backslashes) == '\\') {
            backslashes++;
        }
        return backslashes % 2 == 1 && both.length() < ahead.length() ? both + ahead.charAt(both.length()) : both;
    }

    private static MqRefusal noName(String text, String reason) {
        return new MqRefusal("no distinguished name, found " + Quoted.text(text) + ": " + reason
                + "; write such as CN=alice,O=Example,C=GB");
    }
}
