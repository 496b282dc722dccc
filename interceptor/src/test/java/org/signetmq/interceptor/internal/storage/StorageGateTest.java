/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.apache.activemq.artemis.core.paging.PagingStore;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.persistence.impl.nullpm.NullStorageManager;
import org.apache.activemq.artemis.core.server.RouteContextList;
import org.apache.activemq.artemis.core.transaction.Transaction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class StorageGateTest {
    private final List<String> calls = new ArrayList<>();
    private final Recorded real = new Recorded();
    private final Judge judge = new Judge();
    private final StorageGate gate = new StorageGate(real, StorageMethods.of(StorageManager.class), judge);
    private final StorageManager proxy = gate.proxy();
    private final Message message = new CoreMessage(1, 64);

    /** A later version that stores messages in another way. */
    interface OtherStore extends StorageManager {
        void storeMessages(long transaction, Message first);
    }

    /** A storage that notes its calls, and fails on demand. */
    private class Recorded extends NullStorageManager implements OtherStore {
        private @Nullable Throwable failure;

        @Override
        public void storeMessage(Message stored) {
            calls.add("stored");
        }

        @Override
        public boolean addToPage(PagingStore store, Message paged, Transaction transaction, RouteContextList queues) {
            calls.add("paged");
            return true;
        }

        @Override
        public void storeReference(long queue, long id, boolean last) {
            calls.add("reference " + queue + " " + id + " " + last);
        }

        @Override
        public void storeMessages(long transaction, Message first) {
            calls.add("stored otherwise");
        }

        @Override
        public void commit(long transaction) {
            StorageGateTest.<RuntimeException>fail(failure);
        }

        @Override
        public String toString() {
            return "a recorded storage";
        }

        @Override
        public int hashCode() {
            return 17;
        }

        @Override
        public boolean equals(Object other) {
            return true;
        }
    }

    /** A gate that notes its calls, and rejects on demand. */
    private final class Judge implements StorageGate.Gate {
        private @Nullable Exception rejection;

        @Override
        public void offered(Message offered, @Nullable PagingStore store, @Nullable Transaction transaction) {
            calls.add("offered");
        }

        @Override
        public void routed(Message routed, RouteContextList queues) {
            calls.add("routed");
        }

        @Override
        public void stored(Message stored) throws Exception {
            calls.add("judged");
            if (rejection != null) {
                throw rejection;
            }
        }
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Throwable> void fail(@Nullable Throwable failure) throws E {
        if (failure != null) {
            throw (E) failure;
        }
    }

    @Test
    void message_isJudgedBeforeTheStorageTakesIt() throws Exception {
        proxy.storeMessage(message);

        assertThat(calls).containsExactly("judged", "stored");
    }

    @Test
    @SuppressWarnings("NullAway") // as the broker calls it
    void offeredMessage_isJudgedBeforeTheStorageTakesIt() throws Exception {
        assertThat(proxy.addToPage(null, message, null, null)).isTrue();

        assertThat(calls).containsExactly("offered", "routed", "paged");
    }

    @Test
    void rejectedMessage_doesNotReachTheStorage() {
        judge.rejection = new ActiveMQException("rejected");

        assertThatThrownBy(() -> proxy.storeMessage(message)).isSameAs(judge.rejection);

        assertThat(calls).containsExactly("judged");
    }

    @Test
    void otherMethods_haveTheirArgumentsAndResults() throws Exception {
        proxy.storeReference(3, Long.MAX_VALUE, true);

        assertThat(calls).containsExactly("reference 3 " + Long.MAX_VALUE + " true");
        assertThat(proxy.getMaxRecordSize()).isEqualTo(real.getMaxRecordSize());
        assertThat(proxy.isStarted()).isEqualTo(real.isStarted());
        proxy.start();
        assertThat(real.isStarted()).isTrue();
    }

    static List<Throwable> failures() {
        return List.of(
                new ActiveMQException("of the broker"),
                new IOException("checked"),
                new IllegalStateException("unchecked"),
                new StackOverflowError());
    }

    @ParameterizedTest
    @MethodSource("failures")
    void failureOfTheStorage_isThrownUnchanged(Throwable failure) {
        real.failure = failure;

        assertThatThrownBy(() -> proxy.commit(1)).isSameAs(failure);
    }

    @Test
    void proxy_equalsItselfOnly_andDescribesTheStorage() {
        assertThat(proxy.equals(proxy)).isTrue();
        assertThat(proxy.equals(real)).isFalse();
        assertThat(proxy.hashCode()).isEqualTo(17);
        assertThat(proxy.toString()).isEqualTo("a recorded storage");
        assertThat(StorageGate.unwrapped(proxy)).isSameAs(real);
    }

    /** A method that is not known and takes a message stores it perhaps. */
    @Test
    void messageOfAnUnknownMethod_isJudged() throws Throwable {
        StorageGate later = new StorageGate(real, StorageMethods.of(OtherStore.class), judge);
        Method unknown = OtherStore.class.getDeclaredMethods()[0];

        later.invoke(proxy, unknown, new Object[] {1L, message});

        assertThat(calls).containsExactly("judged", "stored otherwise");
    }

    /** An access that this class lacks shows when the gate is made, and not with the first message. */
    @Test
    void everyMethod_isPrepared() {
        assertThat(StorageMethods.of(StorageManager.class).callsOf(real))
                .containsOnlyKeys(Arrays.asList(StorageManager.class.getMethods()));
    }
}
