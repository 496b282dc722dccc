/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.storage;

import java.lang.StackWalker.StackFrame;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Optional;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.apache.activemq.artemis.core.server.LargeServerMessage;
import org.jspecify.annotations.Nullable;

/**
 * Stands for a large message while the broker converts a message that need not be large. The message goes to an address
 * without a policy and fits into a record. A proxy, as the interface differs from version to version.
 */
public final class InMemoryLargeMessage implements InvocationHandler {
    /** Set on such a message, in this process only. Its value is the property that the broker overwrites. */
    private static final Object KEPT = new Object();

    private static final String CALLER = "checkLargeMessage";
    private static final int NEAR = 12;

    private final CoreMessage message;

    private InMemoryLargeMessage(CoreMessage message) {
        this.message = message;
    }

    /** Whether the broker asks for a large message only because of the length of a record. */
    public static boolean isAskedForLength() {
        return StackWalker.getInstance()
                .walk(frames ->
                        frames.limit(NEAR).map(StackFrame::getMethodName).anyMatch(CALLER::equals));
    }

    /** A large message that is this one, in memory. */
    public static LargeServerMessage of(CoreMessage message) {
        message.setUserContext(KEPT, Optional.ofNullable(message.getObjectProperty(Message.HDR_LARGE_BODY_SIZE)));
        return (LargeServerMessage) Proxy.newProxyInstance(
                LargeServerMessage.class.getClassLoader(),
                new Class<?>[] {LargeServerMessage.class},
                new InMemoryLargeMessage(message));
    }

    /** Removes the properties that the broker set as on a large message. */
    public static void restore(Message message) {
        if (!(message instanceof CoreMessage) || !(message.getUserContext(KEPT) instanceof Optional<?> before)) {
            return;
        }
        message.setUserContext(KEPT, null);
        if (before.isPresent()) {
            message.putObjectProperty(Message.HDR_LARGE_BODY_SIZE, before.get());
        } else {
            message.removeProperty(Message.HDR_LARGE_BODY_SIZE);
        }
    }

    @Override
    public @Nullable Object invoke(Object self, Method method, @Nullable Object @Nullable [] arguments) {
        Class<?> type = method.getReturnType();
        if (Message.class.isAssignableFrom(type)) {
            return message;
        }
        if (type != void.class) {
            throw new UnsupportedOperationException("a message that stays in memory");
        }
        return null; // nothing of it is written
    }
}
