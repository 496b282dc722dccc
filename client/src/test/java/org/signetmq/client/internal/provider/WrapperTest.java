/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.provider;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueSession;
import jakarta.jms.XAQueueConnection;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which calls a wrapper answers itself. */
final class WrapperTest {
    /** The passed calls. */
    private final List<String> passed = new ArrayList<>();

    /** The interface of XA declares the method again. */
    private abstract class Sessions extends Wrapper<QueueConnection> {
        Sessions(Class<? extends Connection> shown) {
            super(Connection.class, shown);
        }

        @Override
        protected @Nullable Object other(Method method, @Nullable Object[] arguments) {
            passed.add(method.getName());
            return null;
        }

        @Own
        @Nullable
        @SuppressWarnings({"UnusedMethod", "UnusedVariable"}) // a proxy calls it
        QueueSession createQueueSession(boolean transacted, int mode) throws JMSException {
            return null;
        }
    }

    private final class OrdinaryFirst extends Sessions {
        OrdinaryFirst(Class<? extends Connection> shown) {
            super(shown);
        }
    }

    private final class XaFirst extends Sessions {
        XaFirst(Class<? extends Connection> shown) {
            super(shown);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void methodDeclaredByTwoInterfaces_isAnsweredThroughBoth(boolean xaFirst) throws Exception {
        List<Class<? extends QueueConnection>> interfaces = xaFirst
                ? List.of(XAQueueConnection.class, QueueConnection.class)
                : List.of(QueueConnection.class, XAQueueConnection.class);
        for (Class<? extends QueueConnection> each : interfaces) {
            QueueConnection shown = (xaFirst ? new XaFirst(each) : new OrdinaryFirst(each)).shown();

            assertThat(shown.createQueueSession(false, 1)).isNull();
        }
        assertThat(passed).isEmpty();
    }
}
