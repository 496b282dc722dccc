/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.system;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.signetmq.testkit.BrokerInstance;
import org.signetmq.testkit.Run;

/**
 * The program signet, with homes of a broker and of a consumer.
 *
 * @param folder of the homes
 */
record Signet(Path folder) {
    static final String PASSWORD = "correct horse";
    static final String CONSUMER = "alice";

    /** Homes that know each other, with policies in both. */
    static Signet withHomes(Path folder, String address, String quality) throws IOException {
        Signet signet = new Signet(folder);
        signet.in("broker-home", "identity", "create", "broker", "--dn", "CN=broker")
                .ok();
        signet.in("consumer-home", "identity", "create", CONSUMER, "--dn", "CN=alice")
                .ok();
        signet.hand("consumer-home", "broker-home", "recipients/alice.pem");
        signet.hand("consumer-home", "broker-home", "trust/alice.pem");
        signet.hand("broker-home", "consumer-home", "recipients/broker.pem");
        signet.hand("broker-home", "consumer-home", "trust/broker.pem");
        List<String> set =
                new ArrayList<>(List.of("policy", "set", address, "--quality", quality, "--recipient", CONSUMER));
        if (quality.equals("privacy")) {
            set.addAll(List.of("--vouching-broker", "broker"));
        }
        signet.in("broker-home", set.toArray(String[]::new)).ok();
        signet.hand("broker-home", "consumer-home", "policies.json");
        return signet;
    }

    private void hand(String from, String to, String file) throws IOException {
        Path copy = folder.resolve(to).resolve(file);
        Files.createDirectories(copy.getParent());
        Files.copy(folder.resolve(from).resolve(file), copy);
    }

    /** Gives the consumer the broker's policies, as a file that is whole at once. */
    void handPolicies() throws IOException {
        Path part = folder.resolve("consumer-home/policies.part");
        Files.copy(folder.resolve("broker-home/policies.json"), part);
        Files.move(part, folder.resolve("consumer-home/policies.json"), StandardCopyOption.ATOMIC_MOVE);
    }

    Path consumerHome() {
        return folder.resolve("consumer-home");
    }

    /** Installs the plugin, which reads its policies from the file of the broker's home. */
    Run install(BrokerInstance broker) throws IOException {
        return install(broker, "--policy-store", "file", "--admin-role", BrokerInstance.ROLE);
    }

    Run install(BrokerInstance broker, String... options) throws IOException {
        List<String> command =
                new ArrayList<>(List.of("broker", "install", broker.folder().toString()));
        command.addAll(List.of(options));
        return in("broker-home", command.toArray(String[]::new));
    }

    /** Runs a command with one of the homes. */
    Run in(String home, String... arguments) throws IOException {
        Path jar = Path.of(System.getProperty("signet.jar", "../cli/target/signet.jar"))
                .toAbsolutePath()
                .normalize();
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC"));
        command.addAll(ClassArchive.options(jar));
        command.addAll(
                List.of("-jar", jar.toString(), "--home", folder.resolve(home).toString()));
        command.addAll(List.of(arguments));
        return Run.of(
                Path.of("").toAbsolutePath(),
                command,
                Map.of("SIGNET_PASSWORD", PASSWORD, "SIGNET_BROKER_PASSWORD", BrokerInstance.PASSWORD));
    }
}
