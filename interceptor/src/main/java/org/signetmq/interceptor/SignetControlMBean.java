/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import org.jspecify.annotations.Nullable;

/** The attributes and operations of the plugin in the broker's management. */
public interface SignetControlMBean {
    /** The version of Signet. */
    String getVersion();

    /**
     * READY, DEGRADED or FAILED. DEGRADED says that some messages are rejected, or that the policy file as it is now
     * was not taken.
     */
    String getState();

    /** Why it is not READY, or null. */
    @Nullable
    String getReason();

    /** The version of the policies in force; 0 if there are none. */
    long getPolicyVersion();

    /** The policies in force as a policy file holds them, or null. */
    @Nullable
    String getPolicies();

    /** Why the policy file as it is now was not taken, or null. */
    @Nullable
    String getPolicyProblem();

    /**
     * Returns the problems of policies in force, at most a thousand. Each has three texts: the pattern of the policy,
     * the problem, the remedy.
     */
    String[][] getPolicyFindings();

    /** How many names in the home do not stand for one key, and the first of them; or null. */
    @Nullable
    String getHomeFinding();

    /** Returns the treatment of large messages on protected addresses: PROTECTED or REFUSED. */
    String getLargeMessages();

    /** Returns the reason why large messages are REFUSED, or null. */
    @Nullable
    String getLargeMessagesReason();

    /** How many messages were sealed since the plugin was made. */
    long getSealed();

    /** How many messages passed as they were. */
    long getPassed();

    /** How many messages were rejected. */
    long getRejected();

    /** How many messages came in clear to the storage without having been judged, and were sealed or rejected there. */
    long getUnjudged();

    /** How often a message waited for its data key because none was made ahead; see {@code key-pregenerator}. */
    long getKeyWaits();
}
