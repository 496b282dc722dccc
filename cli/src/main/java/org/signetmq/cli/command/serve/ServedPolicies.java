/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.serve;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.command.policy.PolicyStore;
import org.signetmq.keystore.file.FileStamp;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.HomeReader;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;

/**
 * The policies of a home, read again when their file changes. A message in clear passes only if a policy of its address
 * allows it. Policies that cannot be read open no message. Thread-safe.
 */
final class ServedPolicies implements Supplier<PolicySet> {
    private final Home home;
    private final HomeReader files;
    private @Nullable PolicySet known; // guarded by this
    private FileStamp stamp;

    ServedPolicies(Home home, HomeReader files) {
        this.home = home;
        this.files = files;
        this.stamp = FileStamp.of(home.policies());
    }

    @Override
    public synchronized PolicySet get() {
        FileStamp now = FileStamp.of(home.policies());
        PolicySet policies = known;
        if (policies != null && stamp.equals(now)) {
            return policies;
        }
        known = null;
        try {
            PolicySet found = new PolicyStore(home).read();
            files.use(found.settings().certificates());
            policies = PolicySet.of(found.version(), found.settings().with(UnmatchedAddress.REJECT), found.policies());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        known = policies;
        stamp = now;
        return policies;
    }
}
