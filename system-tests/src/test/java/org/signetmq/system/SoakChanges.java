/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.system;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/** Changes that an administrator makes while messages flow: policies, a recipient's certificate, the broker's key. */
final class SoakChanges {
    private static final List<String> QUALITIES = List.of("integrity", "privacy", "confidentiality");

    private final Signet signet;
    private int policies;
    private int certificates;
    private int keys;

    SoakChanges(Signet signet) {
        this.signet = signet;
    }

    /** Sets the policies of all qualities anew; their recipients and limits alternate. */
    void changePolicies() throws IOException {
        boolean even = policies++ % 2 == 0;
        for (String quality : QUALITIES) {
            String[] options = switch (quality) {
                case "integrity" -> new String[] {"--vouching-broker", "broker"};
                case "privacy" -> recipients(even, "--vouching-broker", "broker");
                default -> recipients(even, "--key-reuse", even ? "16" : "64");
            };
            set(quality, options);
        }
        signet.handPolicies();
    }

    private void set(String quality, String... options) throws IOException {
        List<String> command =
                new ArrayList<>(List.of("policy", "set", "soak." + quality + ".#", "--quality", quality));
        command.addAll(List.of(options));
        signet.in("broker-home", command.toArray(String[]::new)).ok();
    }

    private static String[] recipients(boolean both, String option, String value) {
        return both
                ? new String[] {"--recipient", Signet.CONSUMER, "--recipient", "carol", option, value}
                : new String[] {"--recipient", Signet.CONSUMER, option, value};
    }

    /** Makes a new key for carol, a recipient that reads nothing, and lets the broker trust its certificate as well. */
    void announceCertificate() throws IOException {
        certificates++;
        signet.in(newCarol(), "identity", "create", "carol", "--dn", "CN=carol").ok();
        replace(newCarol(), "trust/carol.pem", "broker-home", "trust/carol" + certificates % 2 + ".pem");
    }

    /** Lets the broker encrypt for the certificate that was announced before. */
    void useCertificate() throws IOException {
        replace(newCarol(), "recipients/carol.pem", "broker-home", "recipients/carol.pem");
    }

    private String newCarol() {
        return "carol-home" + certificates;
    }

    /** Makes a new signing key for the broker, and lets both homes trust its certificate. */
    void announceBrokerKey() throws IOException {
        keys++;
        signet.in(newBroker(), "identity", "create", "broker", "--dn", "CN=broker" + keys)
                .ok();
        for (String home : List.of("broker-home", "consumer-home")) {
            replace(newBroker(), "trust/broker.pem", home, "trust/broker" + keys + ".pem");
        }
    }

    /** Lets the broker sign with the key that was announced before, if any was. */
    void useBrokerKey() throws IOException {
        if (keys > 0) {
            replace(newBroker(), "recipients/broker.pem", "consumer-home", "recipients/broker.pem");
            replace(newBroker(), "identities/broker.p12", "broker-home", "identities/broker.p12");
            replace(newBroker(), "recipients/broker.pem", "broker-home", "recipients/broker.pem");
        }
    }

    private String newBroker() {
        return "new-broker-home" + keys;
    }

    private void replace(String from, String source, String to, String target) throws IOException {
        Path file = signet.folder().resolve(to).resolve(target);
        Path part = file.resolveSibling(file.getFileName() + ".part");
        Files.copy(
                signet.folder().resolve(from).resolve(source),
                part,
                StandardCopyOption.REPLACE_EXISTING,
                StandardCopyOption.COPY_ATTRIBUTES);
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
