/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.check;

import java.util.ArrayList;
import java.util.List;
import org.signetmq.interceptor.internal.check.BrokerFinding.Level;

/** Collects the findings of one area, up to a number. Not thread-safe. */
final class Findings {
    /** The greatest number of findings of an area, so that one does not hide the others. */
    static final int MOST = 20;

    private final Area area;
    private final List<BrokerFinding> list = new ArrayList<>();
    private int omitted;
    private boolean omittedWrong;

    Findings(Area area) {
        this.area = area;
    }

    /** Adds a finding that makes the check fail. */
    void wrong(String what, String remedy) {
        add(Level.WRONG, what, remedy);
    }

    /** Adds a finding that does not make the check fail. */
    void warn(String what, String remedy) {
        add(Level.WARNING, what, remedy);
    }

    private void add(Level level, String what, String remedy) {
        if (list.size() < MOST) {
            list.add(new BrokerFinding(area, level, what, remedy));
        } else {
            omitted++;
            omittedWrong |= level == Level.WRONG;
        }
    }

    /** Returns the findings. The last one gives the number of those that are left out. */
    List<BrokerFinding> list() {
        List<BrokerFinding> all = new ArrayList<>(list);
        if (omitted > 0) {
            all.add(new BrokerFinding(
                    area,
                    omittedWrong ? Level.WRONG : Level.WARNING,
                    omitted + " more are not listed",
                    "correct the listed ones first, and check again"));
        }
        return all;
    }
}
