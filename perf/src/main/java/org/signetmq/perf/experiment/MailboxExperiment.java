/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.experiment;

import static org.signetmq.perf.experiment.Experiment.joined;
import static org.signetmq.perf.result.Bar.atLeast;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.signetmq.perf.pair.Load;
import org.signetmq.perf.pair.Part;
import org.signetmq.perf.pair.Part.Timing;
import org.signetmq.perf.pair.Setting;
import org.signetmq.perf.pair.Setting.KeyKind;
import org.signetmq.perf.pair.Setting.Protection;
import org.signetmq.perf.result.Bar;
import org.signetmq.perf.result.Chart;
import org.signetmq.perf.result.Pick;
import org.signetmq.perf.result.Published;

/**
 * Uploads of files through a broker, with data keys made ahead and without. The broker seals each file under a key of
 * its own, for 1 to 50 recipients.
 */
final class MailboxExperiment {
    /** The setting that the published system came with, and the one that it was tuned to. */
    private static final String DEFAULT = "4-100";

    private static final String TUNED = "32-1000";
    private static final double PUBLISHED_GAIN = 175.0 / 140; // files a second
    private static final int UPLOADERS = 8;
    private static final Timing TIMING = new Timing(8, 0.8, 4);
    private static final Load STREAM = Load.ofUploads(UPLOADERS, 80, false);
    private static final Load BURSTS = Load.ofUploads(UPLOADERS, 80, true);

    static final Experiment MAILBOX = mailbox();

    private MailboxExperiment() {}

    private static Setting setting(KeyKind key, int recipients, String pool) {
        return Setting.of(Protection.CONFIDENTIALITY, "0", key).withKeys(recipients, pool);
    }

    private static Part part(KeyKind key, int recipients, List<String> pools, List<Load> loads) {
        List<Setting> settings = joined(List.of(Setting.OFF), pools).stream()
                .map(pool -> setting(key, recipients, pool))
                .toList();
        return new Part(key.label() + " x " + recipients, settings, loads, TIMING);
    }

    private static Pick share(KeyKind key, int recipients, String pool, Load load) {
        return Pick.of("share", "setting", setting(key, recipients, pool).label(), "load", load.label());
    }

    private static Experiment mailbox() {
        List<String> few = List.of(Setting.AUTO, TUNED);
        List<String> all = List.of(Setting.AUTO, TUNED, DEFAULT, "4-2000", "32-2000");
        List<Load> mixed = List.of(STREAM, BURSTS);
        List<Load> mixes =
                List.of(STREAM, BURSTS, Load.ofUploads(UPLOADERS, 100, true), Load.ofUploads(UPLOADERS, 0, true));
        List<Bar> bars = new ArrayList<>();
        for (Load load : mixed) {
            String ahead = ", " + load.label() + ": keys ahead / none";
            bars.add(atLeast(0.95, "one P-256 recipient" + ahead, share(KeyKind.P256, 1, Setting.AUTO, load)));
            bars.add(atLeast(0.95, "5 RSA recipients" + ahead, share(KeyKind.RSA2048, 5, Setting.AUTO, load)));
            bars.add(atLeast(0.95, "20 RSA recipients" + ahead, share(KeyKind.RSA2048, 20, Setting.AUTO, load)));
        }
        Pick fifty = share(KeyKind.RSA2048, 50, Setting.AUTO, BURSTS);
        bars.add(atLeast(PUBLISHED_GAIN, "50 RSA recipients, " + BURSTS.label() + ": keys ahead / none", fifty));
        List<Published> published = mixed.stream()
                .map(load -> new Published(
                        "Global Mailbox: files a second, tuned pool of keys / default, " + load.label(),
                        PUBLISHED_GAIN,
                        share(KeyKind.RSA2048, 20, TUNED, load).over(share(KeyKind.RSA2048, 20, DEFAULT, load)),
                        share(KeyKind.RSA2048, 20, Setting.AUTO, load).over(share(KeyKind.RSA2048, 20, DEFAULT, load))))
                .toList();
        String title = "Files per second relative to no keys ahead, 20 RSA-2048 recipients";
        return new Experiment(
                "mailbox",
                "Files to mailboxes, with data keys made ahead and without",
                "IBM Sterling B2B Integrator, Global Mailbox 6.1: key pre-generation for small files, December 2022.",
                Experiment.parts(
                        List.of(
                                part(KeyKind.P256, 1, few, mixed),
                                part(KeyKind.RSA2048, 5, few, mixed),
                                part(KeyKind.RSA2048, 20, all, mixed),
                                part(KeyKind.RSA2048, 50, few, mixes)),
                        List.of(
                                part(KeyKind.P256, 1, few, List.of(STREAM)),
                                part(KeyKind.RSA2048, 20, all.subList(0, 3), List.of(BURSTS)))),
                bars,
                published,
                new Chart(title, Chart.Kind.BARS, Map.of("part", "rsa2048 x 20"), "load", "share", List.of()));
    }
}
