/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.body;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The symbols that were read so far. Proton-j keeps each one that it reads until the process ends. Thread-safe. */
final class AmqpSymbols {
    private static final Set<String> SEEN = ConcurrentHashMap.newKeySet();

    private AmqpSymbols() {}

    /** Whether this one may be kept too. */
    static boolean admits(byte[] bytes, int offset, int length) {
        if (length > BodyLimits.SYMBOL) {
            return false;
        }
        String symbol = new String(bytes, offset, length, US_ASCII);
        return SEEN.contains(symbol) || (SEEN.size() < BodyLimits.SYMBOLS && remember(symbol));
    }

    private static boolean remember(String symbol) {
        SEEN.add(symbol);
        return true;
    }
}
