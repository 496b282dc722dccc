/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

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
}
