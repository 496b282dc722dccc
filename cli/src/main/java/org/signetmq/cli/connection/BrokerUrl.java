/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.connection;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.CommandContext;
import org.signetmq.cli.console.Failures;

/** The URL of one broker, as Artemis clients take it: {@code tcp://HOST:PORT}, or several of a pair in parentheses. */
public final class BrokerUrl {
    /** A host with an underscore in its name. Such hosts exist, and {@link URI} does not accept them. */
    static final Pattern ODD_HOST = Pattern.compile("(?<=tcp://)([A-Za-z0-9.-]*_[A-Za-z0-9._-]*)(?=:)");

    private static final Pattern PAIR = Pattern.compile("\\(([^()]+)\\)(\\?[^()]*)?");
    private static final Pattern SECRET = Pattern.compile("(?i)([^?&;=()]*password[^?&;=()]*=)[^&]*");

    /** The variable with the URLs for commands without {@code --broker}. */
    private static final String VARIABLE = "SIGNET_BROKER";

    private static final int MOST_BROKERS = 100;

    private BrokerUrl() {}

    /**
     * Returns the URLs of the lists of an option, else those of {@code $SIGNET_BROKER}; none if neither names a broker.
     */
    public static List<String> named(List<String> lists, CommandContext context) {
        String variable = context.environment(VARIABLE);
        List<String> urls = (lists.isEmpty() && !variable.isEmpty() ? List.of(variable) : lists)
                .stream().flatMap(list -> split(list).stream()).toList();
        if (urls.size() > MOST_BROKERS) {
            throw CliException.usage("--broker: more than " + MOST_BROKERS + " brokers");
        }
        urls.forEach(BrokerUrl::require);
        return urls;
    }

    /** Returns the only one of these URLs. */
    static String one(List<String> urls) {
        if (urls.size() == 1) {
            return urls.get(0);
        }
        throw CliException.usage(
                        urls.isEmpty()
                                ? "--broker: missing"
                                : "--broker: this command asks one broker, and " + urls.size() + " are named")
                .hint("name a broker, such as --broker tcp://localhost:61616, or set " + VARIABLE);
    }

    /** Returns the URLs of a list with commas. A comma inside parentheses, or inside a parameter, belongs to a URL. */
    public static List<String> split(String list) {
        List<String> urls = new ArrayList<>();
        int depth = 0;
        int start = 0;
        for (int i = 0; i < list.length(); i++) {
            depth += switch (list.charAt(i)) {
                case '(' -> 1;
                case ')' -> -1;
                default -> 0;
            };
            boolean begins = list.startsWith("tcp://", i + 1) || list.startsWith("(", i + 1);
            if (list.charAt(i) == ',' && depth == 0 && (begins || i + 1 == list.length())) {
                urls.add(list.substring(start, i));
                start = i + 1;
            }
        }
        urls.add(list.substring(start));
        return urls;
    }

    /** Rejects a text that is not the URL of a broker. */
    static void require(String url) {
        Matcher pair = PAIR.matcher(url);
        boolean isPair = pair.matches();
        Stream<String> members = isPair ? Stream.of(pair.group(1).split(",", -1)) : Stream.of(url);
        String parameters = isPair && pair.group(2) != null ? pair.group(2) : "";
        if (!members.allMatch(BrokerUrl::isAcceptor) || !isAcceptor("tcp://pair:1" + parameters)) {
            throw CliException.usage("broker URL: not like tcp://HOST:PORT: " + shown(url));
        }
    }

    private static boolean isAcceptor(String url) {
        try {
            URI parsed = new URI(ODD_HOST.matcher(url).replaceFirst("stand-in"));
            return "tcp".equals(parsed.getScheme()) && parsed.getHost() != null && parsed.getPort() > 0;
        } catch (URISyntaxException e) {
            return false;
        }
    }

    /** Returns the URL for messages: on one line, and without the passwords among its parameters. */
    static String shown(String url) {
        return Failures.oneLine(SECRET.matcher(url).replaceAll("$1***"));
    }
}
