/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.audit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.management.NotificationType;
import org.apache.activemq.artemis.core.server.management.ManagementService;
import org.apache.activemq.artemis.core.server.management.Notification;
import org.apache.activemq.artemis.utils.collections.TypedProperties;
import org.signetmq.interceptor.internal.audit.AuditLog.AuditEvent;
import org.signetmq.interceptor.internal.log.PluginLog;
import org.signetmq.keystore.keys.DaemonThreads;

/**
 * Sends lines of the audit log as notifications of the broker, as well as it can. A thread of its own sends them,
 * because the broker locks its post office for each notification. If lines come faster, some are dropped. Thread-safe.
 */
public final class BrokerNotifications implements AuditLog.Listener, AutoCloseable {
    /** The beginning of each property's name. A name with signet_ would be one that only client libraries may set. */
    static final String PREFIX = "audit_";

    private static final int MOST_WAITING = 64;

    /** The key that is not sent: texts may name paths of the broker, and clients may read notifications. */
    private static final String KEPT_BACK = "text";

    private final ManagementService management;
    private final ThreadPoolExecutor sender;

    public BrokerNotifications(ManagementService management) {
        this.management = management;
        this.sender = new ThreadPoolExecutor(
                1,
                1,
                10,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(MOST_WAITING),
                new DaemonThreads("signet-notifications"),
                new ThreadPoolExecutor.DiscardPolicy());
        sender.allowCoreThreadTimeOut(true);
    }

    /**
     * The type of a notification. Consumers see its text. The broker's own listeners ignore types that are not
     * Artemis's.
     */
    private record Type(AuditEvent event) implements NotificationType {
        /** The number of all types of Signet. Those of Artemis end far below. */
        private static final int NUMBER = 5000;

        @Override
        public int getType() {
            return NUMBER;
        }

        @Override
        public String toString() {
            return "SIGNET_" + event.name();
        }
    }

    @Override
    public void wrote(AuditEvent event, ObjectNode line) {
        if (event != AuditEvent.STARTED) {
            TypedProperties properties = properties(line);
            sender.execute(() -> send(new Notification(null, new Type(event), properties)));
        }
    }

    /** Returns the values of a line, without its lists. */
    private static TypedProperties properties(ObjectNode line) {
        TypedProperties properties = new TypedProperties();
        line.properties().forEach(field -> {
            JsonNode value = field.getValue();
            SimpleString name =
                    SimpleString.of(PREFIX + field.getKey().replace('-', '_').toLowerCase(Locale.ROOT));
            if (value.isTextual() && !KEPT_BACK.equals(field.getKey())) {
                properties.putSimpleStringProperty(name, SimpleString.of(value.textValue()));
            } else if (value.isIntegralNumber()) {
                properties.putLongProperty(name, value.longValue());
            }
        });
        return properties;
    }

    private void send(Notification notification) {
        try {
            management.sendNotification(notification);
        } catch (Throwable unsent) {
            PluginLog.LOG.debug("a notification could not be sent", unsent);
        }
    }

    /** Drops the notifications that were not sent yet. */
    @Override
    public void close() {
        sender.shutdownNow();
    }
}
