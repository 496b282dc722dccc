/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.filesystem;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.signetmq.perf.rr.Plan;
import org.signetmq.perf.rr.Plan.Timing;
import org.signetmq.perf.setting.Load;
import org.signetmq.perf.setting.Protection;
import org.signetmq.perf.setting.Setting;
import org.signetmq.perf.setting.Setting.Place;
import org.signetmq.perf.setting.Setting.Transport;
import org.signetmq.perf.variant.KeyKind;
import org.signetmq.perf.variant.Reuse;

/** Settings on one kind of disk, each compared with no encryption there. */
enum Comparison {
    /** A directory of the disk that holds temporary files. */
    DIRECTORY,
    /** A file with a file system of its own. */
    IMAGE;

    /** Returns the settings; the first one is the baseline. */
    List<Setting> settings() {
        return switch (this) {
            case DIRECTORY ->
                List.of(
                        none(Disks.PLAIN),
                        none(Disks.GOCRYPTFS),
                        ofSignet().get(0),
                        ofSignet().get(1));
            case IMAGE -> List.of(none(Disks.IMAGE), none(Disks.FSCRYPT));
        };
    }

    private static Setting none(String disk) {
        return Setting.NONE.in(new Place(Transport.TCP, disk));
    }

    /** Returns the setting of Signet whose broker seals. */
    static Setting signet() {
        return signet(Protection.CONFIDENTIALITY);
    }

    /** Returns the settings of Signet: the broker seals, or the clients do. */
    static List<Setting> ofSignet() {
        return List.of(signet(), signet(Protection.CLIENT_CONFIDENTIALITY));
    }

    private static Setting signet(Protection protection) {
        return Setting.of(protection, new Reuse("32"), KeyKind.P256).in(new Place(Transport.TCP, Disks.PLAIN));
    }

    /** Returns the settings with encryption by a file system. */
    static List<Setting> fileSystems() {
        return List.of(none(Disks.GOCRYPTFS), none(Disks.FSCRYPT));
    }

    /** Returns all settings, each baseline before those that are compared with it. */
    static List<Setting> everySetting() {
        return Stream.of(values()).flatMap(of -> of.settings().stream()).toList();
    }

    Setting baseline() {
        return settings().get(0);
    }

    /** Returns the settings that are compared with the baseline. */
    List<Setting> compared() {
        return settings().subList(1, settings().size());
    }

    /** Returns the name of the part that has this comparison. */
    String part(Scenario scenario) {
        return scenario.label() + "." + name().toLowerCase(Locale.ROOT);
    }

    Plan plan(Scenario scenario, List<Load> loads, Timing timing) {
        return new Plan(part(scenario), settings(), loads, timing);
    }

    /** Returns the comparisons of a scenario. Small machines have one, because each takes minutes. */
    static Stream<Comparison> of(Scenario scenario) {
        return scenario.isLimited() ? Stream.of(DIRECTORY) : Stream.of(values());
    }
}
