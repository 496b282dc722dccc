/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.signetmq.cli.command.broker.BrokerInstall;
import org.signetmq.cli.command.broker.BrokerSeal;
import org.signetmq.cli.command.broker.BrokerStatus;
import org.signetmq.cli.command.broker.InstanceCommand.BrokerUninstall;
import org.signetmq.cli.command.bundle.BundleCommands;
import org.signetmq.cli.command.certificate.CertificateCommands;
import org.signetmq.cli.command.certificate.TrustCommands;
import org.signetmq.cli.command.doctor.DoctorCommands;
import org.signetmq.cli.command.identity.IdentityCommands;
import org.signetmq.cli.command.message.MessageCommands;
import org.signetmq.cli.command.message.QuarantineCommands;
import org.signetmq.cli.command.message.QueueBrowse;
import org.signetmq.cli.command.policy.PolicyCommands;
import org.signetmq.cli.command.serve.ServeCommand;
import org.signetmq.cli.console.CommandContext;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Failures;
import org.signetmq.cli.console.ReportingCommand;
import org.signetmq.cli.console.Shell;
import org.signetmq.cli.console.Subcommand;
import org.signetmq.cli.demo.Demo.DemoCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.IFactory;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ScopeType;

/** The program {@code signet} with all its commands. */
@Command(
        name = "signet",
        description = "Protects messages on Apache Artemis: signs, encrypts, or both, per address.",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        versionProvider = Main.Version.class,
        usageHelpAutoWidth = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  signet demo",
            "  signet identity create broker --dn CN=broker,O=Example",
            "  signet policy set orders.# --quality privacy --recipient alice",
            "",
            "Benchmarks are a command of their own: signet perf --help",
        })
public final class Main extends Subcommand {
    /** In the order of the help. */
    private static final List<Class<?>> COMMANDS = List.of(
            DemoCommand.class,
            IdentityCommands.class,
            CertificateCommands.class,
            TrustCommands.class,
            PolicyCommands.class,
            BundleCommands.class,
            MessageCommands.class,
            ServeCommand.class,
            Broker.class,
            BrokerStatus.class, // also without its group
            Queue.class,
            QuarantineCommands.class,
            DoctorCommands.class,
            Completion.class);

    private static final Set<String> HIDDEN = Set.of("status");

    private Main() {}

    /** Runs the command that the arguments name and ends the process with its exit code. */
    public static void main(String[] arguments) {
        // before the first logger is made; the broker of the demo and client libraries log through SLF4J
        String level = Arrays.asList(arguments).contains(CommandContext.DEBUG) ? "warn" : "off";
        System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", level);
        System.exit(run(Shell.ofProcess(), arguments));
    }

    /** Runs the command in this shell and returns its exit code. */
    static int run(Shell shell, String... arguments) {
        CommandContext context = new CommandContext(shell);
        Failures failures = new Failures(context);
        int exitCode = commandLine(context, arguments)
                .setOut(context.text())
                .setExpandAtFiles(false) // takes an argument literally, also with @ before it
                .setColorScheme(Help.defaultColorScheme(ansi(shell, arguments)))
                .setExecutionExceptionHandler(failures)
                .setParameterExceptionHandler(failures)
                .execute(arguments);
        if (exitCode == ExitCode.OK && context.out().hasFailed()) {
            shell.streams().err().println("signet: error: standard output: cannot be written");
            return ExitCode.FAILURE;
        }
        return exitCode;
    }

    private static Ansi ansi(Shell shell, String... arguments) {
        boolean wanted = shell.streams().terminal() != null
                && shell.environment().getOrDefault("NO_COLOR", "").isEmpty()
                && !Arrays.asList(arguments).contains(CommandContext.NO_COLOR);
        return wanted ? Ansi.ON : Ansi.OFF;
    }

