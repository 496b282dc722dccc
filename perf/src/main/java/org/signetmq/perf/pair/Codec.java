/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.pair;

import java.util.function.UnaryOperator;
import org.signetmq.envelope.Sealer;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.keystore.Identity;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.PolicySet;

/** What clients themselves do to payloads: nothing, unless it is they that protect messages. Thread-safe. */
@FunctionalInterface
interface Codec {
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

    /** Clients seal payloads by the policies of their broker. Signet's connection factory opens them. */
    record Sealing(Sealer seal, PolicySet policies, Identity signer) implements Codec {
        @Override
        public UnaryOperator<byte[]> sealer(String address) {
            EffectivePolicy policy = policies.find(address)
                    .orElseThrow(() -> new IllegalStateException("policies: none for " + address));
            return payload -> seal.seal(ClearMessage.of(address, ClearMessage.Body.BYTES, payload), policy, signer);
        }

        @Override
        public long keys() {
            return seal.begunKeys();
        }
    }
}
