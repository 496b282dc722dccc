/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.command.policy.PolicyStore;
import org.signetmq.cli.command.policy.PolicyStore.BrokerSigner;
import org.signetmq.cli.console.CommandContext;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.home.Finding;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.HomeReader;
import org.signetmq.keystore.home.PartyCheck;
import org.signetmq.keystore.home.PermissionCheck;
import org.signetmq.keystore.home.TrustFindings;
import org.signetmq.keystore.trust.CertificateEnd;
import org.signetmq.keystore.trust.CertificateTrust;
import org.signetmq.keystore.trust.Certificates;
import org.signetmq.keystore.trust.RevocationReport;
import org.signetmq.keystore.trust.RevocationSettings;
import org.signetmq.policy.Policy;
import org.signetmq.policy.Policy.RequiredKeys;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.SealingPlace;

/**
 * The checks of a home.
 *
 * @param passwordFile a password file outside the home, or null
 * @param now the time of the checks
 */
record HomeChecks(Home home, @Nullable Path passwordFile, Instant now) {
    /** The extensions of files with certificates. */
    private static final List<String> EXTENSIONS = List.of(".pem", ".crt", ".cer", ".der");

    private static final String SUCCESSOR = "put a new certificate into ";

    static HomeChecks of(Home home, @Nullable Path passwordFile, CommandContext context) {
        return new HomeChecks(
                home,
                passwordFile == null ? null : context.resolve(passwordFile),
                context.shell().clock().instant());
    }

    /** Runs all of them. While other users may change the home, its content proves nothing. */
    void into(Report report) {
        report.check("home", this::exists);
        if (Files.isDirectory(home.root())) {
            report.check("permissions", this::permissions);
            if (report.isWrong()) {
                report.check("policies and certificates", found -> {
                    found.warn("not checked while the permissions are wrong", "correct these first");
                    return "";
                });
                return;
            }
            report.check("names in certificates", this::names);
            if (Files.exists(home.trustSettings())) {
                report.check("revocations", new RevocationChecks(home, now)::look);
            }
            report.check("policies", this::policies);
            report.check("certificates", this::certificates);
        }
    }

    private String exists(Report.Area found) {
        if (!Files.isDirectory(home.root())) {
            found.wrong(
                    "no folder " + home.root(),
                    "name the home by --home DIR or SIGNET_HOME; signet identity create makes one");
        }
        return home.root().toString();
    }

    private String permissions(Report.Area found) {
        permissionFindings().forEach(finding -> add(finding, found));
        return "other users can neither change the home nor read its secrets";
    }

    /** Returns the permissions of other users that are wrong. */
    List<Finding> permissionFindings() {
        PermissionCheck check = PermissionCheck.forThisUser().home(home);
        if (passwordFile != null) {
            check.secret(passwordFile);
        }
        return check.findings();
    }

    private String names(Report.Area found) {
        nameFindings().forEach(finding -> add(finding, found));
        return "each stands for one key";
    }

    /** Returns names that do not stand for one key. Signers are unknown while the policies are unreadable. */
    List<Finding> nameFindings() {
        return TrustFindings.of(home, signers());
    }

    private List<String> signers() {
        try {
            return new PolicyStore(home)
                    .read().policies().stream()
                            .flatMap(HomeChecks::signersOf)
                            .filter(name -> !Policy.isByAddress(name))
                            .distinct()
                            .toList();
        } catch (IOException | RuntimeException unreadable) {
            return List.of();
        }
    }

    private static Stream<String> signersOf(Policy policy) {
        return Stream.of(policy.signing().signers(), policy.signing().brokers()).flatMap(List::stream);
    }

    private static void add(Finding finding, Report.Area found) {
        found.wrong(finding.path() + ": " + finding.what(), finding.mend());
    }

