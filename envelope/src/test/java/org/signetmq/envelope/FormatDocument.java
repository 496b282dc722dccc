/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The fenced blocks of {@code docs/format.md}, by kind. */
public final class FormatDocument {
    private static final Path DOCUMENT = Path.of("..", "docs", "format.md");

    /**
     * A fenced block.
     *
     * @param kind the word behind the fence
     * @param name the rest of the fence's line
     */
    record Block(String kind, String name, List<String> lines) {
        String text() {
            return String.join("\n", lines) + "\n";
        }

        /** The fields of a vector: {@code name: value}, the value going on in indented lines. */
        Map<String, String> fields() {
            Map<String, String> fields = new LinkedHashMap<>();
            String last = "";
            for (String line : lines) {
                if (line.startsWith("  ")) {
                    fields.merge(last, line.strip(), String::concat);
                } else {
                    int colon = line.indexOf(':');
                    last = line.substring(0, colon);
                    fields.put(last, line.substring(colon + 1).strip());
                }
            }
            return fields;
        }
    }

    private final List<Block> blocks = new ArrayList<>();

    static FormatDocument read() throws IOException {
        FormatDocument document = new FormatDocument();
        Block open = null;
        for (String line : Files.readAllLines(DOCUMENT)) {
            if (open == null && line.startsWith("```")) {
                String[] words = line.substring(3).split(" ", 2);
                open = new Block(words[0], words.length > 1 ? words[1] : "", new ArrayList<>());
            } else if (open != null && line.equals("```")) {
                document.blocks.add(open);
                open = null;
            } else if (open != null) {
                open.lines().add(line);
            }
        }
        return document;
    }

    /** The envelope of a vector. */
    public static byte[] envelope(String vector) {
        try {
            return HexFormat.of()
                    .parseHex(read().block("vector", vector).fields().getOrDefault("envelope", ""));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Large messages by name, each as its segments in order: blocks {@code segment NAME NUMBER}. */
    Map<String, List<Block>> largeMessages() {
        Map<String, List<Block>> messages = new LinkedHashMap<>();
        for (Block block : blocks("segment")) {
            String[] words = block.name().split(" ", 2);
            List<Block> segments = messages.computeIfAbsent(words[0], name -> new ArrayList<>());
            segments.add(block);
            if (!words[1].equals(Integer.toString(segments.size()))) {
                throw new IllegalStateException("docs/format.md: segment out of order: " + block.name());
            }
        }
        return messages;
    }

    List<Block> blocks(String kind) {
        return blocks.stream().filter(block -> block.kind().equals(kind)).toList();
    }

    Block block(String kind, String name) {
        return blocks(kind).stream()
                .filter(block -> block.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("docs/format.md: no block " + kind + " " + name));
    }
}
