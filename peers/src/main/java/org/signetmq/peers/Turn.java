/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.peers;

/** Says when a new key is due: before the first use, and after every so many. */
final class Turn {
    private final long uses;
    private long left;

    Turn(long uses) {
        this.uses = uses;
    }

    boolean isDue() {
        boolean due = left == 0;
        left = (due ? uses : left) - 1;
        return due;
    }
}
