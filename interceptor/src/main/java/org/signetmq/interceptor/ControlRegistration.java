/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import java.lang.reflect.Method;
import javax.management.ObjectName;
import org.apache.activemq.artemis.core.server.management.ManagementService;

/**
 * Registers the plugin's control in the broker's management, and removes it again. Brokers before 2.53 have no call
 * that registers a control of a plugin. For them the registration uses methods of the broker that later versions
 * removed, by reflection.
 */
final class ControlRegistration {
    private static final String RESOURCE = "signet";

    private final ManagementService management;
    private final ObjectName name;

    private ControlRegistration(ManagementService management, ObjectName name) {
        this.management = management;
        this.name = name;
    }

    static ControlRegistration register(ManagementService management, SignetControl control) throws Exception {
        ObjectName name = new ObjectName(
                management.getObjectNameBuilder().getActiveMQServerObjectName() + ",component=" + RESOURCE);
        if (hasUntypedControls(management)) {
            management.registerUntypedControl(RESOURCE, control, name);
        } else {
            method(management, "registerInJMX", ObjectName.class, Object.class).invoke(management, name, control);
            method(management, "registerInRegistry", String.class, Object.class).invoke(management, RESOURCE, control);
        }
        return new ControlRegistration(management, name);
    }

    void unregister() throws Exception {
        if (hasUntypedControls(management)) {
            management.unregisterUntypedControl(RESOURCE, name);
        } else {
            method(management, "unregisterFromJMX", ObjectName.class).invoke(management, name);
            method(management, "unregisterFromRegistry", String.class).invoke(management, RESOURCE);
        }
    }

    private static boolean hasUntypedControls(ManagementService management) {
        try {
            method(management, "registerUntypedControl", String.class, Object.class, ObjectName.class);
            return true;
        } catch (NoSuchMethodException e) {
            return false;
        }
    }

    private static Method method(ManagementService management, String name, Class<?>... parameters)
            throws NoSuchMethodException {
        return management.getClass().getMethod(name, parameters);
    }
}
