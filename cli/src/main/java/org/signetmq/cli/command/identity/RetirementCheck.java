/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.identity;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.signetmq.cli.command.keys.HomeKeys;
import org.signetmq.cli.command.keys.KeyUses;

/**
 * Finds the reasons why a key must stay: messages on a broker that need it, or that the broker cannot judge.
 *
 * @param party the identity
 * @param keyId at least 16 hex digits of the key id
 * @param names the names that envelopes have for the key, by the certificates of the home; empty if it has none
 * @param home the keys that the home knows
 */
record RetirementCheck(String party, String keyId, Set<String> names, HomeKeys home) {
    /** The greatest number of queues that are named. */
    private static final int MOST_QUEUES = 20;

    private static final String KEY_IDENTIFIER = "ski:";

    RetirementCheck {
        names = Set.copyOf(names);
    }

    static RetirementCheck of(String party, String keyId, HomeKeys home) {
        return new RetirementCheck(party, keyId, home.namesOf(party, keyId), home);
    }

    private boolean isMeant(String name) {
        return names.contains(name) || name.startsWith(KEY_IDENTIFIER + keyId);
    }

    /** Tells whether a name may be one of the key, because it is that of no other key that the home knows. */
    private boolean mayBeMeant(String name) {
        return home.named(name).stream().allMatch(known -> known.keyId().startsWith(keyId));
    }

    /** Returns one line for each reason; empty if no message needs the key. */
    List<String> reasons(KeyUses uses) {
        List<String> reasons = new ArrayList<>();
        int queues = 0;
        for (KeyUses.Key key : uses.keys()) {
            if (isMeant(key.name())) {
                String why = key.isSigner() ? " signed with it" : " encrypted for it";
                for (KeyUses.Row row : key.queues()) {
                    if (++queues <= MOST_QUEUES) {
                        reasons.add("address " + row.address() + ", queue " + row.queue() + ": "
                                + count(row.messages().messages()) + why + oldest(row.messages()));
                    }
                }
                if (key.elsewhere() > 0) {
                    reasons.add("other queues: " + count(key.elsewhere()) + why);
                }
            }
        }
        if (queues > MOST_QUEUES) {
            reasons.add((queues - MOST_QUEUES) + " further queues");
        }
        addUnknown(uses, reasons);
        return reasons;
    }

    private void addUnknown(KeyUses uses, List<String> reasons) {
        KeyUses.Totals totals = uses.totals();
        if (!uses.isComplete() || totals.notUnderstood() > 0) {
            reasons.add("not proven for " + count(totals.notLookedAt() + totals.unreadable() + totals.notUnderstood())
                    + ": " + totals.notLookedAt() + " not looked at, " + totals.unreadable() + " unreadable, "
                    + totals.notUnderstood() + " not understood; signet doctor keys names their queues");
        }
        if (names.isEmpty()) { // then the home does not know the names of the key
            addNameless(uses, reasons);
        }
    }

    private void addNameless(KeyUses uses, List<String> reasons) {
        long unknown = uses.keys().stream()
                .filter(key -> !key.isSigner() && !isMeant(key.name()) && mayBeMeant(key.name()))
                .mapToLong(key -> key.all().messages())
                .sum();
        if (unknown > 0) {
            reasons.add("not proven for " + count(unknown)
                    + " encrypted for keys that the home does not know: it has no certificate of the key, so any of"
                    + " them may be its own");
        }
        if (uses.others().messages() > 0) {
            reasons.add("not proven for " + count(uses.others().messages())
                    + " with keys beyond the limit: the home has no certificate of the key");
        }
    }

    private static String oldest(KeyUses.Count messages) {
        return messages.oldest() == null ? "" : ", the oldest of " + messages.oldest();
    }

    private static String count(long messages) {
        return messages + (messages == 1 ? " message" : " messages");
    }
}