    private String policies(Report.Area found) throws IOException {
        PolicySet policies = new PolicyStore(home).read();
        HomeReader trust = PolicyStore.reader(home, policies);
        PartyCheck check = new PartyCheck(trust, trust);
        Function<String, Optional<String>> anyRecipient = once(check::problemWithRecipient);
        Function<String, Optional<String>> anySigner = once(check::problemWithSigner);
        Function<String, Optional<String>> bothRecipients =
                once(name -> check.problemWithBoth(name, CertificateUse.RECEIVING));
        Function<String, Optional<String>> bothSigners =
                once(name -> check.problemWithBoth(name, CertificateUse.SIGNING));
        for (Policy policy : policies.policies()) {
            boolean both = policy.enforcement().require() == RequiredKeys.BOTH;
            Function<String, Optional<String>> recipient = both ? bothRecipients : anyRecipient;
            Function<String, Optional<String>> signer = both ? bothSigners : anySigner;
            if (policy.quality().encrypts()) {
                List<String> own = policy.encryption().recipients();
                problems(own.stream(), recipient)
                        .forEach(problem -> found.wrong(
                                policy.pattern() + ": messages are rejected: recipient: " + problem,
                                remedy(trust, problem, "name other recipients with signet policy set")));
                problems(policies.recovery().stream().filter(name -> !own.contains(name)), recipient)
                        .forEach(problem -> found.wrong(
                                policy.pattern() + ": messages are rejected: recovery recipient: " + problem,
                                remedy(trust, problem, "name others with signet policy recovery")));
            }
            if (policy.quality() == QualityOfProtection.AUTHENTICITY) {
                List<Recipient> parties = Stream.of(
                                policies.applied(policy).encryption().recipients(),
                                policy.signing().signers())
                        .flatMap(List::stream)
                        .filter(name -> !Policy.isByAddress(name)
                                && check.problemWithSigner(name).isEmpty())
                        .flatMap(name -> trust.find(name).stream())
                        .collect(Collectors.toCollection(ArrayList::new));
                String remedy = "name parties with keys on one curve with signet policy set";
                Optional<String> apart = Certificates.problemWithAgreement(parties);
                apart.ifPresent(
                        problem -> found.wrong(policy.pattern() + ": messages are rejected: " + problem, remedy));
                if (apart.isEmpty() && policy.acceptance().where() != SealingPlace.CLIENT) {
                    BrokerSigner.of(home).ifPresent(parties::add);
                    Certificates.problemWithAgreement(parties)
                            .ifPresent(problem -> found.warn(
                                    policy.pattern() + ": a broker of this home rejects messages in clear: " + problem,
                                    remedy));
                }
            }
            if (policy.quality().provesSender()) {
                problems(signersOf(policy), signer)
                        .forEach(problem -> found.wrong(
                                policy.pattern() + ": a signer that matches no signature: " + problem,
                                remedy(trust, problem, "leave this signer out with signet policy set")));
            }
        }
        BrokerSigner.problems(home, policies.policies(), now)
                .forEach(problem -> found.warn(problem, BrokerSigner.REMEDY));
        return policies.policies().size() + ", version " + policies.version();
    }

    private static Stream<String> problems(Stream<String> names, Function<String, Optional<String>> judge) {
        return names.filter(name -> !Policy.isByAddress(name)).flatMap(name -> judge.apply(name).stream());
    }

    private String remedy(CertificateTrust trust, String problem, String otherwise) {
        return trust.revocations().remedy(problem, SUCCESSOR + home.recipients() + ", or " + otherwise);
    }

    /** Returns a judgement that is made once for each name. */
    private static Function<String, Optional<String>> once(Function<String, Optional<String>> judge) {
        Map<String, Optional<String>> known = new HashMap<>();
        return name -> known.computeIfAbsent(name, judge);
    }

