/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import org.jspecify.annotations.Nullable;

/** The attributes and operations of the plugin in the broker's management. */
public interface SignetControlMBean {
    /** Returns the version of Signet. */
    String getVersion();

    /**
     * Returns READY, DEGRADED or FAILED. DEGRADED says that some messages are rejected, or that the changed policy file
     * cannot be used.
     */
    String getState();

    /** Returns the reason why the state is not READY, or null. */
    @Nullable
    String getReason();

    /** Returns the version of the policies in force; 0 if there are none. */
    long getPolicyVersion();

    /** Returns the policies in force as the text of a policy file, or null. */
    @Nullable
    String getPolicies();

    /** Returns the reason why the changed policy file cannot be used, or null. */
    @Nullable
    String getPolicyProblem();

    /**
     * Returns the problems of policies in force, at most a thousand. Each has three texts: the pattern of the policy,
     * the problem, the remedy.
     */
    String[][] getPolicyFindings();

    /** Returns the number of names in the home that do not stand for one key, and the first of them; or null. */
    @Nullable
    String getHomeFinding();

    /** Returns the treatment of large messages on protected addresses: PROTECTED or REFUSED. */
    String getLargeMessages();

    /** Returns the reason why large messages are REFUSED, or null. */
    @Nullable
    String getLargeMessagesReason();

    /** Returns the number of messages that were sealed since the plugin was made. */
    long getSealed();

    /** Returns the number of messages that passed unchanged. */
    long getPassed();

    /** Returns the number of messages that were rejected. */
    long getRejected();

    /**
     * Returns the number of clear messages that reached the storage before the broker asked the plugin. The last gate
     * sealed or rejected them.
     */
    long getUnjudged();

    /**
     * Returns the number of messages that waited for a new data key because none was made ahead; see
     * {@code key-pregenerator}.
     */
    long getKeyWaits();
}
