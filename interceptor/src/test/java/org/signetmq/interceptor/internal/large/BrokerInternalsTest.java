/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.large;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.function.Consumer;
import org.apache.activemq.artemis.core.io.SequentialFile;
import org.apache.activemq.artemis.core.persistence.impl.journal.LargeServerMessageImpl;
import org.apache.activemq.artemis.core.server.LargeServerMessage;
import org.junit.jupiter.api.Test;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;

/** The check at the start that a copy of a body that is not judged is recognised. */
final class BrokerInternalsTest {
    @Test
    void brokerThatCopiesByAnotherMethod_isRefused() {
        assertRefused(BrokerInternalsTest::duplicate);
    }

    private static void duplicate(LargeServerMessage message) {
        try {
            SequentialFile unused = message.getAppendFile().cloneFile();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void brokerThatReadsNoFileToCopy_isRefused() {
        assertRefused(message -> {});
    }

    private static void assertRefused(Consumer<LargeServerMessage> copying) {
        LargeServerMessage message = new LargeServerMessageImpl(BrokerInternals.nowhere());

        assertThatThrownBy(() -> BrokerInternals.requireCopyIsSeen(message, copying))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("copies large messages in another way");
    }
}
