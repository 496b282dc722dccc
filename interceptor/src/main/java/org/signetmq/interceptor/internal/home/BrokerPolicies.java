/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.home;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.SignedPolicies;
import org.signetmq.interceptor.internal.log.PluginLog;
import org.signetmq.interceptor.internal.store.ChangeOrigin;
import org.signetmq.interceptor.internal.store.PolicyJournal;
import org.signetmq.interceptor.internal.store.PolicyJournal.DamagedPoliciesException;
import org.signetmq.interceptor.internal.store.PolicyJournal.StoredPolicies;
import org.signetmq.keystore.KeystoreUnusableException;
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

    /** The officers one of whom signed the policies that were read last; empty if that was not checked. */
    private List<X509Certificate> accepted = List.of();

    /** Whether an officer had to sign the policies, by the mark. */
    private boolean officerMarked;

    /** The mark for the policies in the journal while the file has an earlier one; null if the file is up to date. */
    private PolicyMark.@Nullable Content unwritten;

    /** Makes a source that has not read the journal yet. */
    BrokerPolicies(PolicyJournal journal, PluginSettings settings, BrokerNaming naming) {
        super(settings.home());
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
        requireOfficer();
        if (unwritten != null) {
            mark.replace(unwritten);
            unwritten = null;
        }
        if (!fits) {
            var unused = naming.required(current());
            fits = true;
        }
    }

    /**
     * Checks that an officer signed the policies, if there is one, and notes in the mark that one had to.
     *
     * @throws IOException if the file of the officers is gone
     */
    private void requireOfficer() throws IOException {
        if (lacksOfficer()) {
            throw new IOException(withoutOfficer().getMessage()
                    + "; if no officer signs any more, run signet policy import FILE --restore --broker URL");
        }
        List<X509Certificate> officers = officers();
        if (officers.isEmpty() || officers.equals(accepted)) {
            return;
        }
        if (text == null) {
            throw new IOException(
                    "the broker holds no policies, and " + settings.home().officer()
                            + " asks for policies that an officer signed; run signet policy sign --as OFFICER --broker URL");
        }
        var unused = SignedPolicies.open(text, officers);
        accepted = officers;
        if (!officerMarked) {
            officerMarked = true;
            unwritten = content(current().version(), text);
        }
    }

    /** Tells whether an officer had to sign the policies, but their file is gone. One that cannot be read is there. */
    boolean lacksOfficer() {
        try {
            return officerMarked && officers().isEmpty();
        } catch (KeystoreUnusableException unreadable) {
            return false;
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
        officerMarked = marked.filter(PolicyMark.Content::officer).isPresent();
        PolicySet policies =
                PolicyFile.parse(SignedPolicies.open(found.text(), List.of()).json(), PartyValidator.acceptAll());
        PolicyMark.Content content = content(found.version(), found.text());
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
                && !marked.get().isOf(content)) {
            throw new DamagedPoliciesException(
                    "by " + mark.file() + " other policies of version " + content.version() + " were in force");
        }
        if (!marked.equals(Optional.of(content))) {
            unwritten = content;
        }
        last = policies;
        text = found.text();
        origin = found.origin();
    }

    private PolicyMark.Content content(long version, String document) {
        return PolicyMark.Content.of(version, document).officer(officerMarked);
    }

    /** Takes the policies of a store that never held any: those of the policy file, which it takes over, or none. */
    private void takeFirst() throws IOException {
        Path file = settings.home().policies();
        if (!Files.notExists(file, LinkOption.NOFOLLOW_LINKS)) {
            SignedPolicies opened = SignedPolicies.read(file, officers());
            PolicySet taken = naming.required(PolicyFile.parse(opened.json(), PartyValidator.acceptAll()));
            replace(taken, opened.text(), new ChangeOrigin(null, file.toString(), Instant.now()));
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
     * Puts policies that fit the broker in place of the current ones, on the disk and on the backup. The caller has
     * checked that an officer signed them, if there is one.
     *
     * @param document their text, with its signature if it has one
     * @throws IOException if they or their mark could not be stored; the former policies stay
     */
    void replace(PolicySet policies, String document, ChangeOrigin origin) throws IOException {
        store(policies, document, origin, mark::draft);
    }

    /**
     * Puts policies that fit the broker in place of lost ones, whatever the journal and the mark have.
     *
     * @throws IOException if they or their mark could not be stored
     */
    void restore(PolicySet policies, String document, ChangeOrigin origin) throws IOException {
        store(policies, document, origin, mark::draftOverAny);
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
     * Returns the document of the former set with this version, without a signature; empty if there is none.
     *
     * @throws DamagedPoliciesException if it is not as it was written
     */
    Optional<String> former(long version) throws IOException {
        Optional<StoredPolicies> set = journal.former(version);
        return set.map(former -> SignedPolicies.open(former.text(), List.of()).json());
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

    /**
     * Stores policies. If their mark fails to get its name after that, they are in force, and the next look repeats it.
     */
    private void store(PolicySet policies, String document, ChangeOrigin by, Drafting drafting) throws IOException {
        PolicyMark.Content content = PolicyMark.Content.of(policies.version(), document)
                .officer(!officers().isEmpty());
        try (PolicyMark.Draft draft = drafting.of(content)) {
            journal.write(new StoredPolicies(policies.version(), document, by));
            last = policies;
            text = document;
            origin = by;
            fits = true;
            accepted = officers();
            officerMarked = content.officer();
            unwritten = content;
            try {
                draft.publish();
                unwritten = null;
            } catch (IOException e) {
                PluginLog.LOG.error("{}", String.valueOf(e.getMessage()));
            }
        }
    }

    private interface Drafting {
        PolicyMark.Draft of(PolicyMark.Content content) throws IOException;
    }
}
