/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.time.Clock;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.persistence.OperationContext;
import org.apache.activemq.artemis.core.postoffice.Binding;
import org.apache.activemq.artemis.core.postoffice.RoutingStatus;
import org.apache.activemq.artemis.core.server.ActivateCallback;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.LargeServerMessage;
import org.apache.activemq.artemis.core.server.RoutingContext;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.apache.activemq.artemis.core.server.federation.FederatedQueueConsumer;
import org.apache.activemq.artemis.core.server.plugin.ActiveMQServerPlugin;
import org.apache.activemq.artemis.core.transaction.Transaction;
import org.apache.activemq.artemis.spi.core.protocol.RemotingConnection;
import org.apache.activemq.artemis.spi.core.protocol.SessionCallback;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.audit.AuditLog;
import org.signetmq.interceptor.internal.gate.MessageGate;
import org.signetmq.interceptor.internal.gate.PostOfficeGate.DivertGuard;
import org.signetmq.interceptor.internal.home.ConfigurationWatcher;
import org.signetmq.interceptor.internal.home.CryptoService;
import org.signetmq.interceptor.internal.home.Readiness.NotReadyException;
import org.signetmq.interceptor.internal.large.BrokerInternals;
import org.signetmq.interceptor.internal.large.SealingStorage;
import org.signetmq.interceptor.internal.log.PluginLog;
import org.signetmq.interceptor.internal.reject.Rejections;
import org.signetmq.interceptor.internal.reject.Rejections.StompReasons;
import org.signetmq.interceptor.internal.status.Counters;
import org.signetmq.interceptor.internal.status.Counters.MessageRecords;
import org.signetmq.interceptor.internal.status.PluginStatus;

/**
 * Protects messages in an Artemis broker. The plugin seals clear messages to protected addresses before the broker
 * stores them, and rejects messages that it cannot seal. The element {@code <broker-plugin>} of broker.xml names this
 * class. Its properties are {@code home}, {@code identity}, {@code password-file} or {@code key-store}, and
 * {@code policy-store}. The properties {@code policy-mark} and {@code require-policies} belong to that store. The
 * properties {@code max-message-size}, {@code key-pregenerator.threads} and {@code key-pregenerator.capacity} tune it.
 * Thread-safe.
 */
public final class SignetPlugin implements ActiveMQServerPlugin {
    private final CryptoService.Factory services;
    private final Counters counters = new Counters();
    private final MessageRecords records = new MessageRecords(counters, new AuditLog(Clock.systemUTC()));
    private final Rejections rejections;
    private final StompReasons pending = new StompReasons();
    private final AtomicReference<@Nullable ActiveMQServer> registeredWith = new AtomicReference<>();

    /** The rejection for a full heap. This field loads its class while there is memory. */
    private final ActiveMQException prepared = Rejections.PREPARED;

    private volatile Map<String, String> properties = Map.of();
    private volatile @Nullable PluginRuntime runtime;

    /** Makes a plugin that is not registered yet. */
    public SignetPlugin() {
        this(CryptoService::new);
    }

    SignetPlugin(CryptoService.Factory services) {
        this.services = services;
        this.rejections = new Rejections(records, Clock.systemUTC());
    }

    /** Keeps the properties, and starts nothing, because the broker also makes plugins that it never registers. */
    @Override
    public void init(Map<String, String> properties) {
        this.properties = Map.copyOf(properties);
    }

    /**
     * Starts the plugin.
     *
     * @throws IllegalStateException in an unknown version of the broker or if the plugin is on the class path twice;
     *     the broker then does not start
     */
    @Override
    public void registered(ActiveMQServer server) {
        requireOneJar(SignetPlugin.class.getClassLoader());
        BrokerInternals.require(server);
        if (registeredWith.getAndSet(server) != server) {
            server.registerActivateCallback(lifeCycle(server));
        }
        PluginRuntime starting = start(server);
        if (server.isActive()) {
            starting.activate(server, pending);
        }
    }

    /** Checks that there is one version: of two, some classes would come from one jar and some from the other. */
    static void requireOneJar(ClassLoader loader) {
        List<URL> places;
        try {
            places = Collections.list(loader.getResources("org/signetmq/interceptor/SignetPlugin.class"));
        } catch (IOException e) {
            throw new UncheckedIOException("Signet refuses to start: its own jar cannot be read", e);
        }
        if (places.size() > 1) {
            throw new IllegalStateException("Signet refuses to start: it is on the broker's class path "
                    + places.size() + " times; leave one of "
                    + places.stream().map(URL::toString).collect(Collectors.joining(" and ")));
        }
    }

    @Override
    public void unregistered(ActiveMQServer server) {
        registeredWith.set(null);
        PluginRuntime last = runtime;
        stop();
        if (last != null) {
            last.unprotectStorage();
        }
    }

    /** Returns the state and the counts of the plugin. */
    PluginStatus state() {
        PluginRuntime now = runtime;
        return now == null
                ? counters.status(PluginRuntime.STOPPED, PluginRuntime.NOT_STARTED)
                : counters.status(now.readiness(), now.gate().large().problem());
    }

    // Each callback below catches every failure and throws an ActiveMQException, which may be the prepared one. The
    // broker ignores any other exception and stores the message.

    @Override
    public void beforeSend(
            ServerSession session, Transaction tx, Message message, boolean direct, boolean noAutoCreateQueue)
            throws ActiveMQException {
        try {
            gate().send(session, message, tx);
        } catch (Throwable e) {
            ActiveMQException rejection = prepared;
            try {
                rejection = rejections.reject(e, message, session, tx);
                pending.keep(session, rejection.getMessage());
            } catch (Throwable again) { // not even a call is possible, as on a full stack
            }
            throw rejection;
        }
    }

