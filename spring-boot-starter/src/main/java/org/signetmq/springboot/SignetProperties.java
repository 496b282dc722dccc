/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.springboot;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.home.Password;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of an application. Their text never shows the password.
 *
 * @param enabled whether the connection factories of the application are wrapped
 * @param home folder with the keys, the trust and the policies of the application
 * @param identity name of the identity in the home that opens messages and signs those that the application seals
 * @param password password of the key store of the identity; not together with password-file
 * @param passwordFile file whose first line is the password of the key store of the identity
 * @param policies where the policies come from
 * @param deadLetterAddresses addresses to which the broker moves messages and from which the application reads them
 * @param addressPrefixes prefixes in the URL of the broker's acceptor, anycastPrefix and multicastPrefix
 * @param requireRecipients whether the application starts only if the home has a certificate for each recipient of the
 *     policies with where: client; false for an application that only receives messages of these addresses
 * @param plainConnectionFactories names of beans that stay unwrapped, such as a connection factory for requests to the
 *     broker's management
 */
@ConfigurationProperties(SignetProperties.PREFIX)
record SignetProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable String home,
        @Nullable String identity,
        @Nullable String password,
        @Nullable String passwordFile,
        @DefaultValue("home") PolicySource policies,
        @DefaultValue List<String> deadLetterAddresses,
        @DefaultValue List<String> addressPrefixes,
        @DefaultValue("true") boolean requireRecipients,
        @DefaultValue List<String> plainConnectionFactories) {
    static final String PREFIX = "signet";

    /** Where policies come from. */
    enum PolicySource {
        /** The file {@code policies.json} of the home alone. */
        HOME,
        /** The home, and the queue on which the broker publishes its policies. */
        BROKER
    }

    /** Returns the home. */
    Path requiredHome() {
        return path(
                "home",
                required(
                        home,
                        "home",
                        "name the folder with the application's keys and policies, which"
                                + " 'signet identity create' makes"));
    }

    /** Returns the name of the identity. */
    String requiredIdentity() {
        return required(
                identity,
                "identity",
                "name the identity of the application; 'signet identity list' shows" + " those of the home");
    }

    /** Returns the password, which the caller closes. */
    Password openedPassword() {
        if (isSet(password) && isSet(passwordFile)) {
            throw new StartFailure("signet.password and signet.password-file are both set", "Set one of them.");
        }
        return passwordFile != null && isSet(passwordFile)
                ? Password.fromFile(path("password-file", passwordFile))
                : Password.takeOwnershipOf(required(
                                password,
                                "password-file",
                                "name a file whose first line is the password of the key"
                                        + " store, or set signet.password or the variable SIGNET_PASSWORD")
                        .toCharArray());
    }

    private static boolean isSet(@Nullable String value) {
        return value != null && !value.isBlank();
    }

    /** Returns a path of the file system. Spring's own conversion would prefer a resource of the class path. */
    private static Path path(String name, String value) {
        try {
            return Path.of(value);
        } catch (InvalidPathException e) {
            throw new StartFailure("signet." + name + " is no path: " + e.getReason(), "Correct it.");
        }
    }

    private static String required(@Nullable String value, String name, String remedy) {
        if (value == null || !isSet(value)) {
            throw new StartFailure(
                    "signet." + name + " is not set",
                    "Set it: " + remedy + ". With signet.enabled=false no connection factory is wrapped.");
        }
        return value;
    }

    @Override
    public String toString() {
        return "SignetProperties[home=" + home + ", identity=" + identity + "]";
    }
}
