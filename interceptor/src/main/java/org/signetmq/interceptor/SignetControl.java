/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.audit.AuditLog;
import org.signetmq.interceptor.internal.backlog.BacklogOperations;
import org.signetmq.interceptor.internal.backlog.KeyOperations;
import org.signetmq.interceptor.internal.backlog.PolicyImpact;
import org.signetmq.interceptor.internal.check.BrokerCheck;
import org.signetmq.interceptor.internal.control.ControlOperations;
import org.signetmq.interceptor.internal.home.Readiness;
import org.signetmq.interceptor.internal.status.PluginStatus;
import org.signetmq.policy.file.PolicyFile;

/**
 * The plugin's resource in the broker's management. A management message can call every public method of a registered
 * object, so this class has only the methods of its interface.
 */
public final class SignetControl implements SignetControlMBean {
    /** The largest number of findings in an answer. An answer of the management is one message. */
    private static final int MOST_FINDINGS = 1000;

    private final Supplier<PluginStatus> status;
    private final Supplier<Readiness> readiness;

    private final Operations parts;
    private final ControlOperations operations;

    /**
     * The operations of the control.
     *
     * @param policies those on policies, and the rights of callers
     * @param backlog those on messages in queues
     * @param impact those that tell the consequences of changes
     * @param keys those that tell which keys messages need
     * @param check finds what is wrong with the broker
     * @param audit the audit log
     */
    record Operations(
            ControlOperations policies,
            BacklogOperations backlog,
            PolicyImpact impact,
            KeyOperations keys,
            BrokerCheck check,
            AuditLog audit) {}

    SignetControl(Supplier<PluginStatus> status, Supplier<Readiness> readiness, Operations operations) {
        this.status = status;
        this.readiness = readiness;
        this.parts = operations;
        this.operations = operations.policies();
    }

    @Override
    public String getVersion() {
        operations.requireView("getVersion");
        return version();
    }

    private static String version() {
        @Nullable String version = SignetPlugin.class.getPackage().getImplementationVersion();
        return version == null ? "unknown" : version;
    }

    @Override
    public String getBroker() {
        operations.requireView("getBroker");
        return parts.check().broker();
    }

    @Override
    public String getState() {
        operations.requireView("getState");
        return status.get().state().name();
    }

    @Override
    public @Nullable String getReason() {
        operations.requireView("getReason");
        return status.get().reason();
    }

    @Override
    public long getPolicyVersion() {
        operations.requireView("getPolicyVersion");
        return status.get().policies().version();
    }

    @Override
    public @Nullable String getPolicies() {
        operations.requireView("getPolicies");
        return readiness.get() instanceof Readiness.Ready ready ? PolicyFile.format(ready.policies()) : null;
    }

    @Override
    public @Nullable String getPolicyProblem() {
        operations.requireView("getPolicyProblem");
        return status.get().policies().problem();
    }

    @Override
    public String[][] getPolicyFindings() {
        operations.requireView("getPolicyFindings");
        return status.get().policies().findings().stream()
                .limit(MOST_FINDINGS)
                .map(finding -> new String[] {
                    finding.pattern(),
                    finding.problem(),
                    finding.remedy(),
                    finding.weight().name()
                })
                .toArray(String[][]::new);
    }

    @Override
    public @Nullable String getHomeFinding() {
        operations.requireView("getHomeFinding");
        return readiness.get() instanceof Readiness.Ready ready
                ? ready.home().names().finding(ready.policies()).orElse(null)
                : null;
    }

    @Override
    public String getLargeMessages() {
        operations.requireView("getLargeMessages");
        return status.get().largeMessages().mode().name();
    }

    @Override
    public @Nullable String getLargeMessagesReason() {
        operations.requireView("getLargeMessagesReason");
        return status.get().largeMessages().reason();
    }

    @Override
    public long getSealed() {
        operations.requireView("getSealed");
        return status.get().counts().sealed();
    }

    @Override
    public long getPassed() {
        operations.requireView("getPassed");
        return status.get().counts().passed();
    }

    @Override
    public long getRejected() {
        operations.requireView("getRejected");
        return status.get().counts().rejected();
    }

    @Override
    public long getUnjudged() {
        operations.requireView("getUnjudged");
        return status.get().counts().unjudged();
    }

