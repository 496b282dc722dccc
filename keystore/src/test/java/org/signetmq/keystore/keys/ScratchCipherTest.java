/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class ScratchCipherTest {
    private static final byte[] CLEAR = "some clear words".getBytes(StandardCharsets.UTF_8);

    private final ScratchCipher cipher = new ScratchCipher(CryptoProviders.standard());

    private byte[] encrypted() {
        return cipher.encrypt(CLEAR, 0, CLEAR.length);
    }

    private boolean opens(ScratchCipher with, long number, byte[] part) {
        byte[] clear = new byte[CLEAR.length];
        boolean opened = with.decrypt(number, ByteBuffer.wrap(part), clear);
        assertThat(clear).isEqualTo(opened ? CLEAR : new byte[CLEAR.length]);
        return opened;
    }

    @Test
    void sameContent_isAnotherCiphertextEachTime_andOpensAtItsOwnNumberAlone() {
        byte[] first = encrypted();
        byte[] second = encrypted();

        assertThat(first).hasSize(CLEAR.length + ScratchCipher.ADDED).isNotEqualTo(second);
        assertThat(opens(cipher, 0, first)).isTrue();
        assertThat(opens(cipher, 1, second)).isTrue();
        assertThat(opens(cipher, 1, first)).isFalse();
    }

    @Test
    void partOfAContent_isEncrypted_andTheArrayStaysAsItWas() {
        byte[] clear = CLEAR.clone();

        byte[] part = cipher.encrypt(clear, 5, 5);

        byte[] opened = new byte[5];
        assertThat(cipher.decrypt(0, ByteBuffer.wrap(part), opened)).isTrue();
        assertThat(opened).isEqualTo("clear".getBytes(StandardCharsets.UTF_8));
        assertThat(clear).isEqualTo(CLEAR);
    }

    @Test
    void changedPart_doesNotOpen() {
        byte[] part = encrypted();
        part[3] ^= 1;

        assertThat(opens(cipher, 0, part)).isFalse();
    }

    @Test
    void otherCipher_doesNotOpen() {
        byte[] part = encrypted();

        assertThat(opens(new ScratchCipher(CryptoProviders.standard()), 0, part))
                .isFalse();
    }

    @Test
    void closed_worksNoMore() {
        byte[] part = encrypted();
        cipher.close();
        cipher.close();

        assertThatThrownBy(this::encrypted).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> opens(cipher, 0, part)).isInstanceOf(IllegalStateException.class);
    }
}
