/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.message;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.command.policy.PolicyStore;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Failures;
import org.signetmq.cli.console.InputOption;
import org.signetmq.cli.console.KeyStoreOptions;
import org.signetmq.cli.console.LabelledLines;
import org.signetmq.cli.console.OutputOptions;
import org.signetmq.cli.console.Progress;
import org.signetmq.cli.console.ReportingCommand;
import org.signetmq.cli.console.Subcommand;
import org.signetmq.envelope.EnvelopeDescription;
import org.signetmq.envelope.EnvelopeDescription.MessageDescription;
import org.signetmq.envelope.Opener;
import org.signetmq.envelope.Sealer;
import org.signetmq.envelope.SegmentOpener;
import org.signetmq.envelope.SegmentSealer;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.HomeReader;
import org.signetmq.keystore.keys.PregenerationSettings;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.Policy.LegacyAlgorithms;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.UnmatchedAddress;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The commands {@code signet message}. */
@Command(name = "message", description = "Seals, opens and inspects single messages.")
public final class MessageCommands extends Subcommand {
    @Override
    public List<Class<?>> commands() {
        return List.of(Seal.class, Open.class, Inspect.class);
    }

    /** Writes a message in another form, with the private key of an identity. */
    private abstract static class Conversion extends Subcommand {
        @Mixin
        final InputOption input = new InputOption();

        @Mixin
        final OutputOptions output = new OutputOptions();

        @Mixin
        final KeyStoreOptions keys = new KeyStoreOptions();
    }

    /** The command {@code signet message seal}. */
    @Command(
            name = "seal",
            description = "Seals a message as the policy of its address says.",
            footer = {
                "  signet message seal --address orders.eu --as alice --in order.json --out order.cms",
                "  echo hello | signet message seal --address orders.eu --as alice > hello.cms",
            })
    static final class Seal extends Conversion {
        @Option(names = "--address", required = true, paramLabel = "A", description = "The address it will be sent to.")
        private String address = "";

        @Option(names = "--as", required = true, paramLabel = "NAME", description = "The identity that signs.")
        private String name = "";

        @Override
        public Integer call() throws IOException {
            output.check(context);
            Home home = context.existingHome();
            PolicySet policies = new PolicyStore(home).read();
            EffectivePolicy policy = policy(policies, home);
            HomeReader files = PolicyStore.reader(home, policies);
            Identity signer = keys.load(context, name);
            try (InputStream in = input.open(context);
                    Progress progress = new Progress(context);
                    Sealer sealer = Sealer.create(
                            files,
                            files,
                            Clock.systemUTC(),
                            PregenerationSettings.OFF)) { // one message needs no keys ahead of time
                long length = input.length(context);
                LongConsumer counting = progress.ofBytes("sealed", length);
                output.write(context, out -> {
                    byte[] first = in.readNBytes(SegmentSealer.SEGMENT_LENGTH + 1);
                    if (first.length <= SegmentSealer.SEGMENT_LENGTH) {
                        // one envelope, as every consumer has always read it; more are a large message
                        out.write(sealer.seal(message(first), policy, signer));
                        return;
                    }
                    try (SegmentSealer segments = sealer.segments(message(new byte[0]), policy, signer, out::write)) {
                        segments.transferFrom(new SequenceInputStream(new ByteArrayInputStream(first), in), counting);
                    }
                });
            }
            if (policy.policy().quality() == QualityOfProtection.NONE) {
                context.warn("the policy " + policy.reference() + " protects nothing: written as it was");
            }
            return ExitCode.OK;
        }

        private EffectivePolicy policy(PolicySet policies, Home home) {
            return policies.find(address)
                    .orElseThrow(() -> CliException.failure(
                                    "message not sealed: no policy for '" + address + "' in " + home.root())
                            .hint("signet policy set " + address + " --quality Q says how to protect it"));
        }

        private ClearMessage message(byte[] payload) {
            return ClearMessage.of(address, ClearMessage.Body.BYTES, payload);
        }
    }

    /** The command {@code signet message open}. */
    @Command(
            name = "open",
            description =
                    "Opens a message and writes its payload, into a file whole or not at all. Standard output gets each part of "
                            + "a large message after it was verified.",
            footer = {
                "  signet message open --address orders.eu --as bob --in order.cms --out order.json",
                "  signet message open --address orders.eu --as bob --entity < order.cms",
            })
    static final class Open extends Conversion {
        @Option(
                names = "--address",
                required = true,
                paramLabel = "A",
                description = "The address it was received from.")
        private String address = "";

        @Option(names = "--as", required = true, paramLabel = "NAME", description = "The identity whose keys open it.")
        private String name = "";

        @Option(names = "--entity", description = "The whole entity: header lines, a blank line, the payload.")
        private boolean entity;

        @Option(
                names = "--accept-legacy",
                description =
                        "Where no policy covers the address, also open what is encrypted by RSA PKCS#1 v1.5, or with "
                                + "SHA-1 in OAEP or key derivation. A policy decides for its own addresses.")
        private boolean acceptLegacy;

        private long written;

        /** Opens the message. Every failure ends with exit code 1 and one line. Only verified bytes are written. */
        @Override
        public Integer call() {
            try {
                output.check(context);
                open();
                return ExitCode.OK;
            } catch (IOException | RuntimeException e) {
                CliException failure = CliException.failure("message not opened: " + Failures.inWords(e))
                        .causedBy(e);
                throw output.isStream(context) && written > 0
                        ? failure.hint(
                                written + " bytes were written before; they are right, but not the whole message")
                        : failure;
            }
        }

