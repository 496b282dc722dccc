/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import java.lang.reflect.Field;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.server.ActiveMQServer;

/**
 * The field of the broker from which its sessions take their storage. Private to the broker: it may be gone one day.
 */
final class StorageField {
    private static final String NAME = "storageManager";

    private final ActiveMQServer server;
    private final Field field;

    private StorageField(ActiveMQServer server, Field field) {
        this.server = server;
        this.field = field;
    }

    /**
     * The field of this broker.
     *
     * @throws RefusedException if this version of the broker has none that can be set
     */
    static StorageField of(ActiveMQServer server) throws RefusedException {
        for (Class<?> type = server.getClass(); type != null; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (field.getName().equals(NAME)
                        && field.getType() == StorageManager.class
                        && field.trySetAccessible()) {
                    return new StorageField(server, field);
                }
            }
        }
        throw new RefusedException("this version of Artemis keeps its storage elsewhere");
    }

    StorageManager get() throws IllegalAccessException {
        return (StorageManager) field.get(server);
    }

    void set(StorageManager storage) throws IllegalAccessException {
        field.set(server, storage);
    }
}
