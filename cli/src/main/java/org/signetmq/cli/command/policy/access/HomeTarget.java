/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy.access;

import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.CliException;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.PartyCheck;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.file.PolicyFile;

/** The policies in the file of a home. Its certificates judge the names in them. */
final class HomeTarget implements PolicyTarget {
    private final Home home;
    private final PolicyStore store;
    private final Clock clock;

    HomeTarget(Home home, Clock clock) {
        this.home = home;
        this.store = new PolicyStore(home);
        this.clock = clock;
    }

    @Override
    public String name() {
        return home.root().toString();
    }

    @Override
    public PolicyHead head() throws IOException {
        return PolicyHead.of(read());
    }

    @Override
    public PolicySet read() throws IOException {
        return store.read();
    }

    @Override
    public LastChange lastChange() throws IOException {
        return store.lastChange(read().version());
    }

    @Override
    public Explanation explain(String address) throws IOException {
        PolicySet policies = read();
        return Explanation.of(policies.explain(address), policies.recovery());
    }

    @Override
    public Applied apply(PolicyChange change, long seen) throws IOException {
        PartyValidator known = parties();
        PolicySet there = store.read();
        if (change.on(there, known).equals(there) && there.version() == seen) {
            return Applied.nothing(seen); // no file or folder is made for nothing
        }
        return applied(change, seen, store.change(change, seen, known), known).replacing(replaced(change, there));
    }

    @Override
    public Applied restore(PolicySet policies) {
        throw CliException.usage("--restore: only with --broker; a home loses no policies that it would know of");
    }

    @Override
    public Applied judge(PolicyChange change, long seen) throws IOException {
        PartyValidator known = parties();
        PolicySet there = store.read();
        return applied(change, seen, change.on(there, known), known).replacing(replaced(change, there));
    }

    private static @Nullable String replaced(PolicyChange change, PolicySet before) {
        return change instanceof PolicyChange.SetPolicy set
                ? before.named(set.pattern()).map(PolicyFile::format).orElse(null)
                : null;
    }

    @Override
    public List<LastChange> history() {
        throw withoutHistory();
    }

    @Override
    public PolicySet former(long version) {
        throw withoutHistory();
    }

    static CliException withoutHistory() {
        return CliException.usage("--broker: missing; a home keeps no former policies, a broker does");
    }

    private PartyValidator parties() {
        PartyCheck check = new PartyCheck(home.recipientDirectory(), home.certificateTrust());
        return new PartyValidator(check::problemWithRecipient, check::problemWithSigner);
    }

    private Applied applied(PolicyChange change, long before, PolicySet after, PartyValidator known) {
        List<String> warnings = new ArrayList<>();
        if (!change.touched(after).isEmpty()) {
            // the broker judges the file as a whole
            PolicyFile.problems(after, known)
                    .forEach(problem -> warnings.add("another policy will not do: " + problem));
        }
        warnings.addAll(new EndingCertificates(home.recipientDirectory(), clock).warnings(change.readers(after)));
        BrokerSigner.problems(home, change.touched(after), clock.instant())
                .forEach(problem -> warnings.add(problem + "; " + BrokerSigner.REMEDY));
        return new Applied(before, after.version(), warnings);
    }
}
