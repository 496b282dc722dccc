/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.identity;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.signetmq.cli.command.keys.HomeKeys;
import org.signetmq.cli.command.keys.KeyUses;

/**
 * The reasons why a key must stay: messages on a broker that need it, or messages about which the broker cannot tell.
 *
 * @param party the identity
 * @param keyId at least 16 hex digits of the key id
 * @param names the names that envelopes have for the key, by the certificates of the home
 */
record KeyNeeds(String party, String keyId, Set<String> names) {
    /** The greatest number of queues that are named. */
    private static final int MOST_QUEUES = 20;

    private static final String KEY_IDENTIFIER = "ski:";

    KeyNeeds {
        names = Set.copyOf(names);
    }

    static KeyNeeds of(String party, String keyId, HomeKeys home) {
        Set<String> names = new LinkedHashSet<>(home.namesOf(party, keyId));
        return new KeyNeeds(party, keyId, names);
    }

    private boolean isMeant(String name) {
        return names.contains(name) || name.startsWith(KEY_IDENTIFIER + keyId);
    }

    /** Returns one line for each reason; empty if no message needs the key. */
    List<String> in(KeyUses uses) {
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
        if (names.isEmpty() && uses.others().messages() > 0) {
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
