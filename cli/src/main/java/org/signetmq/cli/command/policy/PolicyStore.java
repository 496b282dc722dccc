/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.CliException;
import org.signetmq.envelope.SignedPolicies;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.file.WholeFile;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.HomeReader;
import org.signetmq.keystore.home.PartyCheck;
import org.signetmq.keystore.trust.CertificateEnd;
import org.signetmq.keystore.trust.CertificateTrust;
import org.signetmq.keystore.trust.SignerMatch;
import org.signetmq.keystore.trust.TrustedCertificate;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicyProblem;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.SealingPlace;
import org.signetmq.policy.file.PolicyFile;

/**
 * The policies in the file of a home, whose certificates judge the names in them. Two commands that change them at the
 * same time come one after the other.
 */
public record PolicyStore(Home home, Clock clock) implements PolicyTarget {
    private static final int MOST_WARNINGS = 20;

    /** The policies of a home by the clock of the system. */
    public PolicyStore(Home home) {
        this(home, Clock.systemUTC());
    }

    @Override
    public String name() {
        return home.root().toString();
    }

    /** Returns the policies; none if there is no file. */
    @Override
    public PolicySet read() throws IOException {
        try {
            return document()
                    .map(document -> PolicyFile.parse(document.json(), PartyValidator.acceptAll()))
                    .orElse(PolicySet.EMPTY);
        } catch (InvalidPolicyException e) {
            throw CliException.configuration(home.policies() + ": cannot be used")
                    .details(problems(e))
                    .causedBy(e);
        }
    }

    /** Returns the content of the file, whoever signed it; empty if there is no file. */
    private Optional<SignedPolicies> document() throws IOException {
        return Files.exists(home.policies())
                ? Optional.of(SignedPolicies.read(home.policies(), List.of()))
                : Optional.empty();
    }

    @Override
    public PartyValidator parties() {
        return parties(home.reader());
    }

    /** Returns the recipients and the trust of a home, with the certificates that its policies bring. */
    public static HomeReader reader(Home home, PolicySet policies) {
        HomeReader reader = home.reader();
        reader.use(policies.settings().certificates());
        return reader;
    }

    private static PartyValidator parties(HomeReader reader) {
        PartyCheck check = new PartyCheck(reader, reader);
        return new PartyValidator(
                check::problemWithRecipient, check::problemWithSigner, texts -> parties(reader.with(texts)));
    }

    @Override
    public Applied replace(PolicySet before, PolicySet after, boolean dryRun) throws IOException {
        PolicySet now = dryRun ? after : replace(after, before.version());
        return new Applied(before, now, warnings(before, after), null);
    }

    /**
     * Puts policies in place of those with a version under a lock, and returns those in force after it.
     *
     * @param wanted their version does not count
     * @throws CliException if there is another version by now
     */
    public PolicySet replace(PolicySet wanted, long seen) throws IOException {
        PolicySet next = PolicySet.of(seen + 1, wanted.settings(), wanted.policies());
        return write(next, null, seen);
    }

    /** Takes a document that an officer of the home signed, if the home has one. */
    @Override
    public Applied load(SignedPolicies document, PolicySet policies, boolean dryRun) throws IOException {
        var unused = SignedPolicies.open(document.text(), home.officers());
        PolicySet before = read();
        if (policies.version() <= before.version()) {
            throw InvalidPolicyException.of(
                    "version", policies.version() + " is not greater than " + before.version() + ", which is in force");
        }
        PolicySet now = dryRun ? policies : write(policies, document.text(), before.version());
        return new Applied(before, now, warnings(before, policies), null);
    }

    /** Writes policies, signed as this text or unsigned, in place of those with this version, and returns them. */
    @SuppressWarnings("try") // the lock is only held
    private PolicySet write(PolicySet next, @Nullable String signed, long seen) throws IOException {
        WholeFile.makeFolder(home.root());
        try (FileChannel lock = new WholeFile(home.root().resolve(".policies.lock")).lock()) {
            PolicySet before = read();
            if (before.version() != seen) {
                String written =
                        Files.getLastModifiedTime(home.policies()).toInstant().toString();
                throw new LastChange(before.version(), null, null, written)
                        .overtaking(home.policies().toString(), seen);
            }
            if (signed == null && PolicyTarget.isSame(before, next)) {
                return before;
            }
            if (signed == null) {
                requireUnsigned();
            }
            WholeFile file = new WholeFile(home.policies());
            file.write(
                    signed == null ? PolicyFile.bytes(next) : signed.getBytes(StandardCharsets.US_ASCII),
                    file.permissionsOr(WholeFile.READABLE));
            return next;
        }
    }

    /** Rejects an edit that would take away the signature. */
    private void requireUnsigned() throws IOException {
        if (!home.officers().isEmpty()
                || document().flatMap(SignedPolicies::signer).isPresent()) {
            throw CliException.failure(home.policies() + ": an officer signs these policies, and nothing was changed")
                    .hint(
                            "signet policy export --out FILE, edit FILE, signet policy sign FILE --as OFFICER --out SIGNED,"
                                    + " signet policy import SIGNED");
        }
    }

