/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.bundle;

import java.io.IOException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.command.bundle.document.Bundle;
import org.signetmq.cli.command.bundle.document.BundleEntry;
import org.signetmq.cli.command.bundle.document.BundleLimits;
import org.signetmq.cli.command.bundle.document.HomeFolder;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.Failures;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.trust.CertificateTrust;
import org.signetmq.policy.CertificateInclusion;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;

/**
 * Collects what a consumer of some addresses needs of a home: the policies, the certificates of the signers and brokers
 * that these name, the trusted certificates that vouch for them, and the revocation lists. Not thread-safe.
 */
final class BundleCollection {
    private static final Pattern ISSUER = Pattern.compile(".*;\\s*issuer\\s*=\\s*([^;]+)", Pattern.DOTALL);

    private final Home home;
    private final RecipientDirectory directory;
    private final CertificateTrust trust;
    private final Instant now;
    private final Map<HomeFolder, Map<String, HomeFolder.Found>> there = new EnumMap<>(HomeFolder.class);
    private final Map<HomeFolder, Map<String, BundleEntry>> taken = new EnumMap<>(HomeFolder.class);

    BundleCollection(Home home, Instant now) throws IOException {
        this.home = home;
        this.directory = home.recipientDirectory();
        this.trust = home.certificateTrust();
        this.now = now;
        for (HomeFolder folder : HomeFolder.values()) {
            there.put(folder, folder.read(home));
        }
    }

    /**
     * Collects a bundle.
     *
     * @param all the policies in force
     * @param recipient the name of the consumer's identity, or null
     */
    Bundle collect(PolicySet all, List<String> addresses, @Nullable String recipient, Duration validity) {
        PolicySet policies = policies(all, addresses);
        List<Policy> applied = applied(policies, addresses);
        Bundle.Consumer consumer = recipient == null ? null : consumer(recipient, applied);
        List<Policy> signing =
                applied.stream().filter(policy -> policy.quality().signs()).toList();
        for (Policy policy : signing) {
            Stream.concat(policy.signing().signers().stream(), policy.signing().brokers().stream())
                    .forEach(selector -> takeParty(policy, selector));
            if (policy.signing().signers().isEmpty()) { // every trusted signer is accepted
                there(HomeFolder.TRUST).keySet().forEach(name -> take(HomeFolder.TRUST, name));
                if (policy.signing().certificate() == CertificateInclusion.REFERENCED) {
                    there(HomeFolder.RECIPIENTS).keySet().forEach(name -> take(HomeFolder.RECIPIENTS, name));
                }
            }
        }
        takePartiesOfIssuers();
        if (!taken(HomeFolder.TRUST).isEmpty()) {
            there(HomeFolder.CRL).keySet().forEach(name -> take(HomeFolder.CRL, name));
        }
        byte[] id = new byte[16];
        new SecureRandom().nextBytes(id);
        return new Bundle(
                HexFormat.of().formatHex(id),
                now,
                now.plus(validity),
                consumer,
                addresses,
                policies,
                taken.values().stream()
                        .flatMap(entries -> entries.values().stream())
                        .toList());
    }

