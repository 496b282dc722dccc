/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.large;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.io.SequentialFile;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.persistence.impl.journal.LargeServerMessageImpl;
import org.junit.jupiter.api.Test;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.keystore.crypto.CryptoProviders;

/** The check at the start that a copy of a body that is not judged is recognised. */
final class BufferedBodyFileTest {
    private static final CryptoProviders PROVIDERS = CryptoProviders.standard();

    @Test
    void copiesOfThisVersion_areSeen() {
        assertThatCode(() -> BufferedBodyFile.requireCopiesAreSeen(PROVIDERS)).doesNotThrowAnyException();
    }

    @Test
    void brokerThatCopiesByAnotherMethod_isRefused() {
        StorageManager nowhere = BufferedBodyFile.nowhere();
        LargeServerMessageImpl message = new LargeServerMessageImpl(nowhere) {
            @Override
            public Message copy(long id) {
                duplicate();
                return this;
            }

            private void duplicate() {
                try {
                    SequentialFile unused = getAppendFile().cloneFile();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }
        };

        assertThatThrownBy(() -> BufferedBodyFile.requireCopyIsSeen(message, nowhere, PROVIDERS))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("copies large messages in another way");
    }

    @Test
    void brokerThatCopiesNothing_isRefused() {
        StorageManager nowhere = BufferedBodyFile.nowhere();
        LargeServerMessageImpl message = new LargeServerMessageImpl(nowhere) {
            @Override
            public Message copy(long id) {
                return this;
            }
        };

        assertThatThrownBy(() -> BufferedBodyFile.requireCopyIsSeen(message, nowhere, PROVIDERS))
                .isInstanceOf(MessageRejectedException.class);
    }
}
