/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.backlog;

/** The protection of a message that lies in a queue, seen from the policies after a change. */
enum MessageState {
    /** The message is no envelope. */
    CLEAR,
    /** The message is sealed as the policy requires. */
    AS_REQUIRED,
    /**
     * The message is encrypted for the right recipients. Only they can tell whether it is signed inside as the policy
     * requires, because the policy before required something else.
     */
    UNCERTAIN,
    /** The message is sealed, but not as the policy requires, or there is no policy. */
    OTHERWISE,
    /** The message cannot be read. */
    UNREADABLE
}
