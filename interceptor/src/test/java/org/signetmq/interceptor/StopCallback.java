/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import org.apache.activemq.artemis.core.server.ActivateCallback;

/** The callback that the broker calls when it begins to stop, before it closes connections. */
public final class StopCallback {
    private StopCallback() {}

    @SuppressWarnings("unchecked")
    public static void run(TestBroker broker) throws Exception {
        var field = broker.server().getClass().getDeclaredField("activateCallbacks");
        field.setAccessible(true);
        for (ActivateCallback callback : (Iterable<ActivateCallback>) field.get(broker.server())) {
            callback.stop(broker.server());
        }
    }
}
