/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

/** Whether the plugin can protect messages. */
public enum PluginState {
    /** Keys and policies are loaded. */
    READY,
    /** They are not: every send to an address that is not excluded is refused. */
    FAILED
}
