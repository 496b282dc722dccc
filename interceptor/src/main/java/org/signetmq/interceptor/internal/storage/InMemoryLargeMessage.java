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
 * Replaces a large message while the broker converts a message that need not be large. The message has an address
 * without a policy and fits one record. This is a proxy, because the interface differs between versions of the broker.
 */
public record InMemoryLargeMessage(CoreMessage message) implements InvocationHandler {
    /** The key, in the user context of such a message, of the property value that the broker overwrites. */
    private static final Object KEPT = new Object();

    /** The method of the broker that makes a message large because of the length of a record. */
    public static final String CALLER = "checkLargeMessage";

    /** The greatest number of calls between such a method and a call of Signet. */
    private static final int NEAR = 12;

    /** Returns whether a method of this name is among the last callers of this thread. */
    public static boolean isCalledBy(String method) {
        return StackWalker.getInstance()
                .walk(frames ->
                        frames.limit(NEAR).map(StackFrame::getMethodName).anyMatch(method::equals));
    }

    /** Returns a large message that stands for this one in memory. */
    public static LargeServerMessage of(CoreMessage message) {
        message.setUserContext(KEPT, Optional.ofNullable(message.getObjectProperty(Message.HDR_LARGE_BODY_SIZE)));
        return (LargeServerMessage) Proxy.newProxyInstance(
                LargeServerMessage.class.getClassLoader(),
                new Class<?>[] {LargeServerMessage.class},
                new InMemoryLargeMessage(message));
    }

    /** Restores the properties that the broker changed as for a large message. */
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
        return null; // the broker writes no file for it
    }
}
