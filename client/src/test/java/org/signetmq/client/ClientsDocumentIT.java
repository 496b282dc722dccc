/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSContext;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.envelope.Opener;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.policy.file.PolicyFile;
import org.signetmq.testkit.Tier;

/** The code of docs/clients.md runs. */
final class ClientsDocumentIT {
    private static final Path TOP = Path.of("..");
    private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    @TempDir
    private Path folder;

    @Test
    void code_isThatOfTheExamples() throws Exception {
        Path tests = TOP.resolve("client/src/test/java/org/signetmq/client");
        String source = withoutIndentation(Files.readString(tests.resolve("ClientExamples.java"))
                + Files.readString(tests.resolve("OuterTransactionIT.java")));

        assertThat(blocks())
                .hasSize(7)
                .allSatisfy(block -> assertThat(source).contains(withoutIndentation(statements(block))));
    }

    /** As a reader pastes it: the imports above a class, the rest into a method. */
    @Tag(Tier.LONG)
    @Test
    void code_compilesWithItsImportsAlone() throws Exception {
        List<String> blocks = blocks();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        for (int i = 0; i < blocks.size(); i++) {
            Path source = Files.writeString(folder.resolve("Snippet" + i + ".java"), """
                    %s
                    class Snippet%d {
                        jakarta.jms.ConnectionFactory provider;
                        java.nio.file.Path home;
                        java.nio.file.Path passwordFile;
                        org.signetmq.client.SignetConnectionFactory factory;
                        org.signetmq.envelope.Opener opener;
                        jakarta.transaction.TransactionManager transactions;
                        String topic;
                        byte[] payload;

                        Object run() throws Exception {
                            %s
                        }
                    }
                    """.formatted(
                            imports(blocks.get(i)), i, statements(blocks.get(i))));
            ByteArrayOutputStream problems = new ByteArrayOutputStream();

            int result = compiler.run(
                    null,
                    problems,
                    problems,
                    "-proc:none",
                    "-d",
                    folder.toString(),
                    "-classpath",
                    System.getProperty("java.class.path"),
                    source.toString());

            assertThat(result)
                    .as("%s", problems.toString(StandardCharsets.UTF_8))
                    .isZero();
        }
    }

    private static List<String> blocks() throws IOException {
        Matcher code = JAVA.matcher(Files.readString(TOP.resolve("docs/clients.md")));
        return code.results().map(result -> result.group(1)).toList();
    }

    private static String imports(String block) {
        return block.lines().filter(line -> line.startsWith("import ")).collect(Collectors.joining("\n"));
    }

    private static String statements(String block) {
        return block.lines()
                        .filter(line -> !line.startsWith("import "))
                        .collect(Collectors.joining("\n"))
                        .strip()
                + "\n";
    }

    @Test
    void commandThatInstallsTheLibraries_isAProfileOfTheProject() throws Exception {
        assertThat(Files.readString(TOP.resolve("docs/clients.md"))).contains("mvn -Pquick install");
        assertThat(Files.readString(TOP.resolve("pom.xml"))).contains("<id>quick</id>");
    }

    private static String withoutIndentation(String code) {
        return code.lines().map(String::strip).collect(Collectors.joining("\n"));
    }

    @Tag(Tier.LONG)
    @Test
    void examples_openWhatTheySay() throws Exception {
        PolicySet policies = PolicySet.of(
                1,
                UnmatchedAddress.PASS,
                List.of(Policy.privacy("orders.#", List.of("alice")), Policy.privacy("sensors.#", List.of("alice"))));
        try (Keys keys = new Keys(folder).forABroker();
                TestBroker broker = new TestBroker(null, null);
                Producer producer = new Producer(broker.core())) {
            Files.write(folder.resolve("policies.json"), PolicyFile.bytes(policies));
            Path password = folder.resolve(Keys.PASSWORD_FILE);
            producer.send("orders.eu", seal(keys, policies, "orders.eu"));

            assertThat(ClientExamples.receive(broker.core(), folder, password))
                    .isEqualTo("CN=bob,O=Example wrote hello");
            assertThat(ClientExamples.send(broker.core(), folder, password)).isEqualTo("sent");
            assertThat(ClientExamples.receive(broker.core(), folder, password))
                    .isEqualTo("CN=bob,O=Example wrote hello");
            assertThat(deadLetter(keys, policies, broker)).isEqualTo("orders.eu: hello");
            try (Opener opener = ClientExamples.opener(folder, password)) {
                assertThat(ClientExamples.open(opener, ClientExamples.seal(folder, password), "sensors/attic"))
                        .isEqualTo("CN=bob,O=Example wrote hello");
                assertThat(ClientExamples.open(opener, seal(keys, policies, "sensors.attic"), "sensors/attic"))
                        .isEqualTo("CN=bob,O=Example wrote hello");
            }
        }
    }

    /** One that a producer puts where the broker puts them. */
    private static String deadLetter(Keys keys, PolicySet policies, TestBroker broker) throws Exception {
        try (JMSContext context = broker.core().createContext();
                Opener opener = ClientExamples.opener(keys.folder, keys.folder.resolve(Keys.PASSWORD_FILE))) {
            BytesMessage message = context.createBytesMessage();
            message.writeBytes(seal(keys, policies, "orders.eu"));
            message.setStringProperty("_AMQ_ORIG_ADDRESS", "orders.eu");
            context.createProducer().send(context.createQueue(TestBroker.DEAD_LETTERS), message);
            return ClientExamples.deadLetter(SignetConnectionFactory.wrap(broker.core(), opener));
        }
    }

    private static byte[] seal(Keys keys, PolicySet policies, String address) {
        return keys.sealer()
                .seal(
                        ClearMessage.of(address, ClearMessage.Body.TEXT, "hello".getBytes(StandardCharsets.UTF_8)),
                        policies.find(address).orElseThrow(),
                        keys.signer());
    }
}
