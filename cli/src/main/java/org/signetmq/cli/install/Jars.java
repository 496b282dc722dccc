/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import org.signetmq.keystore.crypto.CryptoProviders;

/**
 * The jars for the folder lib of a broker instance.
 *
 * @param plugin the bytes of the plugin
 * @param nativeLibrary the bytes of the native library for cryptography; empty if it does not work on this machine
 * @param choice whether the administrator wants the native library
 */
public record Jars(byte[] plugin, Optional<byte[]> nativeLibrary, Choice choice) {
    private static final String PLUGIN = "signet-plugin.jar";
    private static final String NATIVE_LIBRARY = "signet-native-crypto.jar";

    /** Whether the native library is installed. */
    public enum Choice {
        /** The choice of an earlier install holds; without one the library is installed. */
        AS_BEFORE,
        /** It is installed. */
        INSTALL,
        /** It is left out, now and at later installs. */
        LEAVE_OUT
    }

    /** Returns the jars that this program carries. */
    public static Jars carried(Choice choice) throws IOException {
        byte[] plugin = resource(PLUGIN)
                .orElseThrow(() ->
                        new IOException(PLUGIN + ": not carried by this program, which was built without mvn package"));
        boolean works = CryptoProviders.standard().accelerated().isPresent();
        return new Jars(plugin, works ? resource(NATIVE_LIBRARY) : Optional.empty(), choice);
    }

    private static Optional<byte[]> resource(String name) throws IOException {
        try (InputStream in = Jars.class.getResourceAsStream(name)) {
            return in == null ? Optional.empty() : Optional.of(in.readAllBytes());
        }
    }
}
