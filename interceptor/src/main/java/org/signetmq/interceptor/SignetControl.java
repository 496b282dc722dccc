/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The plugin as the broker's management sees it. A management message can call every public method of a registered
 * object, so this one has none but those meant for it.
 */
public final class SignetControl implements SignetControlMBean {
    private final Supplier<PluginStatus> status;

    SignetControl(Supplier<PluginStatus> status) {
        this.status = status;
    }

    @Override
    public String getState() {
        return status.get().state().name();
    }

    @Override
    public @Nullable String getReason() {
        return status.get().reason();
    }

    @Override
    public long getPolicyVersion() {
        return status.get().policyVersion();
    }

    @Override
    public @Nullable String getPolicyProblem() {
        return status.get().policyProblem();
    }

    @Override
    public String getLargeMessages() {
        return status.get().largeMessages().mode().name();
    }

    @Override
    public @Nullable String getLargeMessagesReason() {
        return status.get().largeMessages().reason();
    }

    @Override
    public long getSealed() {
        return status.get().sealed();
    }

    @Override
    public long getPassed() {
        return status.get().passed();
    }

    @Override
    public long getRejected() {
        return status.get().rejected();
    }

    @Override
    public long getKeyWaits() {
        return status.get().keyWaits();
    }
}
