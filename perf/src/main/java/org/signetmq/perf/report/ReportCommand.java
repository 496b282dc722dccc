/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.signetmq.perf.report.Document.Pictures;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code signet perf report}. */
@Command(
        name = "report",
        description = {
            "Writes measured figures into a Markdown document: gain and price, missed bars, every row.",
            "Files of the same experiment are its runs, in this order, and stand side by side."
        },
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  signet perf report docs/measured --charts docs/charts --out docs/performance.md",
            "  signet perf report figure-1.json figure-1-2.json --out figure-1.md"
        })
public final class ReportCommand implements Callable<Integer> {
    private static final String NOTES = "notes.md";

    @Parameters(
            arity = "1..*",
            paramLabel = "FILE",
            description = "What a command of `signet perf` wrote with --json, or a folder of such files. Of a folder"
                    + " all files *.json are taken, by name: figure-1.json before figure-1-2.json. A file "
                    + NOTES + " there stands in front of the experiments.")
    private List<Path> paths = List.of();

    @Option(names = "--charts", paramLabel = "DIR", description = "Draw charts there, and show them in the document.")
    private @Nullable Path charts;

    @Option(names = "--out", required = true, paramLabel = "FILE", description = "The document; replaced.")
    private Path out = Path.of("performance.md");

    private ReportCommand() {}

    @Override
    public Integer call() throws IOException {
        List<String> notes = new ArrayList<>();
        for (Path path : paths) {
            Path file = path.resolve(NOTES);
            if (Files.exists(file)) {
                notes.add(Files.readString(file));
            }
        }
        Document document = new Document(MeasuredFile.read(paths), notes, new Pictures(charts, link()));
        Files.writeString(out, document.write());
        return 0;
    }

    /** Returns the folder of the charts as a reader of the document finds it. */
    private String link() {
        if (charts == null) {
            return "";
        }
        Path document = out.toAbsolutePath().normalize().resolveSibling(".").normalize();
        return document.relativize(charts.toAbsolutePath().normalize()).toString();
    }
}
