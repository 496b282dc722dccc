/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy.access;

import java.util.Optional;
import java.util.function.LongConsumer;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.CommandContext;
import org.signetmq.cli.console.Progress;
import org.signetmq.policy.file.PolicyFile;

/** Carries whole policy documents from and to a broker, in parts that fit into management messages. */
final class PolicyTransfer {
    /** The longest part, in characters. The broker takes no longer one. */
    static final int LONGEST_PART = 30_000;

    /** The longest document that is read from a broker, in characters. */
    private static final long LONGEST = PolicyFile.LONGEST;

    /** The longest text of consequences, in characters. */
    private static final long LONGEST_IMPACT = 32 << 20;

    private static final int MOST_READINGS = 5;

    private final SignetOperations signet;
    private final CommandContext context;

    PolicyTransfer(SignetOperations signet, CommandContext context) {
        this.signet = signet;
        this.context = context;
    }

    /** Returns the first part of the document in force. */
    Reply firstPart() throws Exception {
        Reply first = signet.ask("listPolicies", 0L, 0);
        if (first.shown("outcome") != null) {
            throw CliException.failure(signet.place() + ": has no policies to show: "
                    + (first.shown("reason") == null ? first.shown("outcome") : first.shown("reason")));
        }
        return first;
    }

    /** Returns the whole document in force. If it changes while it is read, it is read again. */
    String read() throws Exception {
        for (int i = 0; i < MOST_READINGS; i++) {
            Optional<String> document = read("listPolicies", firstPart());
            if (document.isPresent()) {
                return document.get();
            }
        }
        throw CliException.failure(signet.place() + ": its policies change too often to be read; try again");
    }

    /** Returns the whole document of former policies. */
    String readFormer(long version) throws Exception {
        return read("listFormerPolicies", signet.ask("listFormerPolicies", version, 0))
                .orElseThrow();
    }

    /** Returns the document that begins with this part; empty if it is no longer in force. */
    private Optional<String> read(String operation, Reply first) throws Exception {
        long length = first.number("length");
        if (length > LONGEST) {
            throw CliException.failure(
                    signet.place() + ": its policies are longer than this command reads: " + length + " characters");
        }
        StringBuilder document = new StringBuilder(first.text("text"));
        try (Progress progress = new Progress(context)) {
            LongConsumer shown = progress.ofBytes("policies: read", length);
            while (document.length() < length) {
                Reply part = signet.ask(operation, first.number("version"), document.length());
                if (part.isStale()) {
                    return Optional.empty();
                }
                String text = part.text("text");
                if (text.isEmpty() || document.length() + (long) text.length() > length) {
                    throw CliException.failure(signet.place() + ": its policies have not the length that it told");
                }
                document.append(text);
                shown.accept(document.length());
            }
        }
        return Optional.of(document.toString());
    }

    /** Returns the whole text of the consequences that begin in an answer. */
    String readImpact(Reply first) throws Exception {
        long length = first.number("length");
        if (length > LONGEST_IMPACT) {
            throw CliException.failure(
                    signet.place() + ": tells more consequences than this command reads: " + length + " characters");
        }
        StringBuilder text = new StringBuilder(first.text("text"));
        while (text.length() < length) {
            String part = signet.prepare("readImpact", first.text("impact"), text.length())
                    .text("text");
            if (part.isEmpty() || text.length() + (long) part.length() > length) {
                throw CliException.failure(signet.place() + ": its answer has not the length that it told");
            }
            text.append(part);
        }
        return text.toString();
    }

    /**
     * Hands a document over, and then has the broker judge it or put it in force.
     *
     * @param operation {@code judgeImpacts}, {@code replacePolicies} or {@code restorePolicies}
     */
    Reply send(String document, long seen, String operation) throws Exception {
        Reply begun = signet.prepare("beginPolicies", seen);
        if (begun.shown("upload") == null) {
            return begun; // refused, or stale
        }
        String upload = begun.text("upload");
        try (Progress progress = new Progress(context)) {
            LongConsumer shown = progress.ofBytes("policies: sent", document.length());
            for (int offset = 0; offset < document.length(); ) {
                String part = document.substring(offset, end(document, offset));
                Reply taken = signet.prepare("addPolicies", upload, offset, part);
                if (taken.shown("outcome") != null) {
                    return taken;
                }
                offset += part.length();
                shown.accept(offset);
            }
            progress.ofWork("policies: the broker checks them");
            return operation.equals("judgeImpacts")
                    ? signet.prepare(operation, upload)
                    : signet.change(operation, upload);
        }
    }

    /** Returns the end of the part from an offset. No part ends inside a character. */
    private static int end(String document, int offset) {
        int end = Math.min(offset + LONGEST_PART, document.length());
        return end < document.length() && Character.isHighSurrogate(document.charAt(end - 1)) ? end - 1 : end;
    }
}
