/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.demo;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The payloads of a run, and a search for them in the files of a broker. Each payload has a {@code marker = run address
 * message}, so that a search for the run finds every payload, and knows which.
 */
final class Payloads {
    private static final String FILLER = "{\"article\":\"4711\",\"amount\":1,\"price\":\"12.50\"},".repeat(18) + "{}";

    private final String run = "CLEAR" + UUID.randomUUID() + "-"; // in all payloads of a run, and nowhere else
    private final Pattern marker = Pattern.compile(run + "([a-z.]+)([0-9]{7})");
    private final Map<String, BitSet> found = new HashMap<>();

    /** Returns the first payloads of a lane. */
    List<String> of(Lane lane, int messages) {
        return IntStream.range(0, messages)
                .mapToObj(message -> payload(lane, message))
                .toList();
    }

    /** The payload of a message: about one kilobyte of text, unlike every other. */
    String payload(Lane lane, int message) {
        return String.format(
                Locale.ROOT,
                "{\"order\":%1$d,\"marker\":\"%2$s%3$s%1$07d\",\"customer\":\"Zoë\",\"lines\":[%4$s]}",
                message,
                run,
                lane.address(),
                FILLER);
    }

    /** Searches all files below a folder, keeps earlier findings, and returns the lengths of the files. */
    LongSummaryStatistics search(Path folder) throws IOException {
        LongSummaryStatistics lengths = new LongSummaryStatistics();
        searchBelow(folder, lengths);
        return lengths;
    }

    private void searchBelow(Path path, LongSummaryStatistics lengths) throws IOException {
        try {
            if (Files.isDirectory(path)) {
                try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
                    for (Path entry : entries) {
                        searchBelow(entry, lengths);
                    }
                }
            } else {
                byte[] content = Files.readAllBytes(path);
                lengths.accept(content.length);
                searchBytes(content);
            }
        } catch (NoSuchFileException e) {
            // a running broker has deleted it; any other failure would leave a part unsearched
        }
    }

    /** UTF-8 has the characters side by side; UTF-16 of either byte order a zero between them. */
    void searchBytes(byte[] content) {
        for (byte[] characters : List.of(content, everySecond(content, 0), everySecond(content, 1))) {
            Matcher matcher = marker.matcher(new String(characters, StandardCharsets.ISO_8859_1));
            while (matcher.find()) {
                found.computeIfAbsent(matcher.group(1), address -> new BitSet())
                        .set(Integer.parseInt(matcher.group(2)));
            }
        }
    }

    private static byte[] everySecond(byte[] content, int first) {
        byte[] taken = new byte[(content.length + 1 - first) / 2];
        for (int i = 0; i < taken.length; i++) {
            taken[i] = content[first + 2 * i];
        }
        return taken;
    }

    /** Returns the number of different messages of a lane that were found. */
    int found(Lane lane) {
        return found.getOrDefault(lane.address(), new BitSet()).cardinality();
    }
}
