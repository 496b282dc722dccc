/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.keys;

import java.util.concurrent.atomic.LongAdder;

/** Counts the asymmetric operations for received messages, for tests of the limits. Thread-safe. */
public final class AsymmetricOperations {
    private static final LongAdder PRIVATE_KEY = new LongAdder();
    private static final LongAdder VERIFICATIONS = new LongAdder();

    private AsymmetricOperations() {}

    /** Returns the number of data keys that were decrypted or agreed with a private key so far. */
    public static long privateKey() {
        return PRIVATE_KEY.sum();
    }

    /** Returns the number of message signatures that were verified so far. */
    public static long verifications() {
        return VERIFICATIONS.sum();
    }

    static void countPrivateKey() {
        PRIVATE_KEY.increment();
    }

    static void countVerification() {
        VERIFICATIONS.increment();
    }
}
