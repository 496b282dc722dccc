/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.home.Readiness;
import org.signetmq.interceptor.internal.status.PluginStatus;
import org.signetmq.policy.PolicyFile;

/**
 * The plugin's resource in the broker's management. A management message can call every public method of a registered
 * object, so this class has only the methods of its interface.
 */
public final class SignetControl implements SignetControlMBean {
    /** The largest number of findings in an answer. An answer of the management is one message. */
    private static final int MOST_FINDINGS = 1000;

    private final Supplier<PluginStatus> status;
    private final Supplier<Readiness> readiness;

    SignetControl(Supplier<PluginStatus> status, Supplier<Readiness> readiness) {
        this.status = status;
        this.readiness = readiness;
    }

    @Override
    public String getVersion() {
        @Nullable String version = SignetPlugin.class.getPackage().getImplementationVersion();
        return version == null ? "unknown" : version;
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
        return status.get().policies().version();
    }

    @Override
    public @Nullable String getPolicies() {
        return readiness.get() instanceof Readiness.Ready ready ? PolicyFile.format(ready.policies()) : null;
    }

    @Override
    public @Nullable String getPolicyProblem() {
        return status.get().policies().problem();
    }

    @Override
    public String[][] getPolicyFindings() {
        return status.get().policies().findings().stream()
                .limit(MOST_FINDINGS)
                .map(finding -> new String[] {finding.pattern(), finding.problem(), finding.remedy()})
                .toArray(String[][]::new);
    }

    @Override
    public @Nullable String getHomeFinding() {
        return readiness.get() instanceof Readiness.Ready ready
                ? ready.home().names().finding(ready.policies()).orElse(null)
                : null;
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
        return status.get().counts().sealed();
    }

    @Override
    public long getPassed() {
        return status.get().counts().passed();
    }

    @Override
    public long getRejected() {
        return status.get().counts().rejected();
    }

    @Override
    public long getUnjudged() {
        return status.get().counts().unjudged();
    }

    @Override
    public long getKeyWaits() {
        return status.get().counts().keyWaits();
    }
}
