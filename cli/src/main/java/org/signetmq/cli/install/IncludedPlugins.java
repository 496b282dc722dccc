/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Plugins that a file lists which broker.xml includes. A second list would keep the broker from starting, so our entry
 * must be put there, by whoever made that file.
 *
 * @param file the included one
 * @param plugins all that the broker loads
 */
record IncludedPlugins(Path file, List<PluginEntry> plugins) {
    static Optional<IncludedPlugins> of(WholeConfiguration whole) {
        List<PluginEntry> plugins = whole.plugins();
        return whole.includedPlugins()
                .or(() -> whole.ourIncludedEntry().map(PluginEntry::file))
                .map(file -> new IncludedPlugins(file, plugins));
    }

    /**
     * The properties of our entry.
     *
     * @param wanted those that it should have
     * @param said those of them that it must have
     * @throws UnusableInstanceException if it is not the first, or has others
     */
    Map<String, String> ours(Map<String, String> wanted, Map<String, String> said) {
        if (plugins.isEmpty() || !plugins.get(0).isOurs()) {
            throw new UnusableInstanceException(file + ": is included by " + Instance.BROKER_XML
                    + " and lists its plugins; install again when this is the first of them: " + entry(wanted));
        }
        Map<String, String> properties = plugins.get(0).properties();
        if (!properties.entrySet().containsAll(said.entrySet())) {
            throw new UnusableInstanceException(plugins.get(0).file() + ": is included by " + Instance.BROKER_XML
                    + " and not edited; install again when the entry of Signet there is " + entry(wanted));
        }
        return properties;
    }

    /** @throws UnusableInstanceException if our entry is there: without its jar, the broker would not start */
    void requireNotOurs() {
        if (plugins.stream().anyMatch(PluginEntry::isOurs)) {
            throw new UnusableInstanceException(file + ": is included by " + Instance.BROKER_XML
                    + " and not edited; uninstall again when the entry of Signet there is removed");
        }
    }

    private static String entry(Map<String, String> properties) {
        StringBuilder entry = new StringBuilder("<broker-plugin class-name=\"" + BrokerXml.PLUGIN_CLASS + "\">");
        properties.forEach((key, value) -> entry.append("<property key=\"" + key + "\" value=\"" + value + "\"/>"));
        return entry.append("</broker-plugin>").toString();
    }
}
