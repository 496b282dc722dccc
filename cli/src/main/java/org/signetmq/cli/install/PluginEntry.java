/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A plugin's entry.
 *
 * @param element it
 * @param file where it stands
 */
record PluginEntry(XmlElement element, Path file) {
    boolean isOurs() {
        return BrokerXml.PLUGIN_CLASS.equals(
                element.attributes().getOrDefault("class-name", "").strip());
    }

    /** Its properties, escaped as they are written. */
    Map<String, String> properties() {
        Map<String, String> properties = new LinkedHashMap<>();
        element.all("property")
                .forEach(property -> properties.put(
                        property.attributes().getOrDefault("key", ""),
                        property.attributes().getOrDefault("value", "")));
        return properties;
    }
}