    /**
     * Returns the command line, ready to execute in a context. Groups show the first examples of their commands. Where
     * the arguments begin with a command or a group and its command, the others beside these are left out: to make them
     * all takes longer than most commands run.
     */
    static CommandLine commandLine(CommandContext context, String... arguments) {
        IFactory commands = new IFactory() {
            @Override
            public <K> K create(Class<K> type) throws Exception {
                K created = CommandLine.defaultFactory().create(type);
                if (created instanceof Subcommand command) {
                    command.runIn(context);
                }
                return created;
            }
        };
        List<String> words = words(arguments);
        CommandLine signet = new CommandLine(new Main(), commands);
        for (Class<?> command : named(COMMANDS, words, 0)) {
            CommandLine group = new CommandLine(command, commands);
            if (group.getCommand() instanceof Subcommand parent) {
                named(parent.commands(), words, 1)
                        .forEach(each -> group.addSubcommand(new CommandLine(each, commands)));
            }
            signet.addSubcommand(group);
        }
        for (CommandLine group : signet.getSubcommands().values()) {
            UsageMessageSpec usage = group.getCommandSpec().usageMessage();
            usage.hidden(HIDDEN.contains(group.getCommandName()));
            String[] examples = group.getSubcommands().values().stream()
                    .distinct() // a former name leads to the same command
                    .map(command -> command.getCommandSpec().usageMessage().footer()[0])
                    .toArray(String[]::new);
            if (examples.length > 0) {
                Stream<String> own = group.getCommand() instanceof ReportingCommand // a command of its own, too
                        ? Stream.of(usage.footer())
                        : Stream.empty();
                usage.footer(Stream.concat(own, Stream.of(examples)).toArray(String[]::new));
            }
        }
        signet.addMixin("options", context);
        Map<String, IHelpSectionRenderer> sections = new LinkedHashMap<>(signet.getHelpSectionMap());
        sections.put(UsageMessageSpec.SECTION_KEY_FOOTER, Main::examples);
        return signet.setHelpSectionMap(sections);
    }

    /** Returns the examples as they are: a line break in one would break it for a user who copies it. */
    private static String examples(Help help) {
        return Stream.of(help.commandSpec().usageMessage().footer())
                .map(line -> line + System.lineSeparator())
                .collect(Collectors.joining());
    }

    /** Returns the arguments from the first command on, without the common options before it. */
    private static List<String> words(String... arguments) {
        int first = 0;
        while (first < arguments.length && CommandContext.OPTIONS.contains(arguments[first])) {
            first += arguments[first].equals(CommandContext.HOME) ? 2 : 1;
        }
        return List.of(arguments).subList(Math.min(first, arguments.length), arguments.length);
    }

    /** Returns the command that a word names, or all commands if it names none. */
    private static List<Class<?>> named(List<Class<?>> commands, List<String> words, int place) {
        return commands.stream()
                .filter(command -> words.size() > place && names(command).contains(words.get(place)))
                .findFirst()
                .<List<Class<?>>>map(List::of)
                .orElse(commands);
    }

    private static Set<String> names(Class<?> type) {
        Command command = type.getAnnotation(Command.class);
        return Stream.concat(Stream.of(command.name()), Stream.of(command.aliases()))
                .collect(Collectors.toSet());
    }

    /**
     * The version that the jar's manifest states. Apart from {@link Main}, which a class archive could not hold with
     * it.
     */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Main.class.getPackage().getImplementationVersion();
            return new String[] {"signet " + (version == null ? "(not packaged)" : version)};
        }
    }

    @Command(name = "broker", description = "Puts the plugin into a broker, and shows how it fares there.")
    static final class Broker extends Subcommand {
        @Override
        public List<Class<?>> commands() {
            return List.of(BrokerInstall.class, BrokerUninstall.class, BrokerStatus.class, BrokerSeal.class);
        }
    }

    @Command(name = "queue", description = "Looks at messages on queues.")
    static final class Queue extends Subcommand {
        @Override
        public List<Class<?>> commands() {
            return List.of(QueueBrowse.class);
        }
    }
}
