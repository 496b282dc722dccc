/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.bundle;

import java.io.IOException;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.command.bundle.Bundle.Entry;
import org.signetmq.cli.command.bundle.Bundle.Folder;
import org.signetmq.cli.command.policy.PolicyStore;
import org.signetmq.cli.command.policy.PolicyTarget;
import org.signetmq.cli.command.policy.TargetOptions;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Failures;
import org.signetmq.cli.console.KeyStoreOptions;
import org.signetmq.cli.console.OutputOptions;
import org.signetmq.cli.console.Subcommand;
import org.signetmq.cli.console.TextTable;
import org.signetmq.envelope.SignedDocument;
import org.signetmq.envelope.exception.EnvelopeException;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.HomeReader;
import org.signetmq.keystore.home.PartyCheck;
import org.signetmq.keystore.home.PolicyCertificates;
import org.signetmq.keystore.trust.CertificateTrust;
import org.signetmq.policy.CertificateInclusion;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.Policy;
import org.signetmq.policy.Policy.RequiredKeys;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code signet bundle export}. */
@Command(
        name = "export",
        description = "Writes a bundle: the policies that decide about the addresses, the certificates of signers and "
                + "brokers that these policies name, the trusted certificates and the revocation lists of the home. "
                + "An identity of the home signs it. It has no private key.",
        footer = {
            "  signet bundle export --address orders.# --recipient alice --as broker --output alice.bundle",
            "  signet bundle export --address orders.eu --address prices --as broker --out eu.bundle",
            "  signet bundle export --address orders.# --broker tcp://localhost:61616 --user admin --out alice.bundle",
        })
final class BundleExportCommand extends Subcommand {
    @Option(
            names = "--address",
            paramLabel = "PATTERN",
            required = true,
            description = "An address of the consumer, or a pattern; repeatable.")
    private List<String> addresses = List.of();

    @Option(
            names = "--recipient",
            paramLabel = "NAME",
            description = "The consumer's identity. All encrypting policies must have it as a recipient.")
    private @Nullable String recipient;

    @Option(
            names = "--as",
            paramLabel = "IDENTITY",
            description = "The identity of the home that signs; default the only one.")
    private @Nullable String signer;

    @Option(
            names = "--valid-for",
            paramLabel = "DAYS",
            description = "The number of days in which homes import the bundle; default 30.")
    private int days = 30;

    @Mixin
    private final TargetOptions targets = new TargetOptions();

    @Mixin
    private final KeyStoreOptions keys = new KeyStoreOptions();

    @Mixin
    private final OutputOptions output = new OutputOptions();

    @Override
    public Integer call() throws IOException {
        if (days < 1 || days > Bundle.MOST_DAYS) {
            throw usage("--valid-for: must be from 1 to " + Bundle.MOST_DAYS + " days, found " + days);
        }
        if (addresses.size() > Bundle.MOST_ADDRESSES) {
            throw usage("--address: more than " + Bundle.MOST_ADDRESSES);
        }
        output.check(context);
        Home home = context.existingHome();
        String name = signer == null ? onlyIdentity(home) : signer;
        PolicySet policies = targets.existing(context).only(PolicyTarget::read);
        Instant now = context.shell().clock().instant().truncatedTo(ChronoUnit.MILLIS);
        byte[] id = new byte[16];
        new SecureRandom().nextBytes(id);
        Selection selection = new Selection(home, policies(policies), now);
        Bundle bundle = new Bundle(
                HexFormat.of().formatHex(id),
                now,
                now.plus(Duration.ofDays(days)),
                selection.consumer(),
                addresses,
                PolicySet.of( // the files have the certificates that a consumer needs, and only these
                        policies.version(),
                        policies.settings().withUsers(Map.of()).withCertificates(Map.of()),
                        selection.policies.policies()),
                selection.entries());
        byte[] document = bundle.document();
        Bundle unused = Bundle.read("bundle", document); // a consumer reads it so
        Identity identity = keys.load(context, name);
        byte[] signed = sign(document, identity, home);
        output.write(context, out -> out.write(signed));
        context.say(TextTable.count(bundle.policies().policies().size(), "policy", "policies") + " and "
                + TextTable.count(bundle.entries().size(), "file", "files") + ", signed by " + name
                + ", to import until "
                + bundle.notAfter());
        context.say("tell the consumer by telephone the SHA-256 fingerprint of the signer: "
                + Fingerprint.of(identity.certificate()));
        return ExitCode.OK;
    }

    private static String onlyIdentity(Home home) {
        List<String> names = home.identityStore().names();
        if (names.size() == 1) {
            return names.get(0);
        }
        throw CliException.usage("--as: missing, and the home has "
                + (names.isEmpty() ? "no identity" : "several identities: " + String.join(", ", names)));
    }

