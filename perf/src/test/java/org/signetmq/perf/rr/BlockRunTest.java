/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSRuntimeException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class BlockRunTest {
    private final List<String> closed = new ArrayList<>();

    @Test
    void allConnections_areClosed_alsoAfterOneThatFails() {
        BlockRun.Connections connections = new BlockRun.Connections(unusedFactory(), "user", "password");
        connections.open().addAll(List.of(context("a"), failing("b"), failing("c"), context("d")));

        JMSRuntimeException failure = catchThrowableOfType(JMSRuntimeException.class, connections::close);

        assertThat(closed).containsExactly("a", "b", "c", "d");
        assertThat(failure).hasMessage("b");
        assertThat(failure.getSuppressed()).extracting(Throwable::getMessage).containsExactly("c");
    }

    private JMSContext context(String name) {
        return proxy(JMSContext.class, () -> closed.add(name));
    }

    private JMSContext failing(String name) {
        return proxy(JMSContext.class, () -> {
            closed.add(name);
            throw new JMSRuntimeException(name);
        });
    }

    private static ConnectionFactory unusedFactory() {
        return proxy(ConnectionFactory.class, () -> {
            throw new AssertionError("not to be used");
        });
    }

    /** Returns an object that does this when any of its methods is called. */
    private static <T> T proxy(Class<T> type, Runnable called) {
        return type.cast(Proxy.newProxyInstance(
                BlockRunTest.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    called.run();
                    return null;
                }));
    }
}
