/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import java.util.function.Supplier;
import javax.management.ObjectName;
import org.apache.activemq.artemis.core.server.management.ManagementService;

/** The control as a resource of the broker's management, until closed. */
final class ControlRegistration {
    private static final String RESOURCE = "signet";

    private final ManagementService management;
    private final ObjectName name;

    private ControlRegistration(ManagementService management, ObjectName name) {
        this.management = management;
        this.name = name;
    }

    static ControlRegistration register(ManagementService management, Supplier<PluginStatus> status) throws Exception {
        ObjectName name = new ObjectName(
                management.getObjectNameBuilder().getActiveMQServerObjectName() + ",component=" + RESOURCE);
        management.registerUntypedControl(RESOURCE, new SignetControl(status), name);
        return new ControlRegistration(management, name);
    }

    void unregister() throws Exception {
        management.unregisterUntypedControl(RESOURCE, name);
    }
}