    @Override
    public void afterSend(
            ServerSession session,
            Transaction tx,
            Message message,
            boolean direct,
            boolean noAutoCreateQueue,
            RoutingStatus result)
            throws ActiveMQException {
        PluginRuntime now = runtime;
        try {
            if (now != null) {
                now.gate().sent(message);
            }
        } catch (Throwable e) {
            ActiveMQException rejection = prepared;
            try {
                now.gate().failed(message);
                rejection = rejections.reject(e, message, session, null);
            } catch (Throwable again) { // not even a call is possible, as on a full stack
            }
            throw rejection;
        }
    }

    @Override
    public void onSendException(
            ServerSession session,
            Transaction tx,
            Message message,
            boolean direct,
            boolean noAutoCreateQueue,
            Exception problem) {
        try {
            PluginRuntime now = runtime;
            if (now != null) {
                now.gate().failed(message);
            }
        } catch (Throwable e) {
            PluginLog.LOG.warn("the transaction of a failed send could not be rolled back", e);
        }
        if (Rejections.isRejection(problem)) {
            Rejections.deleteFile(message);
        }
    }

    @Override
    public void beforeMessageRoute(Message message, RoutingContext context, boolean direct, boolean rejectDuplicates)
            throws ActiveMQException {
        try {
            gate().route(message, context);
        } catch (Throwable e) {
            ActiveMQException rejection = prepared;
            try {
                rejection = rejections.reject(e, message, context.getServerSession(), context.getTransaction());
            } catch (Throwable again) { // not even a call is possible, as on a full stack
            }
            throw rejection;
        }
    }

    /** Judges a large message that a federation fetched. Afterwards the federation copies its body to another file. */
    @Override
    public void beforeFederatedQueueConsumerMessageHandled(FederatedQueueConsumer consumer, Message message)
            throws ActiveMQException {
        LargeServerMessage made = SealingStorage.madeOf(message);
        if (made == null) {
            return; // judged when the broker routes it
        }
        try {
            gate().fetch(made, consumer.getKey());
        } catch (Throwable e) {
            ActiveMQException rejection = prepared;
            try {
                rejection = rejections.reject(e, made.toMessage(), null, null);
            } catch (Throwable again) { // not even a call is possible, as on a full stack
            }
            throw rejection;
        }
    }

    /** Guards diverts, because the broker copies a message to them before it asks the plugin. */
    @Override
    public void beforeAddBinding(Binding binding) throws ActiveMQException {
        try {
            DivertGuard.guard(binding, this::routeDiverted);
        } catch (Throwable e) {
            PluginLog.LOG.error(
                    "divert {} rejected, because Signet cannot check its messages", binding.getUniqueName(), e);
            throw prepared;
        }
    }

    private void routeDiverted(Message message, RoutingContext context) throws ActiveMQException {
        if (registeredWith.get() != null) {
            beforeMessageRoute(message, context, false, false);
        }
    }

    @Override
    public void beforeCreateSession(
            String name,
            String username,
            int minLargeMessageSize,
            RemotingConnection connection,
            boolean autoCommitSends,
            boolean autoCommitAcks,
            boolean preAcknowledge,
            boolean xa,
            String defaultAddress,
            SessionCallback callback,
            boolean autoCreateQueues,
            OperationContext context,
            Map<SimpleString, RoutingType> prefixes)
            throws ActiveMQException {
        try {
            PluginRuntime now = runtime;
            if (now == null) { // registered in a running broker, and refused to start there
                throw new NotReadyException(PluginRuntime.NOT_STARTED);
            }
            now.postOffice().require();
        } catch (Throwable e) {
            ActiveMQException rejection = prepared;
            try {
                rejection = rejections.rejectSession(e, connection);
            } catch (Throwable again) { // not even a call is possible, as on a full stack
            }
            throw rejection;
        }
    }

    /** Returns the gate, which rejects every message after the plugin has stopped. */
    private MessageGate gate() throws NotReadyException {
        PluginRuntime now = runtime;
        if (now == null) {
            throw new NotReadyException(PluginRuntime.NOT_STARTED);
        }
        return now.gate();
    }

    private synchronized PluginRuntime start(ActiveMQServer server) {
        PluginRuntime now = runtime;
        if (now == null || now.isClosed()) {
            now = PluginRuntime.start(
                    server,
                    new ConfigurationWatcher(properties, services, server.getConfiguration(), records.audit()),
                    records,
                    rejections);
            runtime = now;
            now.register(server, this::state);
        }
        return now;
    }

    private synchronized void stop() {
        PluginRuntime now = runtime;
        if (now != null && !now.isClosed()) {
            now.close();
        }
    }

    /** Starts and stops the plugin with the broker, which may do both several times. */
    private ActivateCallback lifeCycle(ActiveMQServer server) {
        return new ActivateCallback() {
            @Override
            public void activated() {
                if (registeredWith.get() == server) {
                    start(server).activate(server, pending);
                }
            }

            @Override
            public void deActivate() {
                SignetPlugin.this.stop();
            }

            @Override
            public void stop(ActiveMQServer stopped) {
                SignetPlugin.this.stop();
            }

            @Override
            public void shutdown(ActiveMQServer stopped) {
                SignetPlugin.this.stop();
            }
        };
    }
}
