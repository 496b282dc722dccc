/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.signetmq.policy.WildcardSyntax;

/**
 * The address of Artemis that a name probably means, which is written as clients of some protocol write it.
 *
 * @param address how Artemis writes it
 * @param why the syntax that addresses of Artemis do not have
 */
record MeantAddress(String address, String why) {
    /** Names of queues and topics begin so in clients, in configurations and in Artemis before version 2. */
    private static final Pattern PREFIX = Pattern.compile(
            "(?s)((?:temp-)?(?:queue|topic)://|jms\\.(?:temp)?(?:queue|topic)\\.|/(?:queue|topic)/)(.+)");

    /** Returns the probable address; empty if the name is written as Artemis writes addresses and patterns. */
    static Optional<MeantAddress> of(String name, WildcardSyntax syntax) {
        Matcher prefixed = PREFIX.matcher(name);
        if (prefixed.matches()) {
            String bare = prefixed.group(2);
            String address = of(bare, syntax).map(MeantAddress::address).orElse(bare);
            return Optional.of(new MeantAddress(address, "'" + prefixed.group(1) + "' is no part of an address"));
        }
        char delimiter = syntax.delimiter();
        if (name.indexOf('/') >= 0 && delimiter != '/') {
            // the address that the broker makes of a topic
            String topic = name.replace(String.valueOf(delimiter), "\\" + delimiter)
                    .replaceAll("^/+", "")
                    .replace('/', delimiter);
            return Optional.of(new MeantAddress(
                    words(topic, syntax), "in the address of an MQTT topic '/' is '" + delimiter + "'"));
        }
        return Optional.of(words(name, syntax))
                .filter(words -> !words.equals(name))
                .map(words -> new MeantAddress(words, "the wildcards of these policies are " + syntax.describe()));
    }

    /** Puts the wildcards of the policies in place of those that other brokers and protocols have. */
    private static String words(String name, WildcardSyntax syntax) {
        String delimiter = String.valueOf(syntax.delimiter());
        String own = "" + syntax.anyWords() + syntax.singleWord();
        return Stream.of(name.split(Pattern.quote(delimiter), -1))
                .map(word -> switch (word) {
                    case ">", "#" -> own.contains(word) ? word : own.substring(0, 1);
                    case "+", "*" -> own.contains(word) ? word : own.substring(1);
                    default -> word;
                })
                .collect(Collectors.joining(delimiter));
    }

    String warning(String name) {
        return "the policy matches no address but '" + name + "', which is probably not what is meant: " + why
                + "; set '" + address + "' instead, and run: signet policy remove '" + name + "'";
    }
}
