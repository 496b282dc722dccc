/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.jms;

import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import java.util.function.UnaryOperator;
import org.signetmq.client.internal.provider.DirectConsumer;
import org.signetmq.client.internal.provider.ReceiveTimeout;
import org.signetmq.client.internal.settlement.ListenerGate;

/**
 * A provider's consumer with its receiving calls.
 *
 * @param listening wraps a listener before the provider calls it
 * @param closing closes the consumer
 */
record ReceivingConsumer(
        MessageConsumer consumer,
        ReceiveTimeout.Calls calls,
        UnaryOperator<MessageListener> listening,
        ListenerGate.Call closing) {
    /** Returns a consumer that follows the API. */
    static ReceivingConsumer of(MessageConsumer consumer) {
        return new ReceivingConsumer(
                consumer, ReceiveTimeout.Calls.of(consumer), UnaryOperator.identity(), consumer::close);
    }

    /**
     * Returns a direct consumer.
     *
     * @param closed runs after the consumer was closed
     */
    static ReceivingConsumer of(DirectConsumer direct, Runnable closed) {
        return new ReceivingConsumer(direct.consumer(), direct.calls(), direct::listening, () -> {
            direct.consumer().close();
            closed.run();
        });
    }
}
