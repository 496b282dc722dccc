/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.gate;

import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.log.PluginLog;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.interceptor.internal.storage.BrokerField;
import org.signetmq.interceptor.internal.storage.StorageGate;
import org.signetmq.interceptor.internal.storage.StorageMethods;

/**
 * Puts the last gate before the storage of the broker's post office, and guards its diverts. Every message passes the
 * post office before the broker stores it, also messages without a session.
 */
public final class PostOfficeGate {

    private final ActiveMQServer server;
    private final StorageGate.Gate gate;
    private final DivertGuard.Judge judge;
    private @Nullable BrokerField<StorageManager> field; // guarded by this
    private @Nullable StorageGate installed; // guarded by this
    private volatile @Nullable String problem;

    public PostOfficeGate(ActiveMQServer server, StorageGate.Gate gate, DivertGuard.Judge judge) {
        this.server = server;
        this.gate = gate;
        this.judge = judge;
    }

    /** Installs the gate. The caller calls this after the broker has loaded and before clients connect. */
    public synchronized void install() {
        if (installed != null) {
            return;
        }
        try {
            BrokerField<StorageManager> storage = BrokerField.of(server.getPostOffice(), StorageManager.class);
            StorageGate made = new StorageGate(
                    StorageGate.unwrapped(storage.get()), StorageMethods.of(StorageManager.class), gate);
            storage.set(made.gated());
            field = storage;
            installed = made;
            problem = null;
            guardDiverts();
        } catch (Throwable e) { // any failure: no message may pass without this gate
            problem = e instanceof MessageRejectedException ? String.valueOf(e.getMessage()) : e.toString();
            PluginLog.LOG.error("Signet rejects every message to a protected address: {}", problem);
        }
    }

    private void guardDiverts() throws Exception {
        for (var binding : server.getPostOffice().getAllBindings().toList()) {
            DivertGuard.guard(binding, judge);
        }
    }

    /** Returns the reason why no message can be protected, or null. */
    @Nullable
    public String problem() {
        return problem;
    }

    /** Removes the gate when the plugin is removed from a running broker. */
    public synchronized void uninstall() {
        BrokerField<StorageManager> storage = field;
        StorageGate removed = installed;
        if (storage == null || removed == null) {
            return;
        }
        try {
            if (storage.get() == removed.gated()) {
                storage.set(removed.real());
            }
            installed = null;
        } catch (Throwable e) {
            PluginLog.LOG.warn("the gate before the broker's storage could not be removed", e);
        }
    }
}
