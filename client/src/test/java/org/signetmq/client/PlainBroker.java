/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import java.nio.file.Path;

/** A broker without the plugin, which stores as one with the plugin does. */
public final class PlainBroker extends DeadLetterBroker {
    /**
     * Starts it; called by reflection.
     *
     * @param data where the broker writes
     */
    public PlainBroker(Path data) throws Exception {
        super(broker -> broker.storingIn(data));
    }
}
