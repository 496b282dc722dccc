/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.console;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.signetmq.envelope.exception.EnvelopeException;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrintableText;
import org.signetmq.policy.InvalidPolicyException;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Prints failures, and turns them into exit codes. No other class shows exceptions to the user. */
public final class Failures implements IExecutionExceptionHandler, IParameterExceptionHandler {
    private final CommandContext context;
    private final PrintStream err;

    public Failures(CommandContext context) {
        this.context = context;
        this.err = context.shell().streams().err();
    }

    static int exitCode(Throwable failure) {
        if (find(ConnectException.class, failure).isPresent()) {
            return ExitCode.BROKER;
        }
        if (failure instanceof CliException told) {
            return told.exitCode;
        }
        if (failure instanceof KeystoreUnusableException) {
            return ExitCode.CONFIGURATION;
        }
        return failure instanceof EnvelopeException
                        || failure instanceof CertificateRejectedException
                        || failure instanceof InvalidPolicyException
                        || failure instanceof IOException
                        || failure instanceof UncheckedIOException
                ? ExitCode.FAILURE
                : ExitCode.BUG;
    }

    /** Returns the first failure of a type: the failure itself, or one of its causes. */
    public static <T extends Throwable> Optional<T> find(Class<T> type, Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (type.isInstance(cause)) {
                return Optional.of(type.cast(cause));
            }
        }
        return Optional.empty();
    }

    @Override
    public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) {
        int exitCode = exitCode(failure);
        if (find(NamedOutput.ClosedPipeException.class, failure).isPresent()) {
            return exitCode;
        }
        error(command, exitCode == ExitCode.BUG ? "unexpected " + oneLine(failure.toString()) : inWords(failure));
        if (failure instanceof CliException told) {
            told.details.forEach(detail -> error(command, oneLine(detail)));
            if (!told.hint.isEmpty()) {
                hint(told.hint);
            }
        } else if (exitCode == ExitCode.BUG) {
            hint("this is a defect in Signet; run again with --debug and report what it shows");
        }
        if (context.debug) {
            failure.printStackTrace(err);
        }
        return exitCode;
    }

    @Override
    public int handleParseException(ParameterException first, String[] arguments) {
        ParameterException failure = misspelt(first, arguments);
        CommandLine command = failure.getCommandLine();
        error(command, oneLine(String.valueOf(failure.getMessage())));
        List<String> meant =
                failure instanceof UnmatchedArgumentException unmatched ? unmatched.getSuggestions() : List.of();
        hint((meant.isEmpty() ? "" : "did you mean " + String.join(" or ", meant) + "? ") + "see "
                + command.getCommandSpec().qualifiedName() + " --help");
        return ExitCode.USAGE;
    }

    /** Prefers an unknown option to a missing one: it may be the same one, misspelt. */
    private static ParameterException misspelt(ParameterException failure, String[] arguments) {
        CommandLine command = failure.getCommandLine();
        Set<String> known = command.getCommandSpec().optionsMap().keySet();
        Optional<String> unknown = Stream.of(arguments)
                .takeWhile(argument -> !argument.equals("--"))
                .filter(argument -> argument.matches("--[A-Za-z].*") && !known.contains(argument.split("=", 2)[0]))
                .findFirst();
        return failure instanceof MissingParameterException && unknown.isPresent()
                ? new UnmatchedArgumentException(command, List.of(unknown.get()))
                : failure;
    }

    /** Returns the reason of a failure on one line. */
    public static String inWords(Throwable failure) {
        if (failure instanceof UncheckedIOException wrapped && wrapped.getCause() != null) {
            return inWords(wrapped.getCause());
        }
        if (failure instanceof FileSystemException file) {
            return oneLine(file.getFile() + ": " + reason(file));
        }
        String message = failure.getMessage();
        return message == null || message.isBlank() ? failure.getClass().getSimpleName() : oneLine(message);
    }

    private static String reason(FileSystemException failure) {
        if (failure instanceof NoSuchFileException) {
            return "no such file or folder";
        }
        if (failure instanceof AccessDeniedException) {
            return "access denied";
        }
        if (failure instanceof FileAlreadyExistsException) {
            return "exists already";
        }
        return failure.getReason() == null ? "cannot be used" : failure.getReason();
    }

    /** Returns the text fit for one line of a terminal, without blanks around it. */
    public static String oneLine(String text) {
        return printable(text).strip();
    }

    /** Replaces unfit characters by blanks, so that foreign text cannot break a line or steer a terminal. */
    public static String printable(String text) {
        return PrintableText.replaced(text, ' ');
    }

    private void error(CommandLine command, String text) {
        Ansi ansi = command.getColorScheme().ansi();
        err.println(ansi.string("@|bold signet:|@ @|bold,red error:|@ ") + text);
    }

    private void hint(String text) {
        err.println("signet: hint: " + text);
    }
}
