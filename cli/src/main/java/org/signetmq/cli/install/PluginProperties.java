/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What the administrator says of the plugin's entry in broker.xml.
 *
 * @param home the broker's home folder
 * @param identity whom the broker signs as
 * @param passwordFile holds the password of its key store
 */
public record PluginProperties(Optional<Path> home, Optional<String> identity, Optional<Path> passwordFile) {
    static final String HOME = "home";
    static final String IDENTITY = "identity";
    static final String PASSWORD_FILE = "password-file";

    /** Those that are known of what an entry says: not what only the broker's environment can tell. */
    static PluginProperties written(Map<String, String> escaped, StartProperties start) {
        Map<String, String> known = new HashMap<>();
        escaped.forEach((key, value) ->
                start.replacedIn(XmlText.unescape(value)).ifPresent(replaced -> known.put(key, replaced)));
        return new PluginProperties(
                path(known, HOME), Optional.ofNullable(known.get(IDENTITY)), path(known, PASSWORD_FILE));
    }

    /** A path that is relative to a folder nobody knows is none. */
    private static Optional<Path> path(Map<String, String> known, String key) {
        try {
            return Optional.ofNullable(known.get(key)).map(Path::of).filter(Path::isAbsolute);
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    /** Those that were said, by their names in broker.xml. */
    Map<String, String> said() {
        Map<String, String> said = new LinkedHashMap<>();
        home.ifPresent(path -> said.put(HOME, path.toString()));
        identity.ifPresent(name -> said.put(IDENTITY, name));
        passwordFile.ifPresent(path -> said.put(PASSWORD_FILE, path.toString()));
        return said;
    }
}
