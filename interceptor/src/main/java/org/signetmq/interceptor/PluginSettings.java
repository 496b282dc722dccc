/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.Home;
import org.signetmq.keystore.PregenerationSettings;
import org.signetmq.policy.NearestWord;

/**
 * The plugin's properties in broker.xml.
 *
 * @param home the folder of identities, recipients, trust and policies
 * @param identity the broker's own identity
 * @param passwordFile holds the password of the key stores in its first line
 * @param pregeneration how data keys are made ahead of need
 */
record PluginSettings(Home home, String identity, Path passwordFile, PregenerationSettings pregeneration) {
    private static final String HOME = "home";
    private static final String IDENTITY = "identity";
    private static final String PASSWORD_FILE = "password-file";
    private static final String POLICY_STORE = "policy-store";
    private static final List<String> KNOWN = List.of(
            HOME, IDENTITY, PASSWORD_FILE, POLICY_STORE, PregenerationSettings.THREADS, PregenerationSettings.CAPACITY);

    /**
     * The settings that these properties say.
     *
     * @throws IllegalArgumentException if a property is unknown, missing or has no possible value
     */
    static PluginSettings of(Map<String, String> properties) {
        for (String key : properties.keySet()) {
            if (!KNOWN.contains(key)) {
                throw new IllegalArgumentException("property '" + key + "': unknown" + NearestWord.hint(key, KNOWN));
            }
        }
        String store = properties.getOrDefault(POLICY_STORE, "file");
        if (!store.equals("file")) {
            throw new IllegalArgumentException("property 'policy-store': must be 'file', found '" + store + "'");
        }
        return new PluginSettings(
                new Home(Path.of(required(HOME, properties))),
                properties.getOrDefault(IDENTITY, "broker"),
                Path.of(required(PASSWORD_FILE, properties)),
                PregenerationSettings.of(properties));
    }

    private static String required(String key, Map<String, String> properties) {
        @Nullable String value = properties.get(key);
        if (value == null || value.isBlank()) {
            throw new IllegalArgumentException("property '" + key + "': missing");
        }
        return value;
    }
}
