/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.signetmq.perf.variant.Variant;

final class BlockTest {
    @Test
    void addresses_nameTheVariantAndTheParticipant() {
        Block block = new Block(Figured.LIMITED, Figured.LOAD, 0, 0);

        assertThat(block.requestAddress(3)).isEqualTo("rr.confidentiality.32.p256.request.3");
        assertThat(block.replyAddress(80)).isEqualTo("rr.confidentiality.32.p256.reply.80");
        assertThat(Block.addresses(Figured.LIMITED)).isEqualTo("rr.confidentiality.32.p256.#");
        assertThat(Block.addresses(Variant.UNPROTECTED)).isEqualTo("rr.none.#");
    }
}
