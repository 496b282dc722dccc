/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.demo;

import java.security.SecureRandom;
import java.util.HexFormat;

/** Text that nobody guesses. */
final class RandomText {
    private static final int BYTES = 16;

    private RandomText() {}

    static String fresh() {
        byte[] random = new byte[BYTES];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }
}