    private String certificates(Report.Area found) throws IOException {
        List<Recipient> parties = home.recipientDirectory().all();
        List<Recipient> trusted = home.certificateTrust().trusted();
        unread(home.recipients(), parties, found);
        unread(home.trust(), trusted, found);
        Set<X509Certificate> seen = new HashSet<>();
        parties.stream()
                .filter(party -> seen.add(party.certificate()))
                .forEach(party -> judge(
                        "recipients/" + party.name() + ".pem",
                        party,
                        SUCCESSOR + "recipients/, and before that into trust/ beside the old one",
                        found));
        CertificateEnd.withoutSuccessor(trusted).stream()
                .filter(issuer -> seen.add(issuer.certificate()))
                .forEach(issuer -> judge(
                        "trust/" + issuer.name() + ".pem",
                        issuer,
                        "put its successor beside it, and remove it after its end",
                        found));
        return parties.size() + " in recipients/, " + trusted.size() + " in trust/";
    }

    /** Finds files that contain no readable certificate. Signet skips them. */
    private static void unread(Path folder, List<Recipient> read, Report.Area found) throws IOException {
        Set<String> names = read.stream().map(Recipient::name).collect(Collectors.toSet());
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (Stream<Path> files = Files.list(folder)) {
            files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> !name.startsWith(".") && EXTENSIONS.stream().anyMatch(name::endsWith))
                    .filter(name -> !names.contains(name.substring(0, name.lastIndexOf('.'))))
                    .sorted()
                    .forEach(name -> found.wrong(
                            folder.resolve(name) + ": no certificate can be read from it, so it is not used",
                            "put a certificate into it (PEM or DER), or remove it"));
        }
    }

    private void judge(String file, Recipient owner, String remedy, Report.Area found) {
        CertificateEnd end = CertificateEnd.of(owner.certificate(), now);
        if (end.isNear()) {
            found.warn(file + " " + end.inWords(), remedy);
        }
    }

    /**
     * Checks that a home knows which certificates are revoked. It asks the addresses that are due, so that the commands
     * after it find their answers in the home.
     *
     * @param now the time of the check
     */
    record RevocationChecks(Home home, Instant now) {
        /** The time after which no further address is asked. */
        private static final Duration MOST = Duration.ofSeconds(30);

        private static final String PUT_FILES = "or put a list into crl/ or an OCSP answer into ocsp/";

        String look(Report.Area found) {
            try (CertificateTrust trust = home.certificateTrust()) {
                trust.fetchRevocations(MOST);
                RevocationReport report = trust.revocations();
                judge(report, found);
                TrustFindings.uncommitted(trust, now)
                        .ifPresent(finding -> found.warn(finding.path() + ": " + finding.what(), finding.mend()));
                if (report.settings().failure() == RevocationSettings.Failure.HARD) {
                    trust.unknownStates(now)
                            .forEach(reason -> found.wrong("rejected: " + reason, RevocationReport.LIST_REMEDY));
                }
                return words(report.settings());
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                found.warn("not checked to the end", "run this command again");
                return "";
            }
        }

        private void judge(RevocationReport report, Report.Area found) {
            report.problem()
                    .ifPresent(problem -> found.wrong(
                            problem, "correct trust.json; docs/trust.md and docs/trust.schema.json describe it"));
            report.sources().stream()
                    .filter(source -> source.problem().isPresent())
                    .forEach(source -> {
                        String what = source.address() + ": " + source.problem().orElse("");
                        String remedy = "ask the operator of that address, " + PUT_FILES;
                        if (source.until().filter(now::isBefore).isPresent()) {
                            found.warn(what + "; the last answer is still right", remedy);
                        } else {
                            found.wrong(what, remedy);
                        }
                    });
            if (report.settings().failure() == RevocationSettings.Failure.SOFT) {
                found.warn(
                        "fail is soft: a certificate is accepted while it is unknown whether it is revoked",
                        "write \"fail\": \"hard\" into trust.json when all sources answer");
            }
        }

        private static String words(RevocationSettings settings) {
            return settings.isRequired()
                    ? "crl " + word(settings.crl()) + ", ocsp " + word(settings.ocsp()) + ", fail "
                            + word(settings.failure())
                    : "lists in crl/ revoke, and no certificate needs one";
        }

        private static String word(Enum<?> choice) {
            return choice.name().toLowerCase(Locale.ROOT);
        }
    }
}
