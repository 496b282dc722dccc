/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A recorded terminal session: command lines with all that they print. A run repeats the command lines and records
 * anew.
 *
 * <p>Lines that begin with {@code $ signet} are run; {@code $ NAME=VALUE} sets a variable of the environment, {@code $
 * write FILE TEXT} writes a file for its owner alone, {@code $ show FILE} prints one, {@code $ delete FILE} removes it,
 * {@code $ input TEXT} is standard input from there on. A {@code \n} in a text is a line break.
 */
final class Transcript {
    private final Path folder;
    private final Map<String, String> replaced = new TreeMap<>();
    private final StringBuilder recorded = new StringBuilder();
    private final CliRun signet;

    Transcript(Path folder) {
        this.folder = folder;
        this.signet = new CliRun(folder);
        replaced.put(folder.toString(), "DIR");
    }

    /** Has a text that differs from run to run stand in the transcript as a word. */
    Transcript with(String text, String word) {
        replaced.put(text, word);
        return this;
    }

    static String recorded(String name) throws IOException {
        try (InputStream in = Transcript.class.getResourceAsStream("/org/signetmq/cli/transcripts/" + name + ".txt")) {
            if (in == null) {
                throw new IOException("transcript: none is named " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Repeats the command lines of a transcript; what is recorded is kept in {@code target/transcripts}, too. */
    String repeated(String name) throws IOException {
        for (String line :
                recorded(name).lines().filter(text -> text.startsWith("$ ")).toList()) {
            recorded.append(line).append('\n');
            run(line.substring(2));
        }
        Path file = Path.of("target/transcripts", name + ".txt");
        Files.createDirectories(file.getParent());
        Files.writeString(file, recorded);
        return recorded.toString();
    }

    private void run(String line) throws IOException {
        String[] words = line.split(" ", 3);
        switch (words[0]) {
            case "signet" -> runCommand(arguments(line.substring("signet".length())));
            case "input" -> signet.input(text(line.substring("input ".length())).getBytes(StandardCharsets.UTF_8));
            case "delete" -> Files.delete(folder.resolve(words[1]));
            case "show" -> print("", Files.readString(folder.resolve(words[1])));
            case "write" -> {
                Path file = folder.resolve(words[1]);
                Files.createDirectories(file.getParent());
                Files.writeString(file, text(words.length < 3 ? "" : words[2]));
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
            }
            default -> signet.environment(words[0].split("=", 2)[0], original(words[0].split("=", 2)[1]));
        }
    }

    private static String text(String escaped) {
        return escaped.replace("\\n", "\n");
    }

    private void runCommand(List<String> arguments) {
        CliRun.Result result = signet.run(arguments.toArray(String[]::new));
        print("", result.out());
        print("! ", result.err());
        if (result.exitCode() != 0) {
            recorded.append("exit code ").append(result.exitCode()).append('\n');
        }
    }

    private void print(String prefix, String text) {
        masked(text)
                .lines()
                .forEach(line -> recorded.append(prefix).append(line).append('\n'));
    }

    /** Words between blanks; single quotes hold words together. */
    private List<String> arguments(String line) {
        List<String> arguments = new ArrayList<>();
        String[] parts = line.split("'", -1);
        for (int i = 0; i < parts.length; i++) {
            if (i % 2 == 1) {
                arguments.add(original(parts[i]));
            } else if (!parts[i].isBlank()) {
                arguments.addAll(List.of(original(parts[i].strip()).split(" +")));
            }
        }
        return arguments;
    }

    private String original(String masked) {
        String text = masked;
        for (Map.Entry<String, String> entry : replaced.entrySet()) {
            text = text.replace(entry.getValue(), entry.getKey());
        }
        return text;
    }

    private String masked(String printed) {
        String text = printed;
        for (Map.Entry<String, String> entry : replaced.entrySet()) {
            text = text.replace(entry.getKey(), entry.getValue());
        }
        return text.replaceAll("ski:[0-9a-f]{40}", "ski:KEY-ID")
                .replaceAll("\\b[0-9a-f]{40}\\b", "KEY-ID")
                .replaceAll("\\b[0-9a-f]{64}\\b", "SHA-256")
                .replaceAll("(serial[- ]number\\W+)[0-9a-f]+", "$1SERIAL")
                .replaceAll("(serial=)[0-9a-f]+", "$1SERIAL")
                .replaceAll("(?m)(^length +|\"length\" : )[0-9]+", "$1LENGTH")
                .replaceAll("(?s)(-----BEGIN .*?-----\n).*?(\n-----END)", "$1PEM$2")
                .replaceAll("(key[- ]waits\\W+)[0-9]+", "$1COUNT")
                .replaceAll("(from 127.0.0.1:)[0-9]+", "$1PORT")
                .replaceAll("(, Artemis |\"version\" : \")[0-9]+[.][0-9.]+", "$1VERSION")
                .replaceAll("(lib/.* added).*", "$1")
                .replaceAll("ID:[0-9a-f-]{36}", "MESSAGE-ID")
                .replaceAll("\\b20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z", "TIME");
    }
}
