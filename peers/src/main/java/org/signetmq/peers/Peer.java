/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.peers;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A system that protects payloads. For one thread.
 *
 * @param <S> a protected payload with all that must travel with it
 * @param sealing protects a payload
 * @param opening returns the payload; it remembers keys if the system does so
 */
record Peer<S>(Step<byte[], S> sealing, Step<S, byte[]> opening) {
    /** Enough for a payload that is protected. */
    static final int CAPACITY = 4096;

    /** A step that may fail. */
    @FunctionalInterface
    interface Step<A, B> {
        B apply(A from) throws Exception;
    }

    /** Returns a supplier of a key, which it closes and replaces after this number of uses, at least 1. */
    static <K> Callable<K> renewing(long uses, Callable<K> newKey) throws Exception {
        List<K> current = new ArrayList<>(List.of(newKey.call()));
        AtomicLong used = new AtomicLong();
        return () -> {
            if (used.getAndIncrement() == uses) {
                used.set(1);
                if (current.set(0, newKey.call()) instanceof AutoCloseable old) {
                    old.close();
                }
            }
            return current.get(0);
        };
    }

    /** Returns the recipient's key where a peer wraps with RSA. */
    static KeyPair rsaKeys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        return generator.generateKeyPair();
    }
}
