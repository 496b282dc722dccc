/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.home;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.epoch.PregenerationSettings;
import org.signetmq.keystore.home.Home;
import org.signetmq.policy.NearestWord;

/**
 * The plugin's properties in broker.xml.
 *
 * @param home the folder of identities, recipients, trust and policies
 * @param identity the broker's own identity
 * @param passwordFile holds the password of the key stores in its first line
 * @param tuning the optional settings
 */
public record PluginSettings(Home home, String identity, Path passwordFile, Tuning tuning) {
    private static final String HOME = "home";
    private static final String IDENTITY = "identity";
    private static final String PASSWORD_FILE = "password-file";
    private static final String POLICY_STORE = "policy-store";
    private static final String MAX_MESSAGE_SIZE = "max-message-size";
    private static final List<String> KNOWN = List.of(
            HOME,
            IDENTITY,
            PASSWORD_FILE,
            POLICY_STORE,
            MAX_MESSAGE_SIZE,
            PregenerationSettings.THREADS,
            PregenerationSettings.CAPACITY);
    private static final long MOST_IN_MEMORY = 1L << 30; // so that an envelope around it still is one array

    /**
     * Limits and sizes.
     *
     * @param maxMessageSize how long the body of a message may be that is held in memory to be sealed, in bytes
     * @param pregeneration how data keys are made ahead of need
     */
    public record Tuning(long maxMessageSize, PregenerationSettings pregeneration) {
        /** The defaults. */
        public static final Tuning DEFAULT = new Tuning(64L << 20, PregenerationSettings.AUTO);

        private static Tuning of(Map<String, String> properties) {
            String size = properties.get(MAX_MESSAGE_SIZE);
            return new Tuning(
                    size == null ? DEFAULT.maxMessageSize() : PluginSettings.maxMessageSize(size),
                    PregenerationSettings.of(properties));
        }
    }

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
                new Home(Path.of(required(HOME, properties)).toAbsolutePath()),
                properties.getOrDefault(IDENTITY, "broker"),
                Path.of(required(PASSWORD_FILE, properties)).toAbsolutePath(),
                Tuning.of(properties));
    }

    private static long maxMessageSize(String text) {
        OptionalLong bytes = ByteSize.parse(text);
        if (bytes.isEmpty() || bytes.getAsLong() > MOST_IN_MEMORY) {
            throw new IllegalArgumentException("property '" + MAX_MESSAGE_SIZE
                    + "': must be a size up to 1GiB such as 64MiB, found '" + text + "'");
        }
        return bytes.getAsLong();
    }

    private static String required(String key, Map<String, String> properties) {
        @Nullable String value = properties.get(key);
        if (value == null || value.isBlank()) {
            throw new IllegalArgumentException("property '" + key + "': missing");
        }
        return value;
    }
}
