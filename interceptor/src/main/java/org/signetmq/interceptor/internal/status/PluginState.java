/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.status;

/** Whether the plugin can protect messages. */
public enum PluginState {
    /** Keys and policies are loaded, and each policy can be applied. */
    READY,
    /** Some messages are rejected, or the policy file as it is now was not taken; all others are protected. */
    DEGRADED,
    /** They are not: every send to an address that is not excluded is rejected. */
    FAILED
}
