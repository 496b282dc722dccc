/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
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
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class StorageGateTest {
    private final List<String> calls = new ArrayList<>();
    private final Recorded real = new Recorded();
    private final Judge judge = new Judge();
    private final StorageGate gate = new StorageGate(real, StorageMethods.of(StorageManager.class), judge);
    private final StorageManager gated = gate.gated();
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
        gated.storeMessage(message);

        assertThat(calls).containsExactly("judged", "stored");
    }

    @Test
    @SuppressWarnings("NullAway") // as the broker calls it
    void offeredMessage_isJudgedBeforeTheStorageTakesIt() throws Exception {
        assertThat(gated.addToPage(null, message, null, null)).isTrue();

        assertThat(calls).containsExactly("offered", "routed", "paged");
    }

    @Test
    void rejectedMessage_doesNotReachTheStorage() {
        judge.rejection = new ActiveMQException("rejected");

        assertThatThrownBy(() -> gated.storeMessage(message)).isSameAs(judge.rejection);

        assertThat(calls).containsExactly("judged");
    }

    @Test
    void otherMethods_haveTheirArgumentsAndResults() throws Exception {
        gated.storeReference(3, Long.MAX_VALUE, true);

        assertThat(calls).containsExactly("reference 3 " + Long.MAX_VALUE + " true");
        assertThat(gated.getMaxRecordSize()).isEqualTo(real.getMaxRecordSize());
        assertThat(gated.isStarted()).isEqualTo(real.isStarted());
        gated.start();
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

        assertThatThrownBy(() -> gated.commit(1)).isSameAs(failure);
    }

    @Test
    void gatedStorage_equalsItselfOnly_andDescribesTheStorage() {
        assertThat(gated.equals(gated)).isTrue();
        assertThat(gated.equals(real)).isFalse();
        assertThat(gated.hashCode()).isEqualTo(17);
        assertThat(gated.toString()).isEqualTo("a recorded storage");
    }

    @Test
    void storage_withoutAGate_hasNone() {
        assertThat(StorageGate.of(real)).isNull();
        assertThat(StorageGate.of(gated)).isSameAs(gate);
    }

    /** A method that is not known and takes a message stores it perhaps. */
    @Test
    void messageOfAnUnknownMethod_isJudged() {
        StorageGate later = new StorageGate(real, StorageMethods.of(OtherStore.class), judge);

        ((OtherStore) later.gated()).storeMessages(1, message);

        assertThat(calls).containsExactly("judged", "stored otherwise");
    }

    @Test
    void storage_thatLacksItsInterface_isRefusedWhenTheGateIsMade() {
        StorageMethods other = StorageMethods.of(OtherStore.class);

        assertThatThrownBy(() -> new StorageGate(new NullStorageManager(), other, judge))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("OtherStore");
    }

    /** No method of the interface is left out, also none with a body of its own. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("methods")
    void eachMethod_passesItsArgumentsAndReturnsTheResult(String name, Method method) throws Exception {
        List<Object> called = new ArrayList<>();
        Object result = sample(method.getReturnType());
        StorageManager recorder = (StorageManager) Proxy.newProxyInstance(
                StorageManager.class.getClassLoader(),
                new Class<?>[] {StorageManager.class},
                (self, other, arguments) -> {
                    called.add(other);
                    called.addAll(arguments == null ? List.of() : Arrays.asList(arguments));
                    return result;
                });
        StorageManager before = new StorageGate(recorder, StorageMethods.of(StorageManager.class), judge).gated();
        Object[] arguments = Stream.of(method.getParameterTypes())
                .map(StorageGateTest::sample)
                .toArray();

        Object returned = method.invoke(before, arguments);

        assertThat(returned).isEqualTo(result);
        assertThat(called.get(0)).hasToString(method.toString());
        assertThat(called.subList(1, called.size())).containsExactly(arguments);
    }

    static Stream<Arguments> methods() {
        return Arrays.stream(StorageManager.class.getMethods())
                .filter(method -> !Modifier.isStatic(method.getModifiers()))
                .map(method -> Arguments.of(method.getName(), method));
    }

    /** Returns a value of a type that is not the default; null for most classes. */
    private static @Nullable Object sample(Class<?> type) {
        if (type == long.class) {
            return 0x1234_5678_9abcL;
        }
        if (type == int.class) {
            return 77;
        }
        if (type == boolean.class) {
            return true;
        }
        if (type == byte.class) {
            return (byte) -3;
        }
        return type == byte[].class ? new byte[] {1} : type == Message.class ? new CoreMessage(1, 64) : null;
    }
}
