/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.activemq.artemis.utils.FileUtil;
import org.asciidoctor.Asciidoctor;
import org.asciidoctor.Attributes;
import org.asciidoctor.Options;
import org.asciidoctor.SafeMode;
import org.signetmq.cli.console.CommandContext;
import org.signetmq.cli.console.Shell;
import picocli.CommandLine;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.codegen.docgen.manpage.ManPageGenerator;

/**
 * Writes the files of a release that follow from others: completion for shells and the manual from the commands, the
 * licences from the list of components.
 */
final class ReleaseFiles {
    /** The text of each licence, by its name in the list of components, or by that of a component that has its own. */
    private static final Map<String, String> LICENSES = Map.of(
            "Apache-2.0", "../LICENSE",
            "BSD-3-Clause", "BSD-3-Clause-asm.txt",
            "Bouncy Castle Licence", "Bouncy-Castle.txt",
            "EPL-1.0", "EPL-1.0.txt",
            "EPL-2.0", "EPL-2.0.txt",
            "slf4j-api", "MIT-slf4j.txt",
            "slf4j-simple", "MIT-slf4j.txt",
            "uplot", "MIT-uplot.txt");

    private ReleaseFiles() {}

    /**
     * Writes below a folder.
     *
     * @param arguments the folder, the version, and the folder with the texts of licences
     */
    public static void main(String[] arguments) throws IOException {
        Locale.setDefault(Locale.ROOT); // options are in the order of their names in the builder's language
        Path folder = Path.of(arguments[0]);
        CommandLine signet = Main.commandLine(new CommandContext(Shell.ofProcess()));
        Path completion = Files.createDirectories(folder.resolve("share/completion"));
        for (Completion.ShellName shell : Completion.ShellName.values()) {
            Files.writeString(
                    completion.resolve("signet." + shell.name()),
                    Completion.script(shell, signet).stripTrailing() + "\n");
        }
        Path lib = Files.createDirectories(folder.resolve("lib"));
        Files.writeString(lib.resolve("version"), "signet " + arguments[1] + "\n");
        manual(signet, Files.createDirectories(folder.resolve("share/man/man1")));
        Path licenses = Files.createDirectories(folder.resolve("licenses"));
        Files.write(
                licenses.resolve("THIRD-PARTY.txt"),
                thirdParties(folder.resolve("signet.cdx.json"), Path.of(arguments[2])));
    }

    /** Writes a page for each command. A page that Asciidoctor doubts is an error. */
    private static void manual(CommandLine signet, Path folder) throws IOException {
        escapeExamples(signet);
        Path sources = Files.createTempDirectory("signet-manual-");
        try (Asciidoctor asciidoctor = Asciidoctor.Factory.create()) {
            int exitCode = ManPageGenerator.generateManPage(
                    sources.toFile(), null, new boolean[0], true, signet.getCommandSpec());
            if (exitCode != 0) {
                throw new IOException("the manual: exit code " + exitCode);
            }
            List<String> doubts = new ArrayList<>();
            asciidoctor.registerLogHandler(doubt -> doubts.add(doubt.getMessage()));
            Options options = Options.builder()
                    .backend("manpage")
                    .safe(SafeMode.SAFE)
                    .attributes(Attributes.builder().attribute("reproducible").build())
                    .toDir(folder.toFile())
                    .build();
            try (Stream<Path> pages = Files.list(sources)) {
                for (Path page : pages.sorted().toList()) {
                    // brackets in the name of a value would be a macro of AsciiDoc
                    Files.writeString(page, Files.readString(page).replaceAll("\\[,[\\s_]*URL\\.\\.\\.]", ",..."));
                    asciidoctor.convertFile(page.toFile(), options);
                }
            }
            if (!doubts.isEmpty()) {
                throw new IOException("the manual: " + doubts);
            }
        } finally {
            FileUtil.deleteDirectory(sources.toFile());
        }
    }

    /** Doubles each percent sign in examples: the help takes these literally, and the generator as formats. */
    private static void escapeExamples(CommandLine command) {
        UsageMessageSpec usage = command.getCommandSpec().usageMessage();
        usage.footer(
                Stream.of(usage.footer()).map(line -> line.replace("%", "%%")).toArray(String[]::new));
        command.getSubcommands().values().stream().distinct().forEach(ReleaseFiles::escapeExamples);
    }

    /** Returns a line for each component of others, with the file of its licence. One without a file is an error. */
    private static List<String> thirdParties(Path components, Path texts) throws IOException {
        TreeSet<String> lines = new TreeSet<>();
        for (JsonNode component :
                new ObjectMapper().readTree(components.toFile()).path("components")) {
            if (component.path("group").asText().equals("org.signetmq")) {
                continue;
            }
            String name = component.path("name").asText();
            JsonNode license = component.path("licenses").path(0).path("license"); // one of several, at our choice
            String said = license.path("id").asText(license.path("name").asText());
            String file = LICENSES.getOrDefault(name, LICENSES.get(said));
            if (file == null || !(file.startsWith("../") || Files.isRegularFile(texts.resolve(file)))) {
                throw new IOException(
                        "component " + name + ": no text of the licence '" + said + "'; add it to " + texts);
            }
            lines.add(name + " " + component.path("version").asText() + ": " + said + ", " + file);
        }
        List<String> all =
                new ArrayList<>(List.of("What others wrote in lib/signet.jar and broker/, and its licences", ""));
        all.addAll(lines);
        return all;
    }
}
