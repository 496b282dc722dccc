/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

/** The treatment of messages to addresses without a policy. */
public enum UnmatchedAddress implements Labelled {
    /** The messages pass unchanged. */
    PASS,
    /** The messages are rejected. */
    REJECT
}
