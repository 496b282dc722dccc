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
 * Puts the storage of the broker's post office behind the last gate, and guards its diverts. All messages pass the post
 * office before they are stored, those of sessions and all others.
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

    /** Installs the gate; to be called when the broker has loaded and before clients connect. */
    public synchronized void install() {
        if (installed != null) {
            return;
        }
        try {
            BrokerField<StorageManager> storage = BrokerField.of(server.getPostOffice(), StorageManager.class);
            StorageGate gated = new StorageGate(
                    StorageGate.unwrapped(storage.get()), StorageMethods.of(StorageManager.class), gate);
            storage.set(gated.proxy());
            field = storage;
            installed = gated;
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

    /** Why nothing can be protected, or null. */
    @Nullable
    public String problem() {
        return problem;
    }

    /** Takes the gate away, as of a plugin that is taken out of a running broker. */
    public synchronized void uninstall() {
        BrokerField<StorageManager> storage = field;
        StorageGate gated = installed;
        if (storage == null || gated == null) {
            return;
        }
        try {
            if (storage.get() == gated.proxy()) {
                storage.set(gated.real());
            }
            installed = null;
        } catch (Throwable e) {
            PluginLog.LOG.warn("the storage stays behind Signet's gate", e);
        }
    }
}
