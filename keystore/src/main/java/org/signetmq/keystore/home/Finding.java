/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import java.util.List;
import org.signetmq.keystore.PrintableText;
import org.slf4j.Logger;

/**
 * One problem of a home.
 *
 * @param path the file or folder, as text on one line
 * @param what the problem
 * @param mend the command that mends it
 */
public record Finding(String path, String what, String mend) {
    /** Returns the finding on one line. */
    @Override
    public String toString() {
        return path + ": " + what + "; run: " + mend;
    }

    /** Logs the findings that were not there before. */
    public static void warnOfNew(List<Finding> before, List<Finding> now, Logger log) {
        now.stream()
                .filter(finding -> !before.contains(finding))
                .forEach(finding -> log.warn("{}", PrintableText.of(finding.toString())));
    }
}
