/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What stands for {@code ${...}} in a broker's files, as far as its start script says.
 *
 * @param instance the folder of the broker
 */
record StartProperties(Path instance) {
    private static final Pattern PROPERTY = Pattern.compile("\\$\\{\\s*([^}:\\s]*)[^}]*}");

    /** The text as the broker reads it; empty if it has a property that the script does not set. */
    Optional<String> replacedIn(String text) {
        Map<String, String> known = Map.of(
                "artemis.instance", instance.toString(),
                "artemis.instance.etc", instance.resolve("etc").toString());
        Matcher property = PROPERTY.matcher(text);
        StringBuilder replaced = new StringBuilder();
        while (property.find()) {
            String value = known.get(property.group(1));
            if (value == null) {
                return Optional.empty();
            }
            property.appendReplacement(replaced, Matcher.quoteReplacement(value));
        }
        return Optional.of(property.appendTail(replaced).toString());
    }
}
