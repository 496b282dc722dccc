/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.mailbox;

import java.util.List;
import java.util.stream.Stream;
import org.signetmq.perf.rr.Plan;
import org.signetmq.perf.rr.Plan.Timing;
import org.signetmq.perf.setting.Load;
import org.signetmq.perf.setting.Protection;
import org.signetmq.perf.setting.Setting;
import org.signetmq.perf.setting.Setting.Place;
import org.signetmq.perf.upload.Uploads;
import org.signetmq.perf.upload.Uploads.Arrival;
import org.signetmq.perf.variant.KeyKind;
import org.signetmq.perf.variant.KeySupply;
import org.signetmq.perf.variant.Reuse;

/**
 * Recipients, pools of keys and uploads that are measured together.
 *
 * @param pools beside {@link KeySupply#OFF}, which all are compared with
 */
record Situation(KeyKind key, int recipients, List<String> pools, List<Uploads> uploads) {
    /** The setting that the published system came with. */
    static final String DEFAULT = KeySupply.pool(4, 100);
    /** The setting that it was tuned to. */
    static final String TUNED = KeySupply.pool(32, 1000);

    /** The recipients at which RSA is most of the work on a file. */
    static final int MANY = 50;

    private static final int UPLOADERS = 8;

    /** All published settings: the default of the later version too, and the tuned threads with it. */
    private static final List<String> PUBLISHED =
            List.of(KeySupply.AUTO, TUNED, DEFAULT, KeySupply.pool(4, 2000), KeySupply.pool(32, 2000));

    private static final List<String> FEW = List.of(KeySupply.AUTO, TUNED);
    private static final List<Uploads> MIXED = Stream.of(Arrival.values())
            .map(arrival -> new Uploads(Uploads.PUBLISHED_PERCENT, arrival))
            .toList();
    private static final List<Uploads> ALL = Stream.concat(
                    MIXED.stream(), Stream.of(100, 0).map(smallPercent -> new Uploads(smallPercent, Arrival.BURSTS)))
            .toList();

    /** Returns those of a first look: keys that cost little in a stream, and keys that cost much in bursts. */
    static List<Situation> few() {
        return List.of(
                new Situation(KeyKind.P256, 1, FEW, MIXED.subList(0, 1)),
                new Situation(KeyKind.RSA2048, MANY, List.of(KeySupply.AUTO, TUNED, DEFAULT), MIXED.subList(1, 2)));
    }

    /**
     * Returns all. Keys for P-256 have one, because they cost little for any number: recipients share a key agreement.
     */
    static List<Situation> all() {
        return List.of(
                new Situation(KeyKind.P256, 1, FEW, MIXED),
                new Situation(KeyKind.RSA2048, 5, FEW, MIXED),
                new Situation(KeyKind.RSA2048, 20, PUBLISHED, MIXED),
                new Situation(KeyKind.RSA2048, MANY, FEW, ALL));
    }

    /** Returns the plan; each file has a data key of its own. */
    Plan plan(Timing timing) {
        Setting usual = Setting.of(Protection.CONFIDENTIALITY, Reuse.NONE, key);
        List<Setting> settings = Stream.concat(Stream.of(KeySupply.OFF), pools.stream())
                .map(pool -> usual.in(Place.with(new KeySupply(recipients, pool))))
                .toList();
        List<Load> loads = uploads.stream().map(of -> Load.of(UPLOADERS, of)).toList();
        return new Plan(name(), settings, loads, timing);
    }

    /** Returns the name in results, such as {@code p256 x 5}. */
    String name() {
        return key.label() + " x " + recipients;
    }
}
