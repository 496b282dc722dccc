/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.backlog;

/** The protection of a message that lies in a queue, seen from the policies after a change. */
enum MessageState {
    /** The message is no envelope. */
    CLEAR,
    /** The message is sealed as the policy requires. */
    AS_REQUIRED,
    /** The message is sealed, but not as the policy requires, or there is no policy. */
    OTHERWISE,
    /** The message cannot be read. */
    UNREADABLE
}
