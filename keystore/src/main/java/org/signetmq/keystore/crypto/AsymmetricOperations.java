/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.crypto;

import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the asymmetric operations that received messages cost this process. Tests of the limits in
 * {@code docs/format.md} read the counts. Thread-safe.
 */
public final class AsymmetricOperations {
    private static final LongAdder PRIVATE_KEY = new LongAdder();
    private static final LongAdder VERIFICATIONS = new LongAdder();

    private AsymmetricOperations() {}

    /** How many data keys were decrypted or agreed with a private key so far. */
    public static long privateKey() {
        return PRIVATE_KEY.sum();
    }

    /** How many signatures of messages were verified with a public key so far. */
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
