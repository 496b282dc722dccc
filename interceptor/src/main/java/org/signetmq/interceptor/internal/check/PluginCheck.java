/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.check;

import org.signetmq.interceptor.internal.home.PolicyFinding;
import org.signetmq.interceptor.internal.home.Readiness;
import org.signetmq.interceptor.internal.status.PluginStatus;
import org.signetmq.interceptor.internal.status.PluginStatus.LargeMessages.Mode;

/**
 * Checks the state of the plugin.
 *
 * @param status the state and the counts
 * @param readiness the home and the policies
 */
record PluginCheck(PluginStatus status, Readiness readiness) {
    /** The least number of waits that matters. The plugin waits at its start and after changes, too. */
    private static final long MANY_WAITS = 1000;

    /** The number of sealed messages for each one that may wait. */
    private static final long ONE_IN = 10;

    /** Checks that the plugin can protect messages. */
    void state(Findings found) {
        if (readiness instanceof Readiness.Unavailable unavailable) {
            found.wrong(
                    "messages are rejected: " + unavailable.reason(),
                    "correct this; the plugin sees changed files within a second, but reads broker.xml only at the start"
                            + " of the broker");
        }
        long unjudged = status.counts().unjudged();
        if (unjudged > 0) {
            found.warn(
                    unjudged + (unjudged == 1 ? " message" : " messages")
                            + " came by a way on which Artemis calls no plugin; Signet judged at the storage",
                    "if no federation has ignoreAddressBindingFilters=false, report this with the log lines 'message not"
                            + " judged'");
        }
    }

    /** Checks that each policy can be applied. */
    void policies(Findings found) {
        String problem = status.policies().problem();
        if (problem != null) {
            found.wrong(
                    "the changed policies are not in force: " + problem,
                    "correct policies.json in the home of the broker");
        }
        for (PolicyFinding finding : status.policies().findings()) {
            String what = Shown.name(finding.pattern()) + ": " + finding.problem();
            if (finding.isFailure()) {
                found.wrong(what, finding.remedy());
            } else {
                found.warn(what, finding.remedy());
            }
        }
    }

    /** Checks that each name in the home stands for one key. */
    void home(Findings found) {
        if (readiness instanceof Readiness.Ready ready) {
            ready.home()
                    .names()
                    .finding(ready.policies())
                    .ifPresent(finding -> found.wrong(
                            "names in certificates do not stand for one key: " + finding,
                            "run signet doctor home on the machine of the broker, and follow its commands"));
        }
    }

    /** Checks that keys are ready when messages need them. */
    void keys(Findings found) {
        long waits = status.counts().keyWaits();
        if (waits >= MANY_WAITS && waits >= status.counts().sealed() / ONE_IN) {
            found.warn(
                    waits + " messages waited for a data key, of "
                            + status.counts().sealed() + " sealed ones",
                    "set a larger key-pregenerator.capacity, give the broker more cores, or set a larger --key-reuse"
                            + " for policies of confidentiality");
        }
    }

    /** Checks that large messages can be protected. */
    void largeMessages(Findings found) {
        if (status.largeMessages().mode() == Mode.REFUSED && readiness instanceof Readiness.Ready) {
            found.wrong(
                    "large messages to protected addresses are rejected: "
                            + status.largeMessages().reason(),
                    "set persistence-enabled to true if it is false, or use a version of Artemis that Signet knows");
        }
    }
}
