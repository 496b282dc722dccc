/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.gate;

import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.log.PluginLog;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.interceptor.internal.storage.StorageGate;
import org.signetmq.interceptor.internal.storage.StorageMethods;

/**
 * Puts the last gate before the storage of the broker's post office, and guards its diverts. Every message passes the
 * post office before the broker stores it, also messages without a session. Puts another gate before the storage of the
 * sessions, which write large messages themselves.
 */
public final class PostOfficeGate {
    private final ActiveMQServer server;
    private final MessageGate gate;
    private final DivertGuard.Judge judge;
    private @Nullable StorageGate installed; // guarded by this
    private volatile @Nullable String problem;

    public PostOfficeGate(ActiveMQServer server, MessageGate gate, DivertGuard.Judge judge) {
        this.server = server;
        this.gate = gate;
        this.judge = judge;
    }

    /** Installs the gates. The caller calls this after the broker has loaded and before clients connect. */
    public synchronized void install() {
        if (installed != null) {
            return;
        }
        try {
            StorageGate made = new StorageGate(
                    StorageGate.behind(server.getPostOffice()),
                    StorageMethods.of(StorageManager.class),
                    gate.lastGate());
            made.putInto(server.getPostOffice());
            installed = made;
            for (var binding : server.getPostOffice().getAllBindings().toList()) {
                DivertGuard.guard(binding, judge);
            }
            gate.large().install();
            problem = null;
        } catch (Throwable e) { // any failure: no message may pass without these gates
            problem = e instanceof MessageRejectedException ? String.valueOf(e.getMessage()) : e.toString();
            PluginLog.LOG.error("Signet rejects all clients, because it cannot protect their messages: {}", problem);
        }
    }

    /** Returns the reason why no message can be protected, or null. */
    @Nullable
    public String problem() {
        return problem;
    }

    /**
     * Checks that the gates stand.
     *
     * @throws MessageRejectedException if they do not: the broker would write large messages of a client in clear
     */
    public void require() throws MessageRejectedException {
        String why = problem;
        if (why != null) {
            throw new MessageRejectedException("Signet rejects all clients: " + why);
        }
    }

    /** Removes the gates when the plugin is removed from a running broker. */
    public synchronized void uninstall() {
        gate.large().uninstall();
        StorageGate removed = installed;
        installed = null;
        problem = null;
        if (removed != null) {
            removed.takeFrom(server.getPostOffice());
        }
    }
}
