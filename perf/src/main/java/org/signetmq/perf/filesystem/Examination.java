/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.filesystem;

import java.io.IOException;
import java.util.List;
import org.signetmq.perf.pair.Pair;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.setting.Setting;

/** What is found out about stored messages, one setting after another. */
interface Examination {
    /** The names of all in options and results. */
    List<String> NAMES = List.of(ColdReads.NAME, Coverage.NAME);

    /** Returns the name in options and results. */
    String name();

    /** Returns the settings. */
    List<Setting> settings();

    /** Returns about how long all settings take, in seconds. */
    double seconds();

    /**
     * Examines a setting.
     *
     * @param pair that was just started; the caller closes it
     * @param disks of all pairs
     * @return figures of the setting
     */
    Result of(Setting setting, Pair pair, Disks disks) throws IOException;
}
