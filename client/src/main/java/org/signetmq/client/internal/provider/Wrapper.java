/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.provider;

import jakarta.jms.JMSException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * An object of the API in front of the provider's object. The application sees {@link #shown}, a proxy. A call of it
 * runs the method of the same name and parameters with {@link Own} here. Any other call goes to {@link #other}, which
 * passes it to the provider's object. A call takes some 30 ns more than a direct one; to open a message takes hundreds
 * of times as long. Consumers, whose calls an application makes in a loop, are ordinary classes.
 *
 * @param <T> the type that the application sees
 */
public abstract class Wrapper<T> implements InvocationHandler {
    private static final Map<Class<?>, Answers> ANSWERS = new ConcurrentHashMap<>();
    private static final Object[] NO_ARGUMENTS = {};

    private final Class<?>[] api;
    private final Answers answers;
    private @Nullable T shown;

    /** A method of the API that a class answers itself, with the same name, parameters and type of result. */
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    public @interface Own {}

    /**
     * Makes a wrapper.
     *
     * @param api the interfaces of the object; a method of several ones belongs to the first
     */
    protected Wrapper(Class<?>... api) {
        this.api = api;
        Answers known = ANSWERS.get(getClass());
        this.answers = known == null ? ANSWERS.computeIfAbsent(getClass(), type -> new Answers(type, api)) : known;
    }

    /** Returns the object for the application. */
    @SuppressWarnings("unchecked") // T is one of these interfaces, or extends them
    public final T shown() {
        if (shown == null) {
            shown = (T) Proxy.newProxyInstance(Wrapper.class.getClassLoader(), api, this);
        }
        return shown;
    }

    /** Returns the wrapper of this type behind an object of the application; null if there is none. */
    public static <W extends Wrapper<?>> @Nullable W behind(@Nullable Object shown, Class<W> type) {
        return shown != null
                        && Proxy.isProxyClass(shown.getClass())
                        && type.isInstance(Proxy.getInvocationHandler(shown))
                ? type.cast(Proxy.getInvocationHandler(shown))
                : null;
    }

    /** Passes a call of the application to the provider. */
    protected abstract @Nullable Object other(Method method, @Nullable Object[] arguments) throws JMSException;

    @Override
    @SuppressWarnings("ReferenceEquality") // a method without an answer answers itself
    public final @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] given)
            throws JMSException {
        @Nullable Object[] arguments = given == null ? NO_ARGUMENTS : given;
        Method answer = answers.to(method);
        if (answer != method) {
            return call(answer, this, arguments);
        }
        return method.getDeclaringClass() == Object.class
                ? ofObject(proxy, method.getName(), arguments)
                : other(method, arguments);
    }

    private Object ofObject(Object proxy, String method, @Nullable Object[] arguments) {
        return switch (method) {
            case "equals" -> proxy == arguments[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default -> toString();
        };
    }

    /** Returns an exception with its cause, which those of the API take late. */
    public static <E extends Exception> E caused(E failure, Throwable cause) {
        failure.initCause(cause);
        return failure;
    }

    /** Calls a method, and throws what it throws. */
    protected static @Nullable Object call(Method method, Object on, @Nullable Object[] arguments) throws JMSException {
        try {
            return method.invoke(method.getDeclaringClass().cast(on), arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof JMSException failure) {
                throw failure;
            } else if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            } else if (e.getCause() instanceof Error failure) {
                throw failure;
            }
            throw new IllegalStateException(method + ": throws what the API does not declare", e);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(method + ": cannot be called", e);
        }
    }

    /**
     * The answers of one class of wrappers to the methods of the API, whatever interface declares these. Thread-safe.
     */
    private static final class Answers {
        private final List<Method> own = new ArrayList<>();

        /** The methods that proxies passed, which are few objects, with their answers. Replaced, and never changed. */
        private volatile IdentityHashMap<Method, Method> passed = new IdentityHashMap<>();

        Answers(Class<?> type, Class<?>[] api) {
            List<Method> called = Arrays.stream(api)
                    .flatMap(one -> Arrays.stream(one.getMethods()))
                    .toList();
            for (Class<?> each = type; each != Wrapper.class; each = Objects.requireNonNull(each.getSuperclass())) {
                for (Method mine : each.getDeclaredMethods()) {
                    if (mine.isAnnotationPresent(Own.class)) {
                        if (called.stream().noneMatch(one -> answers(mine, one))) {
                            throw new IllegalStateException(mine + ": is no method of the API");
                        }
                        mine.setAccessible(true); // the class need not be public
                        own.add(mine);
                    }
                }
            }
        }

        /** Returns the own method that answers a call; the called one if there is none. */
        Method to(Method called) {
            Method known = passed.get(called);
            return known == null ? learn(called) : known;
        }

        private synchronized Method learn(Method called) {
            called.setAccessible(true); // spares a check at each call
            Method answer = own.stream()
                    .filter(mine -> answers(mine, called))
                    .findFirst()
                    .orElse(called);
            IdentityHashMap<Method, Method> more = new IdentityHashMap<>(passed);
            more.put(called, answer);
            passed = more;
            return answer;
        }
    }

    private static boolean answers(Method mine, Method called) {
        return mine.getName().equals(called.getName())
                && Arrays.equals(mine.getParameterTypes(), called.getParameterTypes())
                && called.getReturnType().isAssignableFrom(mine.getReturnType());
    }
}
