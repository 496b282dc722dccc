/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.peers;

/**
 * A system that protects payloads. For one thread.
 *
 * @param <S> a protected payload with all that must travel with it
 */
interface Peer<S> {
    /** Protects a payload. The next call may change the returned object. */
    S seal(byte[] payload) throws Exception;

    /** Returns a copy of the result of {@link #seal} that the next call does not change. */
    default S kept(S sealed) {
        return sealed;
    }

    /** The payload; a key that was unwrapped once is remembered if the system does so. */
    byte[] open(S sealed) throws Exception;
}
