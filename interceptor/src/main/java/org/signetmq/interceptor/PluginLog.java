/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The logger of the plugin. All its lines carry one name, so that one setting of the broker shows or hides them. */
final class PluginLog {
    static final Logger LOG = LoggerFactory.getLogger("org.signetmq.interceptor.SignetPlugin");

    private PluginLog() {}
}
