/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.check;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Checks the order of the broker's plugins. A plugin before Signet receives messages in clear.
 *
 * @param plugins the plugins that receive messages, in order
 * @param signet the class of Signet's plugin
 */
record PluginOrderCheck(List<?> plugins, Class<?> signet) implements Check {
    private static final int MOST_NAMES = 5;

    @Override
    public void look(Findings found) {
        List<? extends Class<?>> classes =
                plugins.stream().map(Object::getClass).toList();
        int place = classes.indexOf(signet);
        if (place < 0) {
            found.wrong(
                    "the broker does not list the plugin, so messages are stored in clear",
                    "run signet broker install, and restart the broker");
        } else if (place > 0) {
            String before = classes.stream()
                    .limit(Math.min(place, MOST_NAMES))
                    .map(Class::getName)
                    .map(Shown::name)
                    .collect(Collectors.joining(", "));
            found.wrong(
                    "plugins before Signet receive messages in clear: " + before
                            + (place > MOST_NAMES ? " and " + (place - MOST_NAMES) + " more" : ""),
                    "make Signet's <broker-plugin> the first in broker.xml, as signet broker install does, and restart"
                            + " the broker");
        }
        if (classes.lastIndexOf(signet) != place) {
            found.wrong(
                    "the broker lists Signet's plugin more than once",
                    "leave one <broker-plugin> of it in broker.xml, and restart the broker");
        }
    }
}
