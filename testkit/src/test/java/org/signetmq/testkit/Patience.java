/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.testkit;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Lets tests wait for minutes: a limit guards against hanging alone, and a busy machine is no failure. JUnit finds it
 * as a service.
 */
public final class Patience implements LauncherSessionListener {
    /** The longest time that a test waits for a state. */
    public static final Duration LIMIT = Duration.ofMinutes(3);

    private static final Duration POLL = Duration.ofMillis(10);

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        Awaitility.setDefaultTimeout(LIMIT);
        Awaitility.setDefaultPollInterval(POLL);
        Awaitility.doNotCatchUncaughtExceptionsByDefault(); // those of threads that earlier tests left
    }
}
