/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import java.nio.file.Path;
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

    /** Those that were said, by their names in broker.xml. */
    Map<String, String> said() {
        Map<String, String> said = new LinkedHashMap<>();
        home.ifPresent(path -> said.put(HOME, path.toString()));
        identity.ifPresent(name -> said.put(IDENTITY, name));
        passwordFile.ifPresent(path -> said.put(PASSWORD_FILE, path.toString()));
        return said;
    }
}
