/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.clients;

import java.util.function.UnaryOperator;

/** What clients themselves do to payloads: nothing, unless it is they that protect messages. Thread-safe. */
public interface Codec {
    /** Leaves payloads as they are. */
    Codec NOTHING = new Codec() {
        @Override
        public UnaryOperator<byte[]> sealer(String address) {
            return UnaryOperator.identity();
        }

        @Override
        public UnaryOperator<byte[]> opener() {
            return UnaryOperator.identity();
        }

        @Override
        public long unwraps() {
            return 0;
        }
    };

    /** Returns what a new producer for an address does to payloads. */
    UnaryOperator<byte[]> sealer(String address);

    /** Returns what a new consumer does to bodies. */
    UnaryOperator<byte[]> opener();

    /** Returns the keys that all consumers have unwrapped so far. */
    long unwraps();
}