    private byte[] sign(byte[] document, Identity identity, Home home) {
        Clock clock = context.shell().clock();
        byte[] signed = SignedDocument.sign(document, identity, clock);
        try {
            SignedDocument unused = SignedDocument.verify(signed, home.trustIn(identity.certificate()), clock);
            return signed;
        } catch (EnvelopeException e) {
            throw CliException.configuration(
                            "identity '" + identity.name() + "': cannot sign a bundle: " + e.getMessage())
                    .causedBy(e);
        }
    }

    /** Returns the policies that decide about the addresses. */
    private PolicySet policies(PolicySet all) {
        Set<Policy> wanted = new HashSet<>();
        List<String> without = new ArrayList<>();
        for (String address : addresses) {
            try {
                List<Policy> deciding = all.deciding(address);
                wanted.addAll(deciding);
                if (deciding.isEmpty()) {
                    without.add("no policy covers '" + Failures.oneLine(address) + "'");
                }
            } catch (InvalidPolicyException e) {
                throw CliException.usage("--address " + Failures.oneLine(address) + ": "
                        + e.problems().get(0).message());
            }
        }
        if (!without.isEmpty()) {
            throw CliException.failure("bundle: nothing to hand over for some addresses")
                    .details(without)
                    .hint("signet policy explain says which policy applies to an address");
        }
        return PolicySet.of(
                all.version(),
                all.settings(),
                all.policies().stream().filter(wanted::contains).toList());
    }

    /**
     * What a consumer of the addresses needs of the home: the certificates of the signers and brokers that the policies
     * name, the trusted certificates that vouch for them, and the revocation lists. Not thread-safe.
     */
    private final class Selection {
        private static final Pattern ISSUER = Pattern.compile(".*;\\s*issuer\\s*=\\s*([^;]+)", Pattern.DOTALL);

        private final Home home;
        private final PolicySet policies;
        private final Instant now;
        private final RecipientDirectory directory;
        private final CertificateTrust trust;
        private final Map<Folder, Map<String, Entry>> there = new EnumMap<>(Folder.class);
        private final Map<Folder, Map<String, Entry>> taken = new EnumMap<>(Folder.class);

        Selection(Home home, PolicySet policies, Instant now) throws IOException {
            this.home = home;
            this.policies = policies;
            this.now = now;
            HomeReader files = PolicyStore.reader(home, policies);
            this.directory = files;
            this.trust = files;
            for (Folder folder : Folder.values()) {
                there.put(folder, folder.read(home));
                taken.put(folder, new TreeMap<>());
            }
            PolicyCertificates brought = files.policyCertificates();
            brought.names().stream()
                    .filter(files::isOfPolicies)
                    .forEach(name -> there(Folder.RECIPIENTS).put(name, Entry.of(name, brought.certificates(name))));
        }

        private Map<String, Entry> there(Folder folder) {
            return Objects.requireNonNull(there.get(folder));
        }

        private Map<String, Entry> taken(Folder folder) {
            return Objects.requireNonNull(taken.get(folder));
        }

        /**
         * Returns the policies as they apply to the addresses, with the recovery recipients and values of variables.
         */
        private Stream<Policy> applied() {
            return addresses.stream()
                    .flatMap(address -> policies.deciding(address).stream()
                            .map(policy -> policies.applied(policy, address).policy()))
                    .distinct();
        }

        /** Returns the consumer, who must be able to open what the policies encrypt; null if none is named. */
        private Bundle.@Nullable Consumer consumer() {
            if (recipient == null) {
                return null;
            }
            String what = "recipient '" + recipient + "': ";
            Recipient consumer = directory
                    .find(recipient)
                    .orElseThrow(() -> CliException.failure(what + "no certificate in " + home.recipients()));
            PublicKey key = consumer.certificate().getPublicKey();
            List<String> closed = applied()
                    .filter(policy -> policy.quality().encrypts())
                    .filter(policy -> policy.encryption().recipients().stream()
                            .flatMap(selector -> directory.find(selector).stream())
                            .noneMatch(
                                    other -> other.certificate().getPublicKey().equals(key)))
                    .map(policy ->
                            Failures.oneLine(policy.pattern()) + ": '" + recipient + "' is not among its recipients")
                    .toList();
            if (!closed.isEmpty()) {
                throw CliException.failure(what + "could not open messages of these addresses")
                        .details(closed)
                        .hint("signet policy add-recipient adds it, or name fewer addresses");
            }
            return new Bundle.Consumer(
                    Bundle.requireExportable(consumer.name()),
                    consumer.keyIdentifier().toString());
        }

