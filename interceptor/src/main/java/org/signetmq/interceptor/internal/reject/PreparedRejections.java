/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.reject;

import org.apache.activemq.artemis.api.core.ActiveMQAddressFullException;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQSecurityException;

/**
 * Rejections that exist before they are needed. The broker takes a message if its plugin throws any exception but an
 * {@link ActiveMQException}, and a full heap cannot hold a new one.
 */
@SuppressWarnings("StaticAssignmentOfThrowable")
public // they must exist beforehand
final class PreparedRejections {
    private static final String TEXT =
            "message rejected: Signet could not protect it, and could not say why; the broker is short of memory";

    /** The rejection for a client. Shared: it has no stack trace. */
    public static final ActiveMQException FOR_CLIENT = bare(new ActiveMQSecurityException(TEXT));

    /** The rejection for a bridge, which drops a message after any other. Shared: it has no stack trace. */
    static final ActiveMQException FOR_BRIDGE = bare(new ActiveMQAddressFullException(TEXT));

    private PreparedRejections() {}

    private static ActiveMQException bare(ActiveMQException rejection) {
        rejection.setStackTrace(new StackTraceElement[0]);
        return rejection;
    }
}
