/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.figure;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.signetmq.perf.published.PublishedDocument;
import org.signetmq.perf.result.Beside;
import org.signetmq.perf.result.ChartFolder;
import org.signetmq.perf.result.Report;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.result.Target;

/** A study in the document of all measurements, from rows as they stand in JSON. */
public record StudyReport(List<Result> rows) implements Report {
    private static final List<Study> STUDIES = List.of(
            ClientsStudy.SINGLE_QUEUE, ClientsStudy.MANY_QUEUES, new ReuseStudy(), new SizeStudy(), new TlsStudy());

    /**
     * Returns the study that wrote the rows.
     *
     * @throws IllegalArgumentException if no study did
     */
    private Study study() {
        String name = rows.isEmpty() ? "" : rows.get(0).text(StudyRun.STUDY);
        return STUDIES.stream()
                .filter(study -> study.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("file: must be of signet perf figure or tls"));
    }

    /** Returns the title of the section. */
    public String title() {
        return switch (study().name()) {
            case "figure-1" -> "Qualities on one queue";
            case "figure-2" -> "Qualities on 21 queues";
            case "figure-3" -> "Reuse of keys";
            case "figure-4" -> "Sizes at which the speed falls";
            default -> "Protected messages and protected connections";
        };
    }

    /** Returns the document that has the published figures, and how they were read. */
    @Override
    public String source() {
        PublishedDocument document =
                study() instanceof TlsStudy ? PublishedDocument.amsAppliance() : PublishedDocument.ams();
        return document.source() + ". " + document.reading();
    }

    /** Returns the published figures beside ours. */
    @Override
    public List<Beside> beside() {
        return new PublishedBeside(study().withPublished(rows)).all();
    }

    /** Draws our curves and the published ones. */
    @Override
    public void draw(ChartFolder folder) throws IOException {
        study().draw(rows, folder);
    }

    /** Returns the bars for Signet, and the shapes of the published manner. */
    @Override
    public List<Target> targets() {
        return study().targets(rows);
    }

    /** Returns the names of all parts, the unnamed one first. */
    public Stream<String> parts() {
        return rows.stream().map(row -> row.text(Rows.PART)).distinct();
    }

    /** Returns the rows of a part. */
    public List<Result> part(String part) {
        return new Rows(rows).part(part).all();
    }
}