        private void open() throws IOException {
            Home home = context.existingHome();
            PolicySet found = new PolicyStore(home).read();
            // clear messages pass only if a policy allows them
            PolicySet policies =
                    PolicySet.of(found.version(), found.settings().with(UnmatchedAddress.REJECT), found.policies());
            HomeReader files = PolicyStore.reader(home, policies);
            Opener.Keys opening = new Opener.Keys(keys.loadAll(context, name), files, files);
            LegacyAlgorithms legacy = acceptLegacy ? LegacyAlgorithms.ACCEPTED : LegacyAlgorithms.REFUSED;
            try (InputStream in = input.open(context);
                    Progress shown = new Progress(context);
                    Opener opener = Opener.create(opening, () -> policies, legacy)) {
                long length = input.length(context);
                LongConsumer progress = shown.ofBytes("opened", length);
                SegmentOpener segments = opener.openSegments(in, address);
                LongConsumer counting = bytes -> {
                    written = bytes;
                    progress.accept(bytes);
                };
                output.write(context, out -> {
                    OpenedMessage opened =
                            entity ? segments.transferEntityTo(out, counting) : segments.transferTo(out, counting);
                    if (opened.entityIfProtected().isEmpty()) {
                        context.warn("the message was not protected; its policy lets that through");
                    }
                });
            }
        }
    }

    /** The command {@code signet message inspect}. */
    @Command(
            name = "inspect",
            description =
                    "Shows what an envelope says of itself: quality, algorithms, recipients, signer. Needs no key and "
                            + "verifies nothing.",
            footer = {"  signet message inspect --in order.cms", "  signet message inspect --json < order.cms"})
    static final class Inspect extends ReportingCommand {
        @Mixin
        private final InputOption input = new InputOption();

        private record Answer(
                String quality,
                String structure,
                long length,
                long segments,
                String sha256,
                @Nullable String encryption,
                List<RecipientKey> recipients,
                @Nullable Signer signer,
                @Nullable SecondSigner secondSigner) {}

        private record RecipientKey(@Nullable String name, String identifier, String keyEncryption) {}

        private record Signer(@Nullable String name, String identifier, String signature) {}

        /** The signer with the post-quantum key, where two kinds of keys sign. */
        private record SecondSigner(@Nullable String name, String identifier) {}

        @Override
        public Integer call() throws IOException {
            MessageDescription message;
            try (InputStream in = input.open(context)) {
                message = MessageDescription.of(in);
            }
            RecipientDirectory directory = context.home().recipientDirectory();
            List<Recipient> known = new ArrayList<>(directory.all());
            known.addAll(directory.former());
            EnvelopeDescription envelope = message.first();
            Answer answer = new Answer(
                    envelope.quality(),
                    envelope.structure(),
                    message.length(),
                    message.envelopes(),
                    message.sha256(),
                    envelope.contentAlgorithm(),
                    envelope.recipients().stream()
                            .map(key -> new RecipientKey(
                                    name(key.identifier(), known), key.identifier(), key.keyEncryption()))
                            .toList(),
                    envelope.signatureIfVisible()
                            .map(key -> new Signer(
                                    name(key.identifiers().get(0), known),
                                    key.identifiers().get(0),
                                    key.inWords()))
                            .or(() -> envelope.senderIfClaimed()
                                    .map(key -> new Signer(name(key, known), key, "none: the key agrees")))
                            .orElse(null),
                    envelope.signatureIfVisible().stream()
                            .flatMap(key -> key.identifiers().stream().skip(1))
                            .map(second -> new SecondSigner(name(second, known), second))
                            .findFirst()
                            .orElse(null));
            report(answer, () -> lines(answer));
            return ExitCode.OK;
        }

        private static List<String> lines(Answer answer) {
            LabelledLines lines = new LabelledLines(12)
                    .add("quality", answer.quality)
                    .add("structure", answer.structure)
                    .add("length", answer.length + " bytes")
                    .add("segments", answer.segments > 1 ? answer.segments : null)
                    .add("sha256", answer.sha256)
                    .add("encryption", answer.encryption);
            for (RecipientKey recipient : answer.recipients) {
                lines.add("recipient", key(recipient.name, recipient.identifier) + ", " + recipient.keyEncryption);
            }
            Signer signer = answer.signer;
            if (signer != null) {
                lines.add("signer", key(signer.name, signer.identifier));
                if (answer.secondSigner != null) {
                    lines.add("signer", key(answer.secondSigner.name, answer.secondSigner.identifier));
                }
                lines.add("signature", signer.signature);
            }
            return lines.lines();
        }

        private static String key(@Nullable String name, String identifier) {
            return (name == null ? "" : name + ", ") + identifier;
        }

        /** Returns the name for {@code ski:HEX} or {@code issuer=DN, serial=HEX}; null without a certificate for it. */
        private static @Nullable String name(String identifier, List<Recipient> known) {
            return known.stream()
                    .filter(recipient -> identifiers(recipient).contains(identifier))
                    .map(Recipient::name)
                    .findFirst()
                    .orElse(null);
        }

        private static List<String> identifiers(Recipient recipient) {
            X509Certificate certificate = recipient.certificate();
            String issuer = DistinguishedName.shown(certificate.getIssuerX500Principal());
            String serialNumber = certificate.getSerialNumber().toString(16);
            return List.of(
                    "ski:" + recipient.keyIdentifier(),
                    "ski:" + KeyIdentifier.ofKey(certificate), // the name of a sender
                    "issuer=" + issuer + ", serial=" + serialNumber);
        }
    }
}
