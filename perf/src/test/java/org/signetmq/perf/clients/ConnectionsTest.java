/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ConnectionsTest {
    private final Connections connections = new Connections("user", "secret");
    private final List<String> done = new ArrayList<>();

    @Test
    void connections_goToTheBrokersByTurns() throws Exception {
        connections.add(factory("a"));
        connections.add(factory("b"));

        for (int broker : new int[] {0, 1, 2, 5}) {
            connections.connect(broker, Session.AUTO_ACKNOWLEDGE);
        }

        assertThat(done)
                .containsExactly(
                        "open a user secret", "open b user secret", "open a user secret", "open b user secret");
    }

    @Test
    void all_areClosedInTheOtherOrder_alsoAfterOneThatFails() throws Exception {
        connections.closeLater(() -> done.add("factory"));
        connections.closeLater(() -> {
            done.add("opener");
            throw new JMSException("second failure");
        });
        connections.add(factory("a"));
        connections.connect(0, Session.AUTO_ACKNOWLEDGE);
        connections.closeLater(() -> {
            throw new JMSException("first failure");
        });

        assertThatExceptionOfType(JMSException.class)
                .isThrownBy(connections::close)
                .withMessage("first failure");
        assertThat(done).containsExactly("open a user secret", "close a", "opener", "factory");
    }

    @Test
    void unwraps_areThoseOfAllBrokers() {
        connections.countUnwraps(() -> 3);
        connections.countUnwraps(() -> 4);

        assertThat(connections.unwraps()).isEqualTo(7);
    }

    private ConnectionFactory factory(String name) {
        return (ConnectionFactory) proxy(ConnectionFactory.class, (method, arguments) -> {
            done.add("open " + name + " " + arguments.get(0) + " " + arguments.get(1));
            return connection(name);
        });
    }

    private Object connection(String name) {
        return proxy(Connection.class, (method, arguments) -> {
            if (method.equals("close")) {
                done.add("close " + name);
            }
            return method.equals("createSession") ? proxy(Session.class, (any, none) -> none) : List.of();
        });
    }

    private interface Call {
        Object answer(String method, List<Object> arguments);
    }

    private static Object proxy(Class<?> type, Call call) {
        return Proxy.newProxyInstance(
                ConnectionsTest.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    Object answer = call.answer(method.getName(), arguments == null ? List.of() : List.of(arguments));
                    return method.getReturnType() == void.class ? null : answer;
                });
    }
}
