/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.testkit.Run;

/**
 * A recorded terminal session: command lines with all that they print. A run repeats the command lines and records
 * anew.
 *
 * <p>Lines that begin with {@code $ signet}, {@code $ openssl} or {@code $ keytool} are run; {@code $ NAME=VALUE} sets
 * a variable of the environment, {@code $ write FILE TEXT} writes a file for its owner alone, {@code $ show FILE}
 * prints one, {@code $ files FOLDER} lists those in a folder, {@code $ delete FILE} removes one, {@code $ copy FILE
 * TARGET} copies one over another, {@code $ digest FOLDER} prints one of all files in a folder, {@code $ join TARGET
 * FILE...} makes one of several, {@code $ chmod MODE FILE} sets its mode, {@code $ input TEXT} or {@code $ input <
 * FILE} is standard input from there on. {@code $ take WORD REGEX} has the first group of the last match in what the
 * commands printed stand as a word. In a text {@code \n} is a line break.
 */
final class Transcript {
    /** Compiles less: keytool ends soon. */
    private static final String QUICK = "-J-XX:TieredStopAtLevel=1";

    private final Path folder;
    private final Map<String, String> replaced = new TreeMap<>(Comparator.reverseOrder()); // long before short
    private final StringBuilder recorded = new StringBuilder();
    private final StringBuilder printed = new StringBuilder();
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
            case "openssl", "keytool" -> runProgram(arguments(line.replaceFirst("^keytool", "$0 " + QUICK)));
            case "input" ->
                signet.input(
                        words[1].equals("<")
                                ? Files.readAllBytes(folder.resolve(words[2]))
                                : text(line.substring("input ".length())).getBytes(StandardCharsets.UTF_8));
            case "take" -> take(words[1], Pattern.compile(words[2]));
            case "copy" ->
                Files.copy(
                        folder.resolve(original(words[1])),
                        folder.resolve(original(words[2])),
                        StandardCopyOption.REPLACE_EXISTING);
            case "join" ->
                join(folder.resolve(original(words[1])), original(words[2]).split(" "));
            case "chmod" ->
                Files.setPosixFilePermissions(
                        folder.resolve(original(words[2])), PosixFilePermissions.fromString(words[1]));
            case "files" -> files(folder.resolve(words[1]));
            case "digest" -> print("", digest(folder.resolve(words[1])));
            case "delete" -> Files.delete(folder.resolve(original(words[1])));
            case "show" -> print("", Files.readString(folder.resolve(words[1])));
            case "write" -> {
                Path file = folder.resolve(words[1]);
                Files.createDirectories(file.getParent());
                Files.writeString(file, text(words.length < 3 ? "" : words[2]));
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
            }
            default -> signet.environment(words[0].split("=", 2)[0], original(line.split("=", 2)[1]));
        }
    }

    private static String text(String escaped) {
        return escaped.replace("\\n", "\n").replace("\\r", "\r").replace("\\t", "\t");
    }

    private void runProgram(List<String> command) throws IOException {
        Run run = Run.of(folder, command);
        print("", run.out());
        if (run.exitCode() != 0) {
            print("! ", run.err());
            recorded.append("exit code ").append(run.exitCode()).append('\n');
        }
    }

    private void take(String word, Pattern pattern) {
        Matcher found = pattern.matcher(printed);
        String text = "";
        while (found.find()) {
            text = found.group(1);
        }
        assertThat(text).as("%s, by %s in%n%s", word, pattern, printed).isNotEmpty();
        replaced.put(text, word);
    }

    private void join(Path target, String... files) throws IOException {
        StringBuilder text = new StringBuilder();
        for (String file : files) {
            text.append(Files.readString(folder.resolve(file)));
        }
        Files.writeString(target, text);
        Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rw-------"));
    }

    /** Lists the files of a folder with their modes, without locks. */
    private void files(Path of) throws IOException {
        try (Stream<Path> files = Files.walk(of)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                if (!file.toString().endsWith(".lock")) {
                    String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
                    print("", mode + " " + of.relativize(file));
                }
            }
        }
    }

    /** Returns a digest of the files of a folder with their content, without locks. */
    private static String digest(Path of) throws IOException {
        try (Stream<Path> files = Files.walk(of)) {
            StringBuilder content = new StringBuilder();
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                if (!file.toString().endsWith(".lock")) {
                    content.append(of.relativize(file)).append(HexFormat.of().formatHex(Files.readAllBytes(file)));
                }
            }
            return HexFormat.of()
                    .formatHex(CryptoProviders.sha256(content.toString().getBytes(StandardCharsets.UTF_8)));
        }
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
        printed.append(text);
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
        return text.replaceAll("(\\(serial )[0-9a-f]+", "$1SERIAL")
                .replaceAll("ski:[0-9a-f]{40}", "ski:KEY-ID")
                .replaceAll("\\b[0-9a-f]{40}\\b", "KEY-ID")
                .replaceAll("\\b[0-9a-f]{64}\\b", "SHA-256")
                .replaceAll("\\b(?:[0-9A-F]{2}:){31}[0-9A-F]{2}\\b", "FINGERPRINT")
                .replaceAll("\\b[0-9a-f]{32}\\b", "SERIAL")
                .replaceAll("(?m)(former/\\w+\\.|^\\w+ +)[0-9a-f]{16}\\b", "$1SHORT-ID")
                .replaceAll("[A-Za-z, ]+; native provider: [A-Za-z0-9. ]+", " PROVIDERS")
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
