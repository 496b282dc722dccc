/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.home;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.log.PluginLog;
import org.signetmq.interceptor.internal.store.ChangeOrigin;
import org.signetmq.interceptor.internal.store.PolicyJournal;
import org.signetmq.interceptor.internal.store.PolicyJournal.DamagedPoliciesException;
import org.signetmq.interceptor.internal.store.PolicyJournal.StoredPolicies;
import org.signetmq.keystore.home.PolicyMark;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.policy.file.PolicyFile;

/**
 * Keeps the policies of the broker's journal, and a mark of them outside of the broker's data. The first start takes
 * over the policy file of the home, if there is one. A journal with less than the mark is a loss. Not thread-safe.
 */
final class BrokerPolicies extends PolicySource {
    private final PolicyJournal journal;
    private final PluginSettings settings;
    private final PolicyMark mark;
    private final BrokerNaming naming;
    private boolean fits;

    /** The mark for the policies in the journal while the file has an earlier one; null if the file is up to date. */
    private PolicyMark.@Nullable Content unwritten;

    /** Makes a source that has not read the journal yet. */
    BrokerPolicies(PolicyJournal journal, PluginSettings settings, BrokerNaming naming) {
        this.journal = journal;
        this.settings = settings;
        this.mark = settings.tuning().keeping().mark(settings.home());
        this.naming = naming;
    }

    /**
     * Reads the journal once, because only this plugin changes the policies there. Names of recipients are not checked
     * here: a change was checked when it was made, and each policy that cannot be applied becomes a finding.
     */
    @Override
    void look() throws IOException {
        if (!isLoaded()) {
            load();
        }
        if (unwritten != null) {
            mark.replace(unwritten);
            unwritten = null;
        }
        if (!fits) {
            var unused = naming.required(current());
            fits = true;
        }
    }

    private void load() throws IOException {
        Optional<PolicyMark.Content> marked = marked();
        boolean isNew = marked.equals(Optional.of(PolicyMark.Content.NEW));
        if (isNew) {
            journal.forgetFirst();
        }
        Optional<StoredPolicies> found = journal.read();
        if (found.isPresent()) {
            take(found.get(), marked);
            return;
        }
        if (marked.isPresent() && !isNew) {
            throw new DamagedPoliciesException("there are none, but by " + mark.file() + " version "
                    + marked.get().version() + " was in force");
        }
        takeFirst();
    }

    private Optional<PolicyMark.Content> marked() throws DamagedPoliciesException {
        try {
            return mark.read();
        } catch (IOException e) {
            throw new DamagedPoliciesException("their mark " + e.getMessage());
        }
    }

    /** Takes the stored policies after a check that they are those of the mark, or later ones. */
    private void take(StoredPolicies found, Optional<PolicyMark.Content> marked) throws IOException {
        PolicySet policies = PolicyFile.parse(found.text(), PartyValidator.acceptAll());
        PolicyMark.Content content = content(found);
        if (policies.version() != found.version()) {
            throw new DamagedPoliciesException(
                    "the seal says version " + found.version() + ", but they have version " + policies.version());
        }
        if (marked.isPresent() && marked.get().version() > content.version()) {
            throw new DamagedPoliciesException("they have version " + content.version() + ", but by " + mark.file()
                    + " version " + marked.get().version() + " was in force");
        }
        if (marked.isPresent()
                && !marked.get().equals(PolicyMark.Content.NEW)
                && marked.get().version() == content.version()
                && !marked.get().equals(content)) {
            throw new DamagedPoliciesException(
                    "by " + mark.file() + " other policies of version " + content.version() + " were in force");
        }
        if (!marked.equals(Optional.of(content))) {
            unwritten = content;
        }
        last = policies;
        origin = found.origin();
    }

    private static PolicyMark.Content content(StoredPolicies policies) {
        return PolicyMark.Content.of(policies.version(), policies.text());
    }

    /** Takes the policies of a store that never held any: those of the policy file, which it takes over, or none. */
    private void takeFirst() throws IOException {
        Path file = settings.home().policies();
        if (!Files.notExists(file, LinkOption.NOFOLLOW_LINKS)) {
            PolicySet taken = naming.required(PolicyFile.read(file, PartyValidator.acceptAll()));
            replace(taken, new ChangeOrigin(null, file.toString(), Instant.now()));
            PluginLog.LOG.info(
                    "Signet took over {} policies, version {}, from {}; changes of this file have no effect from now on",
                    taken.policies().size(),
                    taken.version(),
                    file);
            return;
        }
        if (settings.tuning().keeping().requiresPolicies()) {
            throw new IOException("the broker holds no policies, and its property require-policies is true;"
                    + " signet policy import FILE --restore --broker URL puts policies in force");
        }
        PluginLog.LOG.warn(
                "Signet protects no message yet: neither the broker nor {} has policies; "
                        + "signet policy set --broker makes the first",
                file);
        last = PolicySet.of(0, UnmatchedAddress.PASS, naming.wildcards(), List.of());
    }

    /**
     * Puts policies that fit the broker in place of the current ones, on the disk and on the backup.
     *
     * @throws IOException if they or their mark could not be stored; the former policies stay
     */
    void replace(PolicySet policies, ChangeOrigin origin) throws IOException {
        StoredPolicies next = stored(policies, origin);
        try (PolicyMark.Draft draft = mark.draft(content(next))) {
            store(next, policies, draft);
        }
    }

    /**
     * Puts policies that fit the broker in place of lost ones, whatever the journal and the mark have.
     *
     * @throws IOException if they or their mark could not be stored
     */
    void restore(PolicySet policies, ChangeOrigin origin) throws IOException {
        StoredPolicies next = stored(policies, origin);
        try (PolicyMark.Draft draft = mark.draftOverAny(content(next))) {
            store(next, policies, draft);
        }
    }

    /** Returns the greatest version that the journal or the mark names, as far as they can be read; else 0. */
    long lastVersion() {
        return LongStream.of(
                        versionOf(() -> journal.read().map(StoredPolicies::version)),
                        versionOf(() -> mark.read().map(PolicyMark.Content::version)),
                        former().stream()
                                .mapToLong(PolicyJournal.Former::version)
                                .max()
                                .orElse(0))
                .max()
                .orElse(0);
    }

    /** Returns the former sets of policies, the newest first. */
    List<PolicyJournal.Former> former() {
        return journal.former().stream()
                .filter(set -> last == null || set.version() != last.version()) // of a failed change
                .toList();
    }

    /**
     * Returns the document of the former set with this version; empty if there is none.
     *
     * @throws DamagedPoliciesException if it is not as it was written
     */
    Optional<String> former(long version) throws IOException {
        return journal.former(version).map(StoredPolicies::text);
    }

    private interface Versioned {
        Optional<Long> version() throws IOException;
    }

    private static long versionOf(Versioned store) {
        try {
            return store.version().orElse(0L);
        } catch (IOException lost) {
            return 0;
        }
    }

    private static StoredPolicies stored(PolicySet policies, ChangeOrigin origin) {
        return new StoredPolicies(policies.version(), PolicyFile.format(policies), origin);
    }

    /**
     * Stores policies. If their mark fails to get its name after that, they are in force, and the next look repeats it.
     */
    private void store(StoredPolicies next, PolicySet policies, PolicyMark.Draft draft) throws IOException {
        journal.write(next);
        last = policies;
        origin = next.origin();
        fits = true;
        unwritten = content(next);
        try {
            draft.publish();
            unwritten = null;
        } catch (IOException e) {
            PluginLog.LOG.error("{}", String.valueOf(e.getMessage()));
        }
    }
}
