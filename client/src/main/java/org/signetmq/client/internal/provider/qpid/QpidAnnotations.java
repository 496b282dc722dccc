/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.provider.qpid;

import jakarta.jms.Message;
import org.apache.qpid.jms.message.JmsMessage;
import org.jspecify.annotations.Nullable;

/** Message annotations of Qpid JMS, which it has a public way to for tracers only. Needs its classes. */
public final class QpidAnnotations {
    private QpidAnnotations() {}

    static @Nullable public Object get(Message message, String name) {
        return ((JmsMessage) message).getFacade().getTracingAnnotation(name);
    }
}
