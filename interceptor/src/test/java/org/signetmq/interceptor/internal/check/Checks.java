/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.check;

import java.util.List;
import java.util.Map;

/** Runs single checks. */
final class Checks {
    private Checks() {}

    static List<BrokerFinding> found(Area area, Check check) {
        return BrokerCheck.findings(Map.of(area, check)).getOrDefault(area, List.of());
    }
}
