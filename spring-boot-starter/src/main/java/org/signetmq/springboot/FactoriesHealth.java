/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.springboot;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.signetmq.client.FactoryStatus;

/**
 * The health of the wrapped connection factories. It is up as long as each of them can open messages. Messages that
 * cannot be opened do not change it, because others than the application can send them.
 *
 * @param details for each factory, by the name of its bean
 */
record FactoriesHealth(boolean isUp, Map<String, Map<String, Object>> details) {
    static FactoriesHealth of(SignetFactories factories) {
        Map<String, FactoryStatus> states = factories.status();
        Map<String, Map<String, Object>> details = new LinkedHashMap<>();
        states.forEach((name, status) -> details.put(name, details(status)));
        return new FactoriesHealth(
                states.values().stream().map(FactoryStatus::problem).allMatch(Objects::isNull), details);
    }

    private static Map<String, Object> details(FactoryStatus status) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("policies", status.policies());
        details.put("opened", status.opened());
        details.put("failing", status.failing());
        if (status.problem() != null) {
            details.put("problem", status.problem());
        }
        return details;
    }
}
