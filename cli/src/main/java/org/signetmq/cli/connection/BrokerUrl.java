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
import org.signetmq.cli.console.Failures;

/** The URL of one broker, as Artemis clients take it: {@code tcp://HOST:PORT}, or several of a pair in parentheses. */
public final class BrokerUrl {
    /** A host with an underscore in its name. Such hosts exist, and {@link URI} does not accept them. */
    static final Pattern ODD_HOST = Pattern.compile("(?<=tcp://)([A-Za-z0-9.-]*_[A-Za-z0-9._-]*)(?=:)");

    private static final Pattern PAIR = Pattern.compile("\\(([^()]+)\\)(\\?[^()]*)?");
    private static final Pattern SECRET = Pattern.compile("(?i)([^?&;=()]*password[^?&;=()]*=)[^&]*");

    private BrokerUrl() {}

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
    public static void require(String url) {
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
