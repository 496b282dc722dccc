/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.clients;

import java.util.function.UnaryOperator;

/** What clients themselves do to payloads: nothing, unless it is they that protect messages. Thread-safe. */
@FunctionalInterface
public interface Codec {
    /** Leaves payloads as they are. */
    Codec NOTHING = address -> UnaryOperator.identity();

    /** Returns what a new producer for an address does to payloads. */
    UnaryOperator<byte[]> sealer(String address);

    /** Returns what a new consumer does to bodies: nothing, if the connection factory opens messages. */
    default UnaryOperator<byte[]> opener() {
        return UnaryOperator.identity();
    }

    /** Returns the data keys that all sealers of this codec have begun to use so far. */
    default long keys() {
        return 0;
    }

    /** Returns the keys that all openers of this codec have unwrapped so far. */
    default long unwraps() {
        return 0;
    }
}
