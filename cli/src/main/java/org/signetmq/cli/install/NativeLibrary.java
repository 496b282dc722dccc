/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import org.signetmq.keystore.crypto.CryptoProviders;

/**
 * Whether the native library for cryptography goes into a broker instance.
 *
 * @param jar the library, if this program carries it and it works on this machine
 * @param choice what the administrator said
 */
public record NativeLibrary(Optional<byte[]> jar, Choice choice) {
    private static final String RESOURCE = "signet-native-crypto.jar";

    /** What the administrator said about the library. */
    public enum Choice {
        /** Nothing: what was said at an earlier install holds, and the library is installed if nothing was said. */
        AS_BEFORE,
        /** Install it. */
        INSTALL,
        /** Leave it out, now and at later installs. */
        LEAVE_OUT
    }

    /** The library that this program carries, if it works in this Java on this machine. */
    public static NativeLibrary carried(Choice choice) throws IOException {
        if (CryptoProviders.standard().accelerated().isEmpty()) {
            return new NativeLibrary(Optional.empty(), choice);
        }
        try (InputStream in = NativeLibrary.class.getResourceAsStream(RESOURCE)) {
            return new NativeLibrary(in == null ? Optional.empty() : Optional.of(in.readAllBytes()), choice);
        }
    }

    /** No library. */
    static NativeLibrary none() {
        return new NativeLibrary(Optional.empty(), Choice.AS_BEFORE);
    }
}
