/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.status;

/** The treatment of large messages on protected addresses. */
public enum LargeMessageMode {
    /** They are sealed on their way into their file. */
    PROTECTED,
    /** They are rejected, for the broker writes them where they cannot be sealed. */
    REFUSED
}