        /** Returns the files of the bundle. */
        private List<Entry> entries() {
            applied().filter(policy -> policy.quality().provesSender()).forEach(this::takeParties);
            takePartiesOfIssuers();
            if (!taken(Folder.TRUST).isEmpty()) {
                takeAll(Folder.CRL);
            }
            return taken.values().stream()
                    .flatMap(files -> files.values().stream())
                    .toList();
        }

        private void takeParties(Policy policy) {
            Policy.Signing signing = policy.signing();
            Stream.of(signing.signers(), signing.brokers())
                    .flatMap(List::stream)
                    .flatMap(name -> policy.enforcement().require() == RequiredKeys.BOTH
                            ? Stream.of(name, RequiredKeys.companionOf(name))
                            : Stream.of(name))
                    .forEach(selector ->
                            takeParty(selector, "policy for '" + Failures.oneLine(policy.pattern()) + "': "));
            if (signing.signers().isEmpty()) { // every trusted signer is accepted
                takeAll(Folder.TRUST);
                if (signing.certificate() == CertificateInclusion.REFERENCED
                        || policy.quality() == QualityOfProtection.AUTHENTICITY) { // no message has the certificate
                    takeAll(Folder.RECIPIENTS);
                }
            }
        }

        private void takeParty(String selector, String policy) {
            if (EffectivePolicy.isIncomplete(selector)) {
                throw CliException.failure(policy + "its signer '" + Failures.oneLine(selector.substring(1))
                                + "' depends on the address")
                        .hint("--address names an address with words in place of the variables, such as tenant.acme.#");
            }
            Optional<Recipient> party = directory.find(selector);
            Matcher issued = ISSUER.matcher(selector);
            String issuer = issued.matches() ? issued.group(1).strip() : "";
            Optional<DistinguishedName> name = DistinguishedName.parse(selector);
            List<X509Certificate> trusted = trust.trusted().stream()
                    .map(Recipient::certificate)
                    .filter(entry -> name.equals(Optional.of(DistinguishedName.of(entry.getSubjectX500Principal()))))
                    .toList();
            if (party.isPresent()) {
                take(Folder.RECIPIENTS, party.get().name());
                X509Certificate signing =
                        new PartyCheck(directory, trust).certificateFor(CertificateUse.SIGNING, party.get());
                takePath(selector, signing, policy);
            } else if (there(Folder.TRUST).containsKey(issuer)) {
                take(Folder.TRUST, issuer);
            } else if (!trusted.isEmpty()) {
                trusted.forEach(certificate -> takePath(selector, certificate, policy));
            } else {
                throw CliException.failure(
                                policy + "no certificate of '" + Failures.oneLine(selector) + "' in " + home.root())
                        .hint("--home names the home of the broker, or one with its certificates");
            }
        }

        /** Takes the certificates that vouch for this one. */
        private void takePath(String selector, X509Certificate certificate, String policy) {
            try {
                for (X509Certificate step : trust.verify(certificate, List.of(), CertificateUse.SIGNING, now)
                        .path()) {
                    for (Folder folder : List.of(Folder.RECIPIENTS, Folder.TRUST)) {
                        there(folder).values().stream()
                                .filter(entry -> entry.certificates().contains(step))
                                .forEach(entry -> take(folder, entry.name()));
                    }
                }
            } catch (CertificateRejectedException e) {
                throw CliException.failure(policy + "signer '" + Failures.oneLine(selector) + "' cannot be used: "
                                + e.getMessage())
                        .causedBy(e);
            }
        }

        /**
         * Takes the entries of parties that are issuers, too. A home does not believe the names that a party issues,
         * and the consumer's must not either.
         */
        private void takePartiesOfIssuers() {
            for (Entry issuer : List.copyOf(taken(Folder.TRUST).values())) {
                List<X509Certificate> issuers = issuer.certificates().stream()
                        .filter(certificate -> certificate.getBasicConstraints() >= 0)
                        .toList();
                there(Folder.RECIPIENTS).values().stream()
                        .filter(party ->
                                !issuers.isEmpty() && (party.name().equals(issuer.name()) || isParty(party, issuers)))
                        .forEach(party -> take(Folder.RECIPIENTS, party.name()));
            }
        }

        private static boolean isParty(Entry party, List<X509Certificate> issuers) {
            X509Certificate first = party.certificates().get(0);
            return issuers.stream()
                    .anyMatch(issuer -> issuer.getPublicKey().equals(first.getPublicKey())
                            || issuer.getSubjectX500Principal().equals(first.getSubjectX500Principal()));
        }

        private void takeAll(Folder folder) {
            there(folder).keySet().forEach(name -> take(folder, name));
        }

        private void take(Folder folder, String name) {
            Entry entry = there(folder).get(name);
            if (entry != null) {
                if (taken(folder).size() >= folder.mostFiles) {
                    throw entry.tooLarge();
                }
                taken(folder).put(name, entry.exported());
            }
        }
    }
}
