/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.signetmq.perf.filesystem.Conditions;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.rr.RowFigure;

/**
 * What readers gain and pay, in five lines. A line is left out if its figures were not measured.
 *
 * @param files all measured files
 */
record Summary(List<MeasuredFile> files) {
    private static final String CONFIDENTIALITY = "confidentiality.32.p256";
    private static final String WITH_RSA = "confidentiality.32.rsa2048";
    private static final String AMS = "ams.confidentiality.32";
    private static final String SHARE = "share_of_none";
    private static final String ADDED = "added_cpu_ms";
    private static final int SOME = 32;
    private static final int MANY = 81;

    /** Returns the lines. */
    List<String> lines() {
        return Stream.of(throughput(), price(), besideAms(), signatures(), fileSystems())
                .flatMap(Optional::stream)
                .toList();
    }

    private Optional<String> throughput() {
        String ours = figure(CONFIDENTIALITY, SOME, SHARE);
        String more = figure(CONFIDENTIALITY, MANY, SHARE);
        String published = figure(CONFIDENTIALITY, MANY, "published_share");
        return when(
                ours + more,
                "**Throughput.** With 32 and 81 clients on one queue, confidentiality keeps "
                        + both(ours, more)
                        + " of the unprotected throughput. The broker seals with P-256 keys, and a data key serves 32"
                        + " messages."
                        + ifMeasured(" With RSA-2048 keys 81 clients keep ", figure(WITH_RSA, MANY, SHARE), ".")
                        + ifMeasured(" IBM published ", published, " for 81 clients."));
    }

    private Optional<String> price() {
        String added = micros(CONFIDENTIALITY);
        String wire = growth("wire_bytes_per_message");
        String journal = growth("disk_bytes_per_message");
        return when(
                added,
                "**Price.** With 81 clients and P-256 keys a round trip costs " + added
                        + " µs more processor time, broker and clients together."
                        + ifMeasured(" With RSA-2048 keys these are ", micros(WITH_RSA), " µs.")
                        + (wire.isEmpty() || journal.isEmpty()
                                ? ""
                                : " A message of 2 KB takes " + wire + " % more bytes on the wire and " + journal
                                        + " % more in the journal. The wire counts both hops, and the hop to the broker"
                                        + " is clear."));
    }

    private Optional<String> besideAms() {
        String share = figure(AMS, MANY, SHARE);
        return when(
                share,
                "**Gain.** A setting in the manner of IBM MQ AMS keeps " + share
                        + " of the unprotected throughput with 81 clients. Its clients seal and open with RSA-2048 keys."
                        + " A round trip costs it " + micros(AMS)
                        + " µs more. Its receivers remember one key, Signet's remember many.");
    }

    private Optional<String> signatures() {
        String privacy = figure("privacy.p256", MANY, SHARE);
        String integrity = figure("integrity.p256", MANY, SHARE);
        return when(
                privacy,
                "**Signatures.** They cost more: with 81 clients privacy keeps " + privacy
                        + (integrity.isEmpty() ? "" : " and integrity " + integrity)
                        + ". The bare primitives alone would leave "
                        + both(
                                figure("privacy.p256", MANY, "limit_of_share"),
                                figure("integrity.p256", MANY, "limit_of_share"))
                        + ".");
    }

    private Optional<String> fileSystems() {
        String signet = worst("confidentiality");
        String fuse = worst("none@gocryptfs");
        return when(
                signet,
                "**Instead of encrypted file systems.** At their worst load, messages of 2 KB lose " + signet
                        + " % of their rate with confidentiality. They lose " + fuse + " % on gocryptfs and "
                        + worst("none@fscrypt") + " % on fscrypt."
                        + (hasSoftwareCipher()
                                ? " The kernel had AES in software alone, which overstates the loss on fscrypt."
                                : "")
                        + " File systems protect stored bytes alone.");
    }

    /** Returns whether a disk was encrypted without instructions of the processor for AES. */
    private boolean hasSoftwareCipher() {
        return files.stream().flatMap(file -> file.list("disks").stream()).anyMatch(Conditions::hasSoftwareCipher);
    }

    private static Optional<String> when(String needed, String line) {
        return needed.isEmpty() ? Optional.empty() : Optional.of(line);
    }

    /** Returns words around a figure; nothing if it was not measured. */
    private static String ifMeasured(String before, String figure, String after) {
        return figure.isEmpty() ? "" : before + figure + after;
    }

    private static String both(String one, String other) {
        return one.isEmpty() || other.isEmpty() ? one + other : one + " and " + other;
    }

    /** Returns a figure on one queue, of all runs. */
    private String figure(String setting, int clients, String field) {
        return span(values(setting, clients, row -> row.number(field)), "%.2f");
    }

    private String micros(String setting) {
        return span(values(setting, MANY, row -> 1_000 * row.number(ADDED)), "%.0f");
    }

    /** Returns how many percent more bytes a message has with confidentiality than without. */
    private String growth(String field) {
        List<Double> percent = new ArrayList<>();
        for (List<Result> run : oneQueue()) {
            values(run, "none", MANY, row -> row.number(field))
                    .forEach(none -> values(run, CONFIDENTIALITY, MANY, row -> 100 * (row.number(field) / none - 1))
                            .forEach(percent::add));
        }
        return span(percent, "%.0f");
    }

    /** Returns the values of rows in which Java hardly compiled, or those of all rows if there are no others. */
    private List<Double> values(String setting, int clients, ToDoubleFunction<Result> figure) {
        List<Double> warm = oneQueue().stream()
                .map(run -> run.stream().filter(RowFigure::isWarm).toList())
                .flatMap(run -> values(run, setting, clients, figure).stream())
                .toList();
        return warm.isEmpty()
                ? oneQueue().stream()
                        .flatMap(run -> values(run, setting, clients, figure).stream())
                        .toList()
                : warm;
    }

    private static List<Double> values(List<Result> run, String setting, int clients, ToDoubleFunction<Result> figure) {
        return run.stream()
                .filter(row -> row.is("setting", setting) && row.is("clients", clients) && row.is("queues", 1))
                .map(figure::applyAsDouble)
                .filter(value -> !value.isNaN())
                .toList();
    }

    /** Returns the runs of figure 1 and of {@code rr}. */
    private List<List<Result>> oneQueue() {
        return files.stream()
                .filter(file -> file.kind().equals("rr")
                        || (file.kind().equals("figure")
                                && file.rows().stream().anyMatch(row -> row.is("study", "figure-1"))))
                .map(MeasuredFile::rows)
                .toList();
    }

    /** Returns the percent that one broker loses with a setting, at its worst load of 2 KB. */
    private String worst(String setting) {
        return span(
                files.stream()
                        .flatMap(file -> file.list("losses").stream())
                        .filter(loss -> loss.is("scenario", "one") && loss.is("size", 2048))
                        .filter(loss -> loss.text("setting").startsWith(setting) && loss.has("worst_percent"))
                        .map(loss -> -loss.number("worst_percent"))
                        .toList(),
                "%.0f");
    }

    /** Returns the least and the most of all runs; one number if they read the same. */
    private static String span(List<Double> values, String format) {
        List<String> sorted = values.stream()
                .sorted()
                .map(value -> String.format(Locale.ROOT, format, value))
                .toList();
        if (sorted.isEmpty()) {
            return "";
        }
        String least = sorted.get(0);
        String most = sorted.get(sorted.size() - 1);
        return least.equals(most) ? least : least + " to " + most;
    }
}
