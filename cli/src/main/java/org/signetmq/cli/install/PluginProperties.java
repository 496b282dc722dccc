/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Properties of the plugin's entry in broker.xml.
 *
 * @param home the broker's home folder
 * @param identity the identity that the broker signs as
 * @param passwordFile the file with the password of its key store
 */
public record PluginProperties(Optional<Path> home, Optional<String> identity, Optional<Path> passwordFile) {
    static final String PASSWORD_FILE = "password-file";
    private static final String HOME = "home";
    private static final String IDENTITY = "identity";

    /** Returns those of an entry, without the ones that only the broker's environment has. */
    static PluginProperties of(Map<String, String> entry, Instance instance) {
        Map<String, String> known = new HashMap<>();
        entry.forEach((key, value) -> instance.replaced(value).ifPresent(replaced -> known.put(key, replaced)));
        return new PluginProperties(
                path(known, HOME), Optional.ofNullable(known.get(IDENTITY)), path(known, PASSWORD_FILE));
    }

    /** Returns an absolute path only: the folder in which the broker is started is unknown. */
    private static Optional<Path> path(Map<String, String> known, String key) {
        try {
            return Optional.ofNullable(known.get(key)).map(Path::of).filter(Path::isAbsolute);
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    /** Returns those that are present, by their names in broker.xml. */
    Map<String, String> byName() {
        Map<String, String> byName = new LinkedHashMap<>();
        home.ifPresent(path -> byName.put(HOME, path.toString()));
        identity.ifPresent(name -> byName.put(IDENTITY, name));
        passwordFile.ifPresent(path -> byName.put(PASSWORD_FILE, path.toString()));
        return byName;
    }
}
