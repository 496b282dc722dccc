/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.peers;

/**
 * A system that protects payloads. For one thread.
 *
 * @param <S> a protected payload, and what must travel with it
 */
interface Peer<S> {
    /** Protects a payload; what is returned may change with the next call. */
    S seal(byte[] payload) throws Exception;

    /** What {@link #seal} returned, for longer than until the next call. */
    default S kept(S sealed) {
        return sealed;
    }

    /** The payload; a key that was unwrapped once is remembered if the system does so. */
    byte[] open(S sealed) throws Exception;
}
