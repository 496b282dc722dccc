/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.home;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.SignedPolicies;
import org.signetmq.interceptor.internal.audit.AuditLog;
import org.signetmq.interceptor.internal.audit.AuditLog.Author;
import org.signetmq.interceptor.internal.log.PluginLog;
import org.signetmq.interceptor.internal.store.ChangeOrigin;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrintableText;
import org.signetmq.keystore.file.FileStamp;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.PolicyCertificates;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.PolicyProblem;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.file.PolicyFile;

/** The place from which the plugin has its policies: a file of its home, or the broker's journal. Not thread-safe. */
abstract class PolicySource {
    private final Home home;
    private @Nullable FileStamp officerFile;
    private List<X509Certificate> officers = List.of();

    /** The text of the policies that were read last; null before. */
    protected @Nullable String text;

    /** The policies that were read last, which may not fit the broker yet; null before. */
    protected @Nullable PolicySet last;

    /** The reason why changed policies cannot be used; null if they are in use. */
    protected @Nullable String problem;

    /** The origin of the policies in force; null if it is unknown. */
    protected @Nullable ChangeOrigin origin;

    PolicySource(Home home) {
        this.home = home;
    }

    /**
     * Returns the certificates of the officers one of whom must sign the policies; empty if none need to.
     *
     * @throws KeystoreUnusableException if their file cannot be read
     */
    final List<X509Certificate> officers() {
        FileStamp now = FileStamp.of(home.officer());
        if (!now.equals(officerFile)) {
            officers = home.officers();
            officerFile = now;
        }
        return officers;
    }

    /** Returns the failure of policies whose officer is no longer known. */
    final IOException withoutOfficer() {
        return new IOException(
                home.officer() + ": is missing, but an officer had to sign the policies; put the file back");
    }

    /** Rejects a signed set that is not later than the one in force: nobody may put an old one back. */
    static void requireLater(long version, long inForce) {
        if (version <= inForce) {
            throw InvalidPolicyException.of(
                    "version",
                    version + " is not greater than " + inForce + ", which is in force; let the officer sign the"
                            + " policies with a greater version");
        }
    }

    /**
     * Reads the policies if they may have changed.
     *
     * @throws IOException if they cannot be read and none were read before
     * @throws InvalidPolicyException if they are invalid and none were read before
     */
    abstract void look() throws IOException;

    /** Returns whether policies were read. They may not fit the broker yet. */
    final boolean isLoaded() {
        return last != null;
    }

    /** Returns the policies that were read last. */
    final PolicySet current() {
        if (last == null) {
            throw new IllegalStateException("policies: not loaded");
        }
        return last;
    }

    /** Returns a problem with a certificate of the policies. */
    static PolicyProblem problem(String name, String problem) {
        return new PolicyProblem("certificates." + PrintableText.of(name), PrintableText.of(problem));
    }

    /** Keeps the last valid policies of a file. Not thread-safe. */
    static final class FilePolicies extends PolicySource {
        private final Path file;
        private final HomeNames names;
        private final BrokerNaming naming;
        private final AuditLog audit;
        private byte @Nullable [] lastContent;
        private List<X509Certificate> lastOfficers = List.of();

        FilePolicies(HomeNames names, BrokerNaming naming, AuditLog audit) {
            super(names.home());
            this.file = names.home().policies();
            this.names = names;
            this.naming = naming;
            this.audit = audit;
        }

        /**
         * Reads the file again. It compares the whole content, because two edits may have the same time. An unchanged
         * content keeps its policy objects, which are the keys of the data keys in use. An invalid one is tried again
         * each time, because a missing certificate may have arrived.
         *
         * @throws IOException if the file cannot be read and no policies were read before
         * @throws InvalidPolicyException if the policies are invalid and no policies were read before
         */
        @Override
        void look() throws IOException {
            try {
                byte[] content = read();
                List<X509Certificate> officers = officers();
                if (officers.isEmpty() && !lastOfficers.isEmpty()) {
                    throw withoutOfficer();
                }
                if (!Arrays.equals(content, lastContent) || !officers.equals(lastOfficers)) {
                    take(content, SignedPolicies.open(content, officers), !officers.isEmpty());
                    lastOfficers = officers;
                }
                problem = null;
            } catch (IOException | InvalidPolicyException | KeystoreUnusableException e) {
                if (last == null) {
                    throw e;
                }
                String reason = ConfigurationWatcher.reason(e);
                if (!reason.equals(problem)) {
                    PluginLog.LOG.error(
                            "policy file {} cannot be used, version {} stays in force: {}",
                            file,
                            last.version(),
                            reason);
                }
                problem = reason;
            }
        }

        private PolicySet parse(String json) {
            PolicySet read = PolicyFile.parse(json, names.parties());
            List<PolicyProblem> problems = new ArrayList<>();
            PolicyCertificates.of(read.settings().certificates(), names.files().policyCertificates())
                    .problems()
                    .forEach((name, problem) -> problems.add(problem(name, problem)));
            if (!problems.isEmpty()) {
                throw new InvalidPolicyException(PolicyProblem.first(problems));
            }
            return read;
        }

        private void take(byte[] content, SignedPolicies opened, boolean mustGrow) {
            if (Arrays.equals(content, lastContent)) {
                return; // another officer has signed it
            }
            PolicySet before = last;
            PolicySet read = naming.required(parse(opened.json()));
            if (before != null && mustGrow) {
                requireLater(read.version(), before.version());
            }
            last = read;
            text = opened.text();
            lastContent = content;
            if (before != null) {
                audit.policiesChanged(before, read, Author.FILE);
            }
        }

        /** Returns the content of the file, or as much of it as shows that it is too long. */
        private byte[] read() throws IOException {
            try (InputStream in = Files.newInputStream(file)) {
                return in.readNBytes(PolicyFile.LONGEST + 1);
            } catch (NoSuchFileException e) {
                throw new IOException(file + ": does not exist", e);
            } catch (IOException e) {
                throw new IOException(file + ": cannot be read: " + e.getClass().getSimpleName(), e);
            }
        }
    }
}
