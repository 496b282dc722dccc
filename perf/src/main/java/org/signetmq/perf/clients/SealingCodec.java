/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.clients;

import java.util.function.UnaryOperator;
import org.signetmq.envelope.Sealer;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.keystore.Identity;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.PolicySet;

/** Clients seal payloads by the policies of their broker. Signet's connection factory opens them. */
public record SealingCodec(Sealer seal, PolicySet policies, Identity signer) implements Codec {
    @Override
    public UnaryOperator<byte[]> sealer(String address) {
        EffectivePolicy policy =
                policies.find(address).orElseThrow(() -> new IllegalStateException("policies: none for " + address));
        return payload -> seal.seal(ClearMessage.of(address, ClearMessage.Body.BYTES, payload), policy, signer);
    }

    @Override
    public long keys() {
        return seal.begunKeys();
    }
}
