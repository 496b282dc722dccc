/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

/** A folder that is no broker instance, or one that cannot be changed. */
public class UnusableInstanceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnusableInstanceException(String message) {
        super(message);
    }

    static void unless(boolean usable, String message) {
        if (!usable) {
            throw new UnusableInstanceException(message);
        }
    }
}
