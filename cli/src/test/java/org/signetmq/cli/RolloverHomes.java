/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.stream.Stream;
import org.signetmq.cli.CliRun.Result;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.home.Home;

/**
 * The homes of the issuer, the broker and the consumer. Certificates and requests pass between them as files, by the
 * commands of {@code docs/keys.md}.
 */
final class RolloverHomes {
    /** The signer of all messages. */
    static final String BROKER = "broker";

    /** The recipient of all messages. */
    static final String ALICE = "alice";

    private static final String CA = "ca";
    private static final String ROOT = "root";

    private final Path folder;
    private final CliRun cli;

    private RolloverHomes(Path folder) {
        this.folder = folder;
        this.cli = new CliRun(folder);
    }

    /** Makes the homes. The recipient has an RSA key. */
    static RolloverHomes create(Path folder) throws IOException {
        RolloverHomes made = new RolloverHomes(folder);
        made.run(CA, "identity create root --dn CN=root --ca");
        made.run(ALICE, "identity request alice --dn CN=alice --key-algorithm rsa-2048 --out alice.csr");
        made.run(BROKER, "identity request broker --dn CN=broker --out broker.csr");
        for (String party : List.of(ALICE, BROKER)) {
            made.sign(party);
            made.trustRoot(party);
            made.takeIn(party);
        }
        made.run(BROKER, "certificate add alice --in alice.pem");
        made.run(ALICE, "certificate add broker --in broker.pem");
        made.run(BROKER, "policy set orders.# --quality privacy --recipient alice");
        Files.copy(made.home(BROKER).policies(), made.home(ALICE).policies());
        return made;
    }

    Home home(String party) {
        return new Home(folder.resolve(party + "-home"));
    }

    /** Gives the consumer another key. The broker encrypts for it once it has the certificate. */
    void renewRecipient(String... keyAlgorithm) throws IOException {
        request(ALICE, keyAlgorithm);
        sign(ALICE);
        takeIn(ALICE);
        handOver(ALICE, BROKER);
    }

    /** Gives the broker another key. The consumer has the certificate before the broker signs with the key. */
    void renewSigner(String... keyAlgorithm) {
        request(BROKER, keyAlgorithm);
        sign(BROKER);
        run(ALICE, "certificate add broker --in broker.pem");
        takeIn(BROKER);
    }

    /** Gives the issuer another key, which the homes trust beside the former one. */
    void renewRoot() {
        run(CA, "identity renew root");
        trustRoot(ALICE);
        trustRoot(BROKER);
    }

    private void request(String party, String... keyAlgorithm) {
        run(
                party,
                "identity request " + party + " --force --out " + party + ".csr "
                        + Stream.of(keyAlgorithm)
                                .map("--key-algorithm "::concat)
                                .findFirst()
                                .orElse(""));
    }

    private void sign(String party) {
        // the operator writes the name, because from the second time on the party has another key
        run(CA, "identity sign --issuer root --dn CN=%1$s --force --in %1$s.csr --out %1$s.pem".formatted(party));
    }

    private void takeIn(String party) {
        run(party, "identity import %1$s --in %1$s.pem".formatted(party));
    }

    private void trustRoot(String party) {
        run(party, "trust add root --in " + home(CA).trust().resolve("root.pem"));
    }

    /** Replaces the certificates of a party in another home by renaming. Those of retired keys go. */
    void handOver(String party, String to) throws IOException {
        replace(home(party).recipients().resolve(party + ".pem"), home(to).recipients());
    }

    /** Ends the trust in the former root. */
    void handOverRoot() throws IOException {
        for (String party : List.of(ALICE, BROKER)) {
            replace(home(CA).trust().resolve("root.pem"), home(party).trust());
        }
    }

    private static void replace(Path file, Path to) throws IOException {
        Path hidden = to.resolve(".new");
        Files.copy(file, hidden);
        Files.move(hidden, to.resolve(file.getFileName()), StandardCopyOption.ATOMIC_MOVE);
    }

    /** Returns the former keys of an identity by the first digits of their identifiers, the newest first. */
    List<String> formerKeys(String party) {
        return home(party).identityStore().formerKeys(party);
    }

    /** Retires a key unless messages of the broker need it. Returns the exit code and what was said. */
    Result retire(String party, String key, GuardedBroker broker) {
        return broker.as(
                GuardedBroker.VIEWER,
                ("--home " + home(party).root() + " identity retire " + party + " --key " + key + " --broker "
                                + broker.url())
                        .split(" "));
    }

    /** Retires the former key of the issuer, which no message needs. */
    void retireFormerRoot() {
        List<String> former = home(CA).identityStore().formerKeys(ROOT);
        assertThat(former).hasSize(1);
        run(CA, "identity retire root --force --key " + former.get(0));
    }

    /** Returns the current and former certificates of the root that a home trusts, in this order. */
    List<X509Certificate> roots(String party) {
        return home(party).certificateTrust().trusted().stream()
                .filter(entry -> entry.name().equals(ROOT))
                .map(Recipient::certificate)
                .toList();
    }

    /** Returns the identifier of the current key of a party, as envelopes name it. */
    String currentKey(String party) {
        X509Certificate current =
                home(party).recipientDirectory().find(party).orElseThrow().certificate();
        return "ski:" + KeyIdentifier.ofKey(current);
    }

    private void run(String party, String command) {
        Result result =
                cli.run(("--home " + home(party).root() + " " + command).strip().split(" "));
        assertThat(result.exitCode())
                .as("%s: %s%n%s", party, command, result.err())
                .isEqualTo(ExitCode.OK);
    }
}
