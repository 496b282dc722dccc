/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.primitive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.security.MessageDigest;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.perf.variant.Payload;
import org.signetmq.testkit.Tier;

final class PrimitivesTest {
    @ParameterizedTest
    @ValueSource(ints = {256, 2048, 20_480, 204_800})
    void cipher_encryptsAndDecryptsThePayload_againAndAgain(int size) throws Exception {
        Callable<Object> encrypt = Primitives.named("limit.aes256gcm.encrypt", Payload.ofSize(size));
        Callable<Object> decrypt = Primitives.named("limit.aes256gcm.decrypt", Payload.ofSize(size));

        for (int i = 0; i < 3; i++) {
            assertThat(encrypt.call()).as("with a tag").isEqualTo(size + 16);
            assertThat(decrypt.call()).isEqualTo(size);
        }
    }

    @Test
    void digest_isOfThePayload() throws Exception {
        byte[] payload = Payload.ofSize(2048);

        assertThat(Primitives.named("limit.sha512", payload).call())
                .isEqualTo(MessageDigest.getInstance("SHA-512").digest(payload));
    }

    @Test
    void signature_hasTheSizeOfItsKey() throws Exception {
        byte[] payload = Payload.ofSize(2048);

        assertThat((byte[]) Primitives.named("limit.rsa2048.sign", payload).call())
                .hasSize(256);
        assertThat((byte[]) Primitives.named("limit.ecdsa-p256.sign", payload).call())
                .hasSizeBetween(64, 72);
    }

    @Tag(Tier.LONG)
    @ParameterizedTest
    @ValueSource(strings = {"limit.ecdsa-p256.verify", "limit.rsa2048.verify"})
    void signatures_areAllVerified(String name) throws Exception {
        Callable<Object> verify = Primitives.named(name, Payload.ofSize(2048));

        for (int i = 0; i < 300; i++) {
            assertThat(verify.call()).isEqualTo(true);
        }
    }

    @Test
    void unknownPrimitive_isRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Primitives.named("limit.rot13.encrypt", new byte[1]))
                .withMessage("operation: unknown limit.rot13.encrypt");
    }
}