    private static PolicySet policies(PolicySet all, List<String> addresses) {
        Set<Policy> wanted = new LinkedHashSet<>();
        List<String> without = new ArrayList<>();
        for (String address : addresses) {
            List<Policy> deciding;
            try {
                deciding = all.deciding(address);
            } catch (InvalidPolicyException e) {
                throw CliException.usage("--address " + Failures.oneLine(address) + ": "
                        + e.problems().get(0).message());
            }
            if (deciding.isEmpty()) {
                without.add("no policy covers '" + Failures.oneLine(address) + "'");
            }
            wanted.addAll(deciding);
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

    /** Returns the policies as they apply to these addresses, with the recovery recipients and values of variables. */
    private static List<Policy> applied(PolicySet policies, List<String> addresses) {
        return addresses.stream()
                .flatMap(address -> policies.deciding(address).stream()
                        .map(policy -> policies.applied(policy, address).policy()))
                .distinct()
                .toList();
    }

    /** Returns the consumer, who must be able to open what the policies encrypt. */
    private Bundle.Consumer consumer(String name, List<Policy> policies) {
        Recipient consumer = directory
                .find(name)
                .orElseThrow(
                        () -> CliException.failure("recipient '" + name + "': no certificate in " + home.recipients()));
        List<String> closed = policies.stream()
                .filter(policy -> policy.quality().encrypts())
                .filter(policy -> policy.encryption().recipients().stream()
                        .flatMap(selector -> directory.find(selector).stream())
                        .noneMatch(other -> other.certificate()
                                .getPublicKey()
                                .equals(consumer.certificate().getPublicKey())))
                .map(policy -> Failures.oneLine(policy.pattern()) + ": '" + name + "' is not among its recipients")
                .toList();
        if (!closed.isEmpty()) {
            throw CliException.failure("recipient '" + name + "': could not open messages of these addresses")
                    .details(closed)
                    .hint("signet policy add-recipient adds it, or name fewer addresses");
        }
        return new Bundle.Consumer(
                requireName(consumer.name()), consumer.keyIdentifier().toString());
    }

    private void takeParty(Policy policy, String selector) {
        if (EffectivePolicy.isIncomplete(selector)) {
            throw CliException.failure("policy for '" + Failures.oneLine(policy.pattern()) + "': its signer '"
                            + Failures.oneLine(selector.substring(1)) + "' depends on the address")
                    .hint("--address names an address with words in place of the variables, such as tenant.acme.#");
        }
        Optional<Recipient> party = directory.find(selector);
        Matcher issued = ISSUER.matcher(selector);
        List<Recipient> trusted = party.isEmpty() ? trusted(selector) : List.of();
        if (party.isPresent()) {
            take(HomeFolder.RECIPIENTS, party.get().name());
            takePath(policy, selector, party.get().certificate());
        } else if (issued.matches()
                && there(HomeFolder.TRUST).containsKey(issued.group(1).strip())) {
            take(HomeFolder.TRUST, issued.group(1).strip());
        } else if (!trusted.isEmpty()) {
            trusted.forEach(entry -> takePath(policy, selector, entry.certificate()));
        } else {
            throw CliException.failure("policy for '" + Failures.oneLine(policy.pattern()) + "': no certificate of '"
                            + Failures.oneLine(selector) + "' in " + home.root())
                    .hint("--home names the home of the broker, or one with its certificates");
        }
    }

    private List<Recipient> trusted(String selector) {
        Optional<DistinguishedName> name = DistinguishedName.parse(selector);
        return trust.trusted().stream()
                .filter(entry -> name.filter(
                                DistinguishedName.of(entry.certificate().getSubjectX500Principal())::equals)
                        .isPresent())
                .toList();
    }

    /** Takes the certificates that vouch for this one. */
    private void takePath(Policy policy, String selector, X509Certificate certificate) {
        try {
            for (X509Certificate step : trust.verify(certificate, List.of(), CertificateUse.SIGNING, now)
                    .path()) {
                for (HomeFolder folder : List.of(HomeFolder.RECIPIENTS, HomeFolder.TRUST)) {
                    there(folder).values().stream()
                            .filter(found -> found.entry().certificates().contains(step))
                            .forEach(found -> take(folder, found.entry().name()));
                }
            }
        } catch (CertificateRejectedException e) {
            throw CliException.failure("policy for '" + Failures.oneLine(policy.pattern()) + "': signer '"
                            + Failures.oneLine(selector) + "' cannot be used: " + e.getMessage())
                    .causedBy(e);
        }
    }

    /**
     * Takes the entries of parties that are issuers, too. A home does not believe the names that a party issues, and
     * the consumer's must not either.
     */
    private void takePartiesOfIssuers() {
        for (BundleEntry issuer : List.copyOf(taken(HomeFolder.TRUST).values())) {
            List<X509Certificate> issuers = issuer.certificates().stream()
                    .filter(certificate -> certificate.getBasicConstraints() >= 0)
                    .toList();
            there(HomeFolder.RECIPIENTS).values().stream()
                    .map(HomeFolder.Found::entry)
                    .filter(party ->
                            !issuers.isEmpty() && (party.name().equals(issuer.name()) || isParty(party, issuers)))
                    .forEach(party -> take(HomeFolder.RECIPIENTS, party.name()));
        }
    }

    private static boolean isParty(BundleEntry party, List<X509Certificate> issuers) {
        X509Certificate first = party.certificates().get(0);
        return issuers.stream()
                .anyMatch(issuer -> issuer.getPublicKey().equals(first.getPublicKey())
                        || issuer.getSubjectX500Principal().equals(first.getSubjectX500Principal()));
    }

    /** Returns the files of a folder of the home. */
    private Map<String, HomeFolder.Found> there(HomeFolder folder) {
        return there.getOrDefault(folder, Map.of());
    }

    /** Returns the files that the bundle has of a folder. */
    private Map<String, BundleEntry> taken(HomeFolder folder) {
        return taken.computeIfAbsent(folder, any -> new TreeMap<>());
    }

    private void take(HomeFolder folder, String name) {
        HomeFolder.Found found = there(folder).get(name);
        if (found == null) {
            return;
        }
        BundleEntry entry = found.entry();
        if (entry.encoded().size() > BundleLimits.IN_FILE
                || entry.decoded().stream().anyMatch(der -> der.length > BundleLimits.bytes(folder))
                || taken(folder).size() >= BundleLimits.files(folder)) {
            throw CliException.failure(
                    entry.path() + ": a bundle cannot have it, by its size; docs/format.md lists the limits");
        }
        taken(folder).put(requireName(name), entry);
    }

    private static String requireName(String name) {
        if (!BundleLimits.NAME.matcher(name).matches()) {
            throw CliException.failure("'" + Failures.oneLine(name) + "': a bundle cannot have a file of this name")
                    .hint("rename the file to letters, digits, '.', '-' or '_', and change the policies that name it");
        }
        return name;
    }
}
