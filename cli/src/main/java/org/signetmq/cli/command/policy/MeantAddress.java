/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.signetmq.policy.WildcardSyntax;

/**
 * The address of Artemis that a name probably means, which is written as clients of some protocol write it.
 *
 * @param address how Artemis writes it
 * @param why the syntax that addresses of Artemis do not have
 */
record MeantAddress(String address, String why) {
    /** Names of queues and topics begin so in clients, in configurations and in Artemis before version 2. */
    private static final List<String> PREFIXES = List.of(
            "queue://",
            "topic://",
            "temp-queue://",
            "temp-topic://",
            "jms.queue.",
            "jms.topic.",
            "jms.tempqueue.",
            "jms.temptopic.",
            "/queue/",
            "/topic/");

    /** Other brokers and protocols have these for any number of words, and for one word. */
    private static final List<String> ANY_WORDS = List.of(">", "#");

    private static final List<String> SINGLE_WORD = List.of("+", "*");

    /** Returns the probable address; empty if the name is written as Artemis writes addresses and patterns. */
    static Optional<MeantAddress> of(String name, WildcardSyntax syntax) {
        for (String prefix : PREFIXES) {
            if (name.startsWith(prefix) && name.length() > prefix.length()) {
                String bare = name.substring(prefix.length());
                return Optional.of(new MeantAddress(
                        of(bare, syntax).map(MeantAddress::address).orElse(bare),
                        "'" + prefix + "' is no part of an address"));
            }
        }
        if (name.indexOf('/') >= 0 && syntax.delimiter() != '/') {
            String topic = topic(name, syntax.delimiter());
            return Optional.of(new MeantAddress(
                    words(topic, syntax), "in the address of an MQTT topic '/' is '" + syntax.delimiter() + "'"));
        }
        String words = words(name, syntax);
        return words.equals(name)
                ? Optional.empty()
                : Optional.of(new MeantAddress(words, "the wildcards of this home are " + syntax.describe()));
    }

    /** Returns the address that the broker makes of a topic. */
    private static String topic(String name, char delimiter) {
        String escaped =
                name.replace(String.valueOf(delimiter), "\\" + delimiter).replaceAll("^/+", "");
        return escaped.replace('/', delimiter);
    }

    private static String words(String name, WildcardSyntax syntax) {
        String delimiter = String.valueOf(syntax.delimiter());
        String[] words = name.split(Pattern.quote(delimiter), -1);
        for (int i = 0; i < words.length; i++) {
            boolean ours = words[i].equals(String.valueOf(syntax.anyWords()))
                    || words[i].equals(String.valueOf(syntax.singleWord()));
            if (!ours && ANY_WORDS.contains(words[i])) {
                words[i] = String.valueOf(syntax.anyWords());
            } else if (!ours && SINGLE_WORD.contains(words[i])) {
                words[i] = String.valueOf(syntax.singleWord());
            }
        }
        return String.join(delimiter, words);
    }

    String warning(String name) {
        return "the policy matches no address but '" + name + "', which is probably not what is meant: " + why
                + "; set '" + address + "' instead, and run: signet policy remove '" + name + "'";
    }
}
