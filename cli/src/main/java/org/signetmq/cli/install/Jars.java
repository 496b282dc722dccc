/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import org.signetmq.keystore.keys.CryptoProviders;

/**
 * The jars for the folder lib of a broker instance.
 *
 * @param plugin the bytes of the plugin
 * @param nativeLibrary the bytes of the native library for cryptography; empty if it does not work on this machine
 */
public record Jars(byte[] plugin, Optional<byte[]> nativeLibrary) {
    /** Returns the jars that this program carries. */
    public static Jars carried() throws IOException {
        byte[] plugin = required(Instance.JAR);
        boolean works = CryptoProviders.standard().accelerated().isPresent();
        return new Jars(plugin, works ? resource(Instance.NATIVE_JAR) : Optional.empty());
    }

    /** Returns the content of a file of an instance that this program carries. */
    static byte[] required(String name) throws IOException {
        return resource(name)
                .orElseThrow(() -> new IOException(
                        Instance.nameOf(name) + ": not carried by this program, which was built without mvn package"));
    }

    private static Optional<byte[]> resource(String name) throws IOException {
        try (InputStream in = Jars.class.getResourceAsStream(Instance.nameOf(name))) {
            return in == null ? Optional.empty() : Optional.of(in.readAllBytes());
        }
    }

    /**
     * The page for administrators on the broker's web server.
     *
     * @param wanted whether it is installed; empty if an earlier choice holds, at first false
     * @param war the bytes of the web application
     */
    public record Page(Optional<Boolean> wanted, byte[] war) {
        /** Returns the page that this program carries. */
        public static Page carried(Optional<Boolean> wanted) throws IOException {
            return new Page(wanted, Jars.required(Instance.CONSOLE_WAR));
        }
    }
}
