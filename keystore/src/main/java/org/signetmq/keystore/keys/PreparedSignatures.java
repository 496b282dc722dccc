/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.keys;

import java.security.GeneralSecurityException;
import java.security.Signature;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.signetmq.keystore.SignatureScheme;

/** A pool of the initialised signature algorithms of one key. Thread-safe. */
final class PreparedSignatures {
    private final Preparation preparation;
    private final Map<Kind, Queue<Signature>> idle = new ConcurrentHashMap<>();

    interface Preparation {
        Signature prepare(SignatureScheme scheme, String digest) throws GeneralSecurityException;
    }

    interface Use<T> {
        T apply(Signature signature) throws GeneralSecurityException;
    }

    private record Kind(SignatureScheme scheme, String digest) {}

    PreparedSignatures(Preparation preparation) {
        this.preparation = preparation;
    }

    <T> T use(SignatureScheme scheme, String digest, Use<T> use) throws GeneralSecurityException {
        Queue<Signature> pool = idle.computeIfAbsent(new Kind(scheme, digest), unused -> new ConcurrentLinkedQueue<>());
        Signature kept = pool.poll();
        Signature signature = kept == null ? preparation.prepare(scheme, digest) : kept;
        T result = use.apply(signature);
        pool.add(signature); // only after success: an algorithm that failed may hold a part of a message
        return result;
    }
}
