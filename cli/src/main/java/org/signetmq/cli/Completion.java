/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.signetmq.cli.console.Subcommand;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;

/** The command {@code signet completion}. */
@Command(
        name = "completion",
        description = "Prints a script that completes commands and options in a shell.",
        footer = {
            "  signet completion bash > ~/.local/share/bash-completion/completions/signet",
            "  signet completion fish > ~/.config/fish/completions/signet.fish",
            "  signet completion zsh > ~/.signet-completion.zsh",
            "  echo 'source ~/.signet-completion.zsh' >> ~/.zshrc"
        })
final class Completion extends Subcommand {
    enum ShellName {
        bash,
        zsh,
        fish
    }

    private static final Pattern AFTER_SENTENCE = Pattern.compile("(?<=[.]) .*|;.*");

    @Parameters(paramLabel = "SHELL", description = "One of ${COMPLETION-CANDIDATES}.")
    private ShellName shell = ShellName.bash;

    @Override
    public Integer call() {
        context.print(script(shell, Main.commandLine(context)).stripTrailing());
        return CommandLine.ExitCode.OK;
    }

    /** Returns the script for a shell. */
    static String script(ShellName shell, CommandLine signet) {
        return shell == ShellName.fish ? fish(signet) : AutoComplete.bash("signet", signet);
    }

    /**
     * Returns the script for fish. The words before the cursor, without options, name the command: its commands are
     * offered right after it, its options anywhere later.
     */
    private static String fish(CommandLine signet) {
        List<String> lines = new ArrayList<>(List.of(
                "# Completes the commands and options of signet in fish.",
                "function __signet_words",
                "    set -l skip no",
                "    for word in (commandline -opc)[2..-1]",
                "        if test $skip = yes",
                "            set skip no",
                "        else if contains -- $word --home",
                "            set skip yes",
                "        else if not string match -q -- '-*' $word",
                "            echo $word",
                "        end",
                "    end",
                "end",
                "function __signet_at",
                "    set -l words (__signet_words)",
                "    test \"$words\" = \"$argv\"",
                "end",
                "function __signet_in",
                "    set -l words (__signet_words)",
                "    set -q words[1]; or return 1",
                "    test \"$words[1..\"(count $argv)\"]\" = \"$argv\"",
                "end",
                "complete -c signet -e"));
        commands(signet, "", lines);
        return String.join(System.lineSeparator(), lines);
    }

    private static void commands(CommandLine command, String path, List<String> lines) {
        CommandSpec spec = command.getCommandSpec();
        Map<CommandLine, String> named = new LinkedHashMap<>(); // an alias is not offered
        command.getSubcommands().values().forEach(each -> named.putIfAbsent(each, each.getCommandName()));
        named.forEach((each, name) -> {
            if (!each.getCommandSpec().usageMessage().hidden()) {
                lines.add("complete -c signet -f -n '__signet_at" + path + "' -a " + name
                        + described(each.getCommandSpec().usageMessage().description()));
            }
        });
        String place = path.isEmpty() ? "true" : "__signet_in" + path;
        for (OptionSpec option : spec.options()) {
            boolean isOfAll = option.inherited() || option.usageHelp() || option.versionHelp();
            if (!option.hidden() && (path.isEmpty() || !isOfAll)) {
                lines.add("complete -c signet -n '" + place + "'" + names(option) + value(option)
                        + described(option.description()));
            }
        }
        named.forEach((each, name) -> commands(each, path + " " + name, lines));
    }

    private static String names(OptionSpec option) {
        StringBuilder names = new StringBuilder();
        for (String name : option.names()) {
            names.append(name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1));
        }
        return names.toString();
    }

    /** Returns what a value may be: one of some words, or a file. */
    private static String value(OptionSpec option) {
        if (option.arity().max() == 0) {
            return "";
        }
        List<String> words = new ArrayList<>();
        if (option.completionCandidates() != null) {
            option.completionCandidates().forEach(words::add);
        }
        return words.isEmpty() ? " -r" : " -x -a '" + String.join(" ", words) + "'";
    }

    /** Returns the first sentence of a description, in the quotes of fish. */
    private static String described(String... description) {
        String text = AFTER_SENTENCE
                .matcher(String.join(" ", Arrays.asList(description)).replace("%n", " "))
                .replaceFirst("");
        return text.isEmpty() ? "" : " -d '" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
