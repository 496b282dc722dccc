/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.home;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.external.KeyStoreUri;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.PolicyMark;
import org.signetmq.keystore.keys.PregenerationSettings;
import org.signetmq.policy.Amounts;
import org.signetmq.policy.text.NearestWord;

/**
 * The plugin's properties in broker.xml.
 *
 * @param home the folder of identities, recipients, trust and policies
 * @param identity the broker's own identity
 * @param passwordFile the file with the password of the key stores in its first line
 * @param tuning the optional settings
 */
public record PluginSettings(Home home, String identity, Path passwordFile, Tuning tuning) {
    private static final String HOME = "home";
    private static final String IDENTITY = "identity";
    private static final String PASSWORD_FILE = "password-file";
    private static final String KEY_STORE = "key-store";
    private static final String POLICY_STORE = "policy-store";
    private static final String POLICY_MARK = "policy-mark";
    private static final String REQUIRE_POLICIES = "require-policies";
    private static final String MAX_MESSAGE_SIZE = "max-message-size";
    private static final List<String> KNOWN = List.of(
            HOME,
            IDENTITY,
            PASSWORD_FILE,
            KEY_STORE,
            POLICY_STORE,
            POLICY_MARK,
            REQUIRE_POLICIES,
            MAX_MESSAGE_SIZE,
            PregenerationSettings.THREADS,
            PregenerationSettings.CAPACITY);
    private static final long MOST_IN_MEMORY = 1L << 30; // the envelope of such a body still fits one array

    /**
     * The optional settings.
     *
     * @param maxMessageSize the greatest length of a body that the plugin seals in memory, in bytes
     * @param pregeneration the settings for data keys that are made ahead
     * @param keeping the place of the policies
     * @param keyStore the token or key service with the private key of the broker's identity; empty if it is in the
     *     home
     */
    public record Tuning(
            long maxMessageSize, PregenerationSettings pregeneration, Keeping keeping, Optional<KeyStoreUri> keyStore) {
        public static final Tuning DEFAULT = new Tuning(
                64L << 20,
                PregenerationSettings.AUTO,
                new Keeping(Store.FILE, Optional.empty(), false),
                Optional.empty());

        private static Tuning of(Map<String, String> properties) {
            String size = properties.get(MAX_MESSAGE_SIZE);
            return new Tuning(
                    size == null ? DEFAULT.maxMessageSize() : PluginSettings.maxMessageSize(size),
                    PregenerationSettings.of(properties),
                    Keeping.of(properties),
                    Optional.ofNullable(properties.get(KEY_STORE)).map(PluginSettings::keyStore));
        }
    }

    /**
     * The place of the policies.
     *
     * @param markFolder the folder of their mark; empty for the home
     * @param requiresPolicies whether a broker without policies rejects all messages
     */
    public record Keeping(Store store, Optional<Path> markFolder, boolean requiresPolicies) {
        private static Keeping of(Map<String, String> properties) {
            String required = properties.getOrDefault(REQUIRE_POLICIES, "false");
            if (!List.of("true", "false").contains(required)) {
                throw new IllegalArgumentException(
                        "property '" + REQUIRE_POLICIES + "': must be 'true' or 'false', found '" + required + "'");
            }
            return new Keeping(
                    Store.of(properties.getOrDefault(POLICY_STORE, Store.FILE.label())),
                    properties.containsKey(POLICY_MARK)
                            ? Optional.of(
                                    Path.of(required(POLICY_MARK, properties)).toAbsolutePath())
                            : Optional.empty(),
                    Boolean.parseBoolean(required));
        }

        /** Returns the mark of the policies of a broker with this home. */
        PolicyMark mark(Home home) {
            return markFolder.map(PolicyMark::new).orElseGet(home::policyMark);
        }
    }

    /** Tells where the policies are. */
    public enum Store {
        /** In the broker's bindings journal. */
        BROKER,
        /** In the policy file of the home. */
        FILE;

        /** Returns the value of the property, in lower case. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        private static Store of(String label) {
            return Stream.of(values())
                    .filter(store -> store.label().equals(label))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(
                            "property '" + POLICY_STORE + "': must be 'broker' or 'file', found '" + label + "'"));
        }
    }

    /**
     * Reads the settings from the plugin's properties.
     *
     * @throws IllegalArgumentException if a property is unknown or missing, or if its value is invalid
     */
    static PluginSettings of(Map<String, String> properties) {
        for (String key : properties.keySet()) {
            if (!KNOWN.contains(key)) {
                throw new IllegalArgumentException("property '" + key + "': unknown" + NearestWord.hint(key, KNOWN));
            }
        }
        Home home = new Home(Path.of(required(HOME, properties)).toAbsolutePath());
        // keys outside of the home need no password; key stores of senders may still have one
        Path passwordFile = properties.containsKey(KEY_STORE) && !properties.containsKey(PASSWORD_FILE)
                ? home.root().resolve("password")
                : Path.of(required(PASSWORD_FILE, properties)).toAbsolutePath();
        return new PluginSettings(
                home, properties.getOrDefault(IDENTITY, "broker"), passwordFile, Tuning.of(properties));
    }

    private static KeyStoreUri keyStore(String uri) {
        try {
            return KeyStoreUri.parse(uri.strip());
        } catch (KeystoreUnusableException e) {
            String problem = String.valueOf(e.getMessage()).replaceFirst("^key-store: ", "");
            throw new IllegalArgumentException("property '" + KEY_STORE + "': " + problem, e);
        }
    }

    private static long maxMessageSize(String text) {
        long bytes = Amounts.bytes(text.matches("[0-9]+") ? text + "B" : text).orElse(Long.MAX_VALUE);
        if (bytes > MOST_IN_MEMORY) {
            throw new IllegalArgumentException("property '" + MAX_MESSAGE_SIZE
                    + "': must be a size up to 1GiB such as 64MiB, found '" + text + "'");
        }
        return bytes;
    }

    private static String required(String key, Map<String, String> properties) {
        @Nullable String value = properties.get(key);
        if (value == null || value.isBlank()) {
            throw new IllegalArgumentException("property '" + key + "': missing");
        }
        return value;
    }
}
