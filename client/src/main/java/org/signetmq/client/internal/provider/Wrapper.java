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
import java.util.Arrays;
import java.util.HashMap;
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
    private static final Map<Class<?>, Map<Method, Method>> OWN = new ConcurrentHashMap<>();

    private final Class<?>[] api;
    private final Map<Method, Method> own;
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
        this.own = OWN.computeIfAbsent(getClass(), type -> ownMethods(type, api));
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
    public final @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] given)
            throws JMSException {
        @Nullable Object[] arguments = given == null ? new Object[0] : given;
        Method mine = own.get(method);
        if (mine != null) {
            return call(mine, this, arguments);
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

    /** Returns a class's own methods, by those of the API. */
    private static Map<Method, Method> ownMethods(Class<?> type, Class<?>[] api) {
        Map<Method, Method> all = new HashMap<>();
        for (Class<?> each = type; each != Wrapper.class; each = Objects.requireNonNull(each.getSuperclass())) {
            for (Method mine : each.getDeclaredMethods()) {
                if (mine.isAnnotationPresent(Own.class)) {
                    List<Method> answered = Arrays.stream(api)
                            .flatMap(one -> Arrays.stream(one.getMethods()))
                            .filter(one -> answers(mine, one))
                            .toList();
                    if (answered.isEmpty()) {
                        throw new IllegalStateException(mine + ": is no method of the API");
                    }
                    mine.setAccessible(true); // the class need not be public
                    answered.forEach(one -> all.put(one, mine));
                }
            }
        }
        return Map.copyOf(all);
    }

    private static boolean answers(Method mine, Method called) {
        return mine.getName().equals(called.getName())
                && Arrays.equals(mine.getParameterTypes(), called.getParameterTypes())
                && called.getReturnType().isAssignableFrom(mine.getReturnType());
    }
}
