/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.provider;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.Message;
import jakarta.jms.ObjectMessage;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.provider.ClientLibrary.ArrivedMessage;

/**
 * Chooses the client library of one connection by the class of the connection or context. A pool hides that class. The
 * choice then uses the class of the first message. It compares names only, because the classes of a library may be
 * absent. Thread-safe.
 */
public final class LibraryChoice {
    private static final ClientLibrary PLAIN = new Plain();

    private volatile @Nullable ClientLibrary chosen;

    /**
     * Chooses by the class of the provider's object.
     *
     * @param provider a connection or a context
     */
    public LibraryChoice(Object provider) {
        chosen = find(provider);
    }

    /** Returns the library that makes connections of this factory. */
    public static ClientLibrary of(ConnectionFactory factory) {
        ClientLibrary found = find(factory);
        return found == null ? PLAIN : found;
    }

    /** Returns the library; a library that follows the API while a pool hides it. */
    public ClientLibrary library() {
        ClientLibrary known = chosen;
        return known == null ? PLAIN : known;
    }

    /** Returns a message with the library that delivered it. */
    public ArrivedMessage arrived(Message message) {
        ClientLibrary known = chosen;
        if (known == null) {
            known = find(message);
            known = known == null ? PLAIN : known;
            chosen = known;
        }
        return new ArrivedMessage(message, known);
    }

    private static @Nullable ClientLibrary find(Object provided) {
        for (Class<?> type = provided.getClass(); type != null; type = type.getSuperclass()) {
            String name = type.getName();
            if (name.startsWith("org.apache.activemq.artemis.jms.client.")) {
                return new ArtemisLibrary();
            } else if (name.startsWith("org.apache.activemq.ActiveMQ")
                    || name.startsWith("org.apache.activemq.command.")) {
                return new ActiveMqLibrary();
            } else if (name.startsWith("org.apache.qpid.jms.")) {
                return new QpidLibrary();
            }
        }
        return null;
    }

    /** Any other client library. It follows the API. */
    private static final class Plain implements ClientLibrary {
        @Override
        public ClientProtocol protocol() {
            return ClientProtocol.AMQP;
        }

        @Override
        public ObjectSource putObject(byte[] serialized, ObjectMessage message) {
            return new FilteredObject(serialized);
        }
    }
}
