/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The URL of an acceptor as it is written in broker.xml, with its parameters after a {@code ?}. */
record AcceptorUrl(String text) {
    /** Whether clients of this protocol may connect; all may if the URL does not say. */
    boolean speaks(String protocol) {
        return parameter("protocols")
                .map(protocols -> protocols.contains("${")
                        || List.of(protocols.toUpperCase(Locale.ROOT).split("\\s*(?:,|%2C)\\s*"))
                                .contains(protocol))
                .orElse(true);
    }

    Optional<String> parameter(String name) {
        Matcher parameter = pattern(name).matcher(text);
        return parameter.find() ? Optional.of(parameter.group(2)) : Optional.empty();
    }

    AcceptorUrl with(String name, String value) {
        Matcher parameter = pattern(name).matcher(text);
        if (parameter.find()) {
            return new AcceptorUrl(text.substring(0, parameter.start(2)) + value + text.substring(parameter.end(2)));
        }
        String url = text.stripTrailing();
        return new AcceptorUrl(
                url + (url.contains("?") ? ";" : "?") + name + "=" + value + text.substring(url.length()));
    }

    /** The opposite of {@link #with} for a parameter that was not there. */
    AcceptorUrl without(String name) {
        Matcher parameter = pattern(name).matcher(text);
        if (!parameter.find()) {
            return this;
        }
        String before = text.substring(0, parameter.start());
        String after = text.substring(parameter.end());
        boolean firstOfMore = parameter.group(1).equals("?") && after.startsWith(";");
        return new AcceptorUrl(firstOfMore ? before + "?" + after.substring(1) : before + after);
    }

    private static Pattern pattern(String name) {
        return Pattern.compile("([?;]|&amp;)\\s*" + Pattern.quote(name) + "=([^;&\\s]*)");
    }
}
