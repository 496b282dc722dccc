/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import jakarta.jms.JMSException;
import org.jspecify.annotations.Nullable;

/**
 * The second session beside one that acknowledges as cheaply as the provider does: it settles each message on its own.
 * Made with the first need. As a session, for one thread at a time.
 */
final class ExactSession {
    private final Source source;
    private @Nullable SignetSession session;

    /** Makes the session. */
    interface Source {
        SignetSession open() throws JMSException;
    }

    ExactSession(Source source) {
        this.source = source;
    }

    synchronized SignetSession session() throws JMSException {
        if (session == null) {
            session = source.open();
        }
        return session;
    }

    synchronized void recover() throws JMSException {
        if (session != null) {
            session.recover();
        }
    }

    synchronized void close() throws JMSException {
        if (session != null) {
            session.close();
        }
    }
}
