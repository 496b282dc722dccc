/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.reject;

import org.apache.activemq.artemis.api.core.ActiveMQAddressFullException;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQSecurityException;

/**
 * Rejections for a full heap, which cannot hold a new exception. The broker stores a message if its plugin throws an
 * exception that is no {@link ActiveMQException}.
 */
@SuppressWarnings("StaticAssignmentOfThrowable") // they must exist before the heap is full
public final class PreparedRejections {
    private static final String TEXT =
            "message rejected: Signet could not protect it, and could not say why; the broker is short of memory";

    /** The rejection for a client. All threads share it, so it has no stack trace. */
    public static final ActiveMQException FOR_CLIENT = bare(new ActiveMQSecurityException(TEXT));

    /** The rejection for a bridge, which keeps its message after it. All threads share it, so it has no stack trace. */
    static final ActiveMQException FOR_BRIDGE = bare(new ActiveMQAddressFullException(TEXT));

    private PreparedRejections() {}

    private static ActiveMQException bare(ActiveMQException rejection) {
        rejection.setStackTrace(new StackTraceElement[0]);
        return rejection;
    }
}
