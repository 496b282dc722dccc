/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.testkit.BrokerInstance;
import org.signetmq.testkit.Distribution;
import org.signetmq.testkit.Run;
import org.signetmq.testkit.Tier;

/** The commands of docs/administration.md, against the published broker. */
@Tag(Tier.LONG)
final class AdministrationGuideIT {
    private static final Path GUIDE = Path.of("../docs/administration.md");
    private static final Pattern BLOCK = Pattern.compile("(?s)```sh\n(.*?)```");
    private static final String INSTANCE = "/var/lib/artemis";
    private static final String HOME = "/var/lib/signet";
    private static final String URL = "tcp://localhost:61616";

    @TempDir
    private Path folder;

    private final List<Run> runs = new ArrayList<>();

    private static List<String> commands() throws IOException {
        return BLOCK.matcher(Files.readString(GUIDE))
                .results()
                .map((MatchResult block) -> block.group(1))
                .flatMap(String::lines)
                .toList();
    }

    @Test
    void tenCommands_protectAQueue() throws Exception {
        List<String> commands = commands();
        assertThat(commands).hasSize(10);
        Signet signet = new Signet(folder);
        assertThat(commands.get(0)) // which the next line runs, with a free port
                .isEqualTo("artemis create /var/lib/artemis --user " + BrokerInstance.USER
                        + " --password \"$SIGNET_BROKER_PASSWORD\" --require-login");
        try (BrokerInstance broker = BrokerInstance.create(Distribution.ARTEMIS_2_56, folder.resolve("broker"))) {
            for (String command : commands.subList(1, commands.size())) {
                run(command, signet, broker);
            }
            assertThat(out("policy set")).contains("orders.#: confidentiality, policies 0 -> 1");
            assertThat(out("broker seal")).startsWith("orders.eu: 3 sealed, 0 sealed before, 0 left in clear");
            assertThat(out("queue browse")).contains("confidentiality");
            assertThat(out("queue browse").split("confidentiality", -1)).hasSize(4);
            signet.in("home", "doctor", "--broker", broker.url(), "--user", BrokerInstance.USER)
                    .ok();
        }
    }

    /** Returns the output of the command with these words. */
    private String out(String words) {
        return runs.stream()
                .filter(run -> String.join(" ", run.command()).contains(" " + words + " "))
                .findFirst()
                .orElseThrow()
                .out();
    }

    private void run(String command, Signet signet, BrokerInstance broker) throws Exception {
        List<String> words = Stream.of(command.split(" "))
                .map(word -> word.replace(INSTANCE, broker.folder().toString())
                        .replace(HOME, folder.resolve("home").toString())
                        .replace(URL, broker.url())
                        .replace("\"$SIGNET_BROKER_PASSWORD\"", BrokerInstance.PASSWORD))
                .toList();
        if (words.get(0).equals("signet")) {
            runs.add(signet.in("home", withoutHome(words)).ok());
        } else if (words.contains("run")) {
            broker.start();
        } else {
            List<String> producer = new ArrayList<>(words.subList(1, words.size()));
            producer.addAll(List.of("--url", broker.url()));
            runs.add(broker.artemis(producer.toArray(String[]::new)).ok());
        }
    }

    private String[] withoutHome(List<String> words) {
        List<String> rest = new ArrayList<>(words.subList(1, words.size()));
        int home = rest.indexOf("--home");
        if (home >= 0) {
            assertThat(rest.get(home + 1)).isEqualTo(folder.resolve("home").toString());
            rest.subList(home, home + 2).clear();
        }
        return rest.toArray(String[]::new);
    }
}
