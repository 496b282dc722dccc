/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.home;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.log.PluginLog;
import org.signetmq.interceptor.internal.store.ChangeOrigin;
import org.signetmq.interceptor.internal.store.PolicyJournal;
import org.signetmq.interceptor.internal.store.StoredPolicies;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.policy.file.PolicyFile;

/**
 * Keeps the policies of the broker's journal. The first start takes over the policy file of the home, if there is one.
 * Not thread-safe.
 */
final class BrokerPolicies implements PolicySource {
    private final PolicyJournal journal;
    private final Path file;
    private final BrokerNaming naming;
    private @Nullable Stored stored;
    private @Nullable PolicySet fitting;

    /** The policies in the journal, and the origin of their last change; null before the first change. */
    private record Stored(PolicySet policies, @Nullable ChangeOrigin origin) {}

    /**
     * Makes a source that has not read the journal yet.
     *
     * @param file the policy file that the first start takes over
     */
    BrokerPolicies(PolicyJournal journal, Path file, BrokerNaming naming) {
        this.journal = journal;
        this.file = file;
        this.naming = naming;
    }

    /**
     * Reads the journal once, because only this plugin changes the policies there. Names of recipients are not checked
     * here: a change was checked when it was made, and each policy that cannot be applied becomes a finding.
     */
    @Override
    public void look() throws IOException {
        if (stored == null) {
            stored = load();
        }
        if (fitting == null) {
            fitting = naming.required(stored.policies());
        }
    }

    private Stored load() throws IOException {
        Optional<StoredPolicies> found = journal.read();
        if (found.isPresent()) {
            return new Stored(
                    PolicyFile.parse(found.get().text(), PartyValidator.acceptAll()),
                    found.get().origin());
        }
        if (!Files.exists(file)) {
            PluginLog.LOG.warn(
                    "Signet protects no message yet: neither the broker nor {} has policies; "
                            + "signet policy set --broker makes the first",
                    file);
            return new Stored(PolicySet.of(0, UnmatchedAddress.PASS, naming.wildcards(), List.of()), null);
        }
        PolicySet taken = naming.required(PolicyFile.read(file, PartyValidator.acceptAll()));
        ChangeOrigin origin = new ChangeOrigin(null, file.toString(), Instant.now());
        write(taken, origin);
        PluginLog.LOG.info(
                "Signet took over {} policies, version {}, from {}; changes of this file have no effect from now on",
                taken.policies().size(),
                taken.version(),
                file);
        return new Stored(taken, origin);
    }

    @Override
    public boolean isLoaded() {
        return stored != null;
    }

    @Override
    public PolicySet current() {
        if (stored == null) {
            throw new IllegalStateException("policies: not loaded");
        }
        return stored.policies();
    }

    @Override
    public Optional<String> problem() {
        return Optional.empty();
    }

    @Override
    public Optional<ChangeOrigin> origin() {
        return Optional.ofNullable(stored).map(Stored::origin);
    }

    /**
     * Puts policies that fit the broker in place of the current ones, on the disk and on the backup.
     *
     * @throws IOException if they could not be stored; the former policies stay
     */
    void replace(PolicySet policies, ChangeOrigin origin) throws IOException {
        write(policies, origin);
        stored = new Stored(policies, origin);
        fitting = policies;
    }

    private void write(PolicySet policies, ChangeOrigin origin) throws IOException {
        journal.write(new StoredPolicies(policies.version(), PolicyFile.format(policies), origin));
    }
}