    /** Returns what is wrong with the file, and what soon will be with the policies that the change brought. */
    private List<String> warnings(PolicySet before, PolicySet after) {
        List<Policy> fresh = after.policies().stream()
                .filter(policy -> !before.contains(policy))
                .toList();
        List<String> warnings = new ArrayList<>();
        if (!fresh.isEmpty()) { // the broker judges the file as a whole
            PolicyFile.problems(after, parties())
                    .forEach(problem -> warnings.add("another policy will not do: " + problem));
        }
        warnings.addAll(endings(Stream.concat(
                fresh.stream()
                        .filter(policy -> policy.quality().encrypts())
                        .flatMap(policy -> policy.encryption().recipients().stream()),
                after.recovery().stream().filter(name -> !before.recovery().contains(name)))));
        BrokerSigner.problems(home, fresh, clock.instant())
                .forEach(problem -> warnings.add(problem + "; " + BrokerSigner.REMEDY));
        return warnings;
    }

    /** Returns a line for each of these recipients whose certificate ends within 30 days, at most twenty. */
    private List<String> endings(Stream<String> names) {
        List<String> all =
                names.distinct().flatMap(name -> ending(name).stream()).toList();
        if (all.size() <= MOST_WARNINGS) {
            return all;
        }
        List<String> first = new ArrayList<>(all.subList(0, MOST_WARNINGS));
        first.add("certificates of " + (all.size() - MOST_WARNINGS) + " more recipients end within 30 days");
        return first;
    }

    private Optional<String> ending(String name) {
        Instant now = clock.instant();
        try {
            return home.recipientDirectory()
                    .find(name)
                    .map(recipient -> CertificateEnd.of(recipient.certificate(), now))
                    .filter(end -> end.isNear() && !end.isPast())
                    .map(end -> "recipient '" + name + "': its certificate " + end.inWords()
                            + "; put a new one into recipients/ before, or messages are rejected then");
        } catch (KeystoreUnusableException e) {
            return Optional.empty(); // the judge of the policy tells it
        }
    }

    /** Returns the policy of exactly this pattern. */
    public static Policy exactly(String pattern, PolicySet policies) {
        return policies.named(pattern)
                .orElseThrow(() -> CliException.failure("policy for '" + pattern + "': none is set")
                        .hint("signet policy list shows all, signet policy explain the one that applies"));
    }

    /** Returns a line for each problem. */
    public static List<String> problems(InvalidPolicyException rejection) {
        return rejection.problems().stream().map(PolicyProblem::toString).toList();
    }

    /**
     * Finds policies of a home under which its broker may not sign. A broker has the identity {@code broker} unless its
     * configuration names another one, so a home without it has none. A running broker judges by its own identity.
     */
    public static final class BrokerSigner {
        private static final String BROKER = "broker";
        private static final int MOST = 20;

        /** The remedy for each problem. */
        public static final String REMEDY =
                "add '" + BROKER + "' with signet policy add-signer, or set --where client if producers seal";

        private BrokerSigner() {}

        /** Returns the identity of the broker of a home; empty if the home has none, or no certificate of it. */
        public static Optional<Recipient> of(Home home) {
            return home.identityStore().names().contains(BROKER)
                    ? home.recipientDirectory().find(BROKER)
                    : Optional.empty();
        }

        /** Returns a line for each of these policies under which the broker of a home may not sign, at most twenty. */
        public static List<String> problems(Home home, List<Policy> policies, Instant now) {
            List<Policy> listing =
                    policies.stream().filter(BrokerSigner::listsSigners).toList();
            if (listing.isEmpty() || !home.identityStore().names().contains(BROKER)) {
                return List.of();
            }
            CertificateTrust trust = home.certificateTrust();
            TrustedCertificate broker = certificate(home, trust, now);
            if (broker == null) {
                return List.of();
            }
            SignerMatch match = new SignerMatch(home.recipientDirectory(), trust);
            List<String> lines = new ArrayList<>();
            int left = 0;
            for (Policy policy : listing) {
                if (policy.signing().signers().stream().noneMatch(selector -> match.matches(broker, selector))) {
                    if (lines.size() < MOST) {
                        lines.add(policy.pattern() + ": a broker of this home rejects messages in clear: its identity '"
                                + BROKER + "' is none of the signers");
                    } else {
                        left++;
                    }
                }
            }
            if (left > 0) {
                lines.add("the same of " + left + " more policies");
            }
            return lines;
        }

        /** Whether the broker signs by a policy, and only names that are known now may sign. */
        private static boolean listsSigners(Policy policy) {
            List<String> signers = policy.signing().signers();
            return policy.quality().provesSender()
                    && policy.acceptance().where() != SealingPlace.CLIENT
                    && !signers.isEmpty()
                    && signers.stream().noneMatch(Policy::isByAddress);
        }

        private static @Nullable TrustedCertificate certificate(Home home, CertificateTrust trust, Instant now) {
            try {
                return home.recipientDirectory()
                        .find(BROKER)
                        .map(own -> trust.verify(own.certificate(), List.of(), CertificateUse.SIGNING, now))
                        .orElse(null);
            } catch (CertificateRejectedException | KeystoreUnusableException unusable) { // doctor tells it
                return null;
            }
        }
    }
}
