/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.log;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The logger of the plugin. All lines have one logger name, so that one setting of the broker controls them. */
public final class PluginLog {
    public static final Logger LOG = LoggerFactory.getLogger("org.signetmq.interceptor.SignetPlugin");

    private PluginLog() {}
}
