/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import org.apache.activemq.artemis.api.core.ICoreMessage;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.io.SequentialFile;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.server.LargeServerMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;

final class StorageMethodsTest {
    /** A later version that adds bytes to a large message by another overload. */
    interface OtherBytes extends StorageManager {
        void addBytesToLargeMessage(SequentialFile file, long messageId, ByteBuffer bytes);
    }

    /** A later version with one more argument. */
    interface MoreArguments extends StorageManager {
        void addBytesToLargeMessage(SequentialFile file, long messageId, byte[] bytes, boolean sync);
    }

    /** A later version that writes under a new name. */
    interface NewName extends StorageManager {
        void appendBody(SequentialFile file, byte[] bytes);
    }

    /** A later version that creates large messages in another way. */
    interface OtherCreation extends StorageManager {
        LargeServerMessage createCoreLargeMessage(long id, ICoreMessage message);
    }

    /** A later version that stores messages in another way. */
    interface OtherStore extends StorageManager {
        void storeMessages(long transaction, Message first);
    }

    /** A later version with a method that takes no message. */
    interface Harmless extends StorageManager {
        void storeSomethingElse(long id, byte[] bytes);
    }

    /** A later version that makes files of large messages in one more way. */
    interface OtherFile extends StorageManager {
        SequentialFile createFileForLargeMessage(long id, String kind);
    }

    @Test
    void storageOfThisVersion_isKnownWhole() throws Exception {
        StorageMethods.of(StorageManager.class).require();
    }

    @Test
    void methodThatTakesNoMessage_isNoProblem() throws Exception {
        StorageMethods.of(Harmless.class).require();
        StorageMethods.of(OtherFile.class).require();
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                OtherBytes.class,
                MoreArguments.class,
                NewName.class,
                OtherCreation.class,
                OtherStore.class,
            })
    void methodThatIsNotKnownAndMayStoreAMessage_isAProblem(Class<? extends StorageManager> later) {
        String added = later.getDeclaredMethods()[0].getName();

        assertThatThrownBy(() -> StorageMethods.of(later).require())
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("unknown " + added + "(");
    }

    @Test
    void unknownMethod_hasNoOtherRole() throws Exception {
        assertThat(StorageMethods.of(OtherStore.class).of(OtherStore.class.getDeclaredMethods()[0]))
                .isEqualTo(StorageMethods.Role.UNKNOWN);
    }
}