    @Override
    public long getKeysBegun() {
        operations.requireView("getKeysBegun");
        return status.get().counts().keysBegun();
    }

    @Override
    public long getKeyWaits() {
        operations.requireView("getKeyWaits");
        return status.get().counts().keyWaits();
    }

    @Override
    public String listPolicies(long version, int offset) {
        return operations.listPolicies(version, offset);
    }

    @Override
    public String queryPolicy(String address) {
        return operations.queryPolicy(address);
    }

    @Override
    public String getLastChange() {
        return operations.lastChange();
    }

    @Override
    public String listHistory() {
        return operations.listHistory();
    }

    @Override
    public String listFormerPolicies(long version, int offset) {
        return operations.listFormerPolicies(version, offset);
    }

    @Override
    public String rollbackPolicies(long version, long former) {
        return operations.rollbackPolicies(version, former);
    }

    @Override
    public String judgeRollback(long version, long former) {
        return operations.judgeRollback(version, former);
    }

    @Override
    public String listFindings() {
        operations.requireView("listFindings");
        return parts.check().answer(version(), status.get(), readiness.get());
    }

    @Override
    public String listCertificates() {
        operations.requireView("listCertificates");
        return parts.check().certificates(readiness.get());
    }

    @Override
    public String listNames(String text) {
        return operations.listNames(text);
    }

    @Override
    public String setPolicy(long version, String policy) {
        return operations.setPolicy(version, policy);
    }

    @Override
    public String judgePolicy(long version, String policy) {
        return operations.judgePolicy(version, policy);
    }

    @Override
    public String removePolicy(long version, String pattern) {
        return operations.removePolicy(version, pattern);
    }

    @Override
    public String addRecipient(long version, String pattern, String name) {
        return operations.addRecipient(version, pattern, name);
    }

    @Override
    public String removeRecipient(long version, String pattern, String name) {
        return operations.removeRecipient(version, pattern, name);
    }

    @Override
    public String addSigner(long version, String pattern, String name) {
        return operations.addSigner(version, pattern, name);
    }

    @Override
    public String removeSigner(long version, String pattern, String name) {
        return operations.removeSigner(version, pattern, name);
    }

    @Override
    public String setUnmatched(long version, String rule) {
        return operations.setUnmatched(version, rule);
    }

    @Override
    public String setWildcards(long version, String wildcards) {
        return operations.setWildcards(version, wildcards);
    }

    @Override
    public String setRecovery(long version, String names) {
        return operations.setRecovery(version, names);
    }

    @Override
    public String beginPolicies(long version) {
        return operations.beginPolicies(version);
    }

    @Override
    public String addPolicies(String upload, int offset, String part) {
        return operations.addPolicies(upload, offset, part);
    }

    @Override
    public String replacePolicies(String upload) {
        return operations.replacePolicies(upload);
    }

    @Override
    public String restorePolicies(String upload) {
        return operations.restorePolicies(upload);
    }

    @Override
    public String judgePolicies(String upload) {
        return operations.judgePolicies(upload);
    }

    @Override
    public String judgeImpact(long version, String policy) {
        return operations.judgeImpact(version, policy);
    }

    @Override
    public String judgeRemoval(long version, String pattern) {
        return operations.judgeRemoval(version, pattern);
    }

    @Override
    public String judgeImpacts(String upload) {
        return operations.judgeImpacts(upload);
    }

    @Override
    public String readImpact(String id, int offset) {
        return parts.impact().readImpact(id, offset);
    }

    @Override
    public String queryKeyUse(String keys) {
        return parts.keys().queryKeyUse(keys);
    }

    @Override
    public String listKeyUse(String query, int offset) throws Exception {
        return parts.keys().listKeyUse(query, offset);
    }

    @Override
    public String listQueues(String address) throws Exception {
        return parts.backlog().listQueues(address);
    }

    @Override
    public String beginBacklog(String queue) throws Exception {
        return parts.backlog().beginBacklog(queue);
    }

    @Override
    public String sealBacklog(String job, int most) throws Exception {
        return parts.backlog().sealBacklog(job, most);
    }

    @Override
    public String judgeBacklog(String job, int most) throws Exception {
        return parts.backlog().judgeBacklog(job, most);
    }

    @Override
    public String listAudit(int count) {
        operations.requireView("listAudit");
        return parts.audit().tail(count);
    }
}
