/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.mq;

/** Thrown for a statement that cannot be taken. The message is the reason and the remedy. */
final class MqRefusal extends Exception {
    private static final long serialVersionUID = 1L;

    MqRefusal(String reason) {
        super(reason, null, false, false);
    }

    String reason() {
        return String.valueOf(getMessage());
    }
}
