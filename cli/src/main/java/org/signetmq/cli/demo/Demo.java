/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.demo;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.activemq.artemis.core.config.impl.SecurityConfiguration;
import org.apache.activemq.artemis.core.remoting.server.RemotingService;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.spi.core.security.ActiveMQJAASSecurityManager;
import org.apache.activemq.artemis.spi.core.security.jaas.InVMLoginModule;
import org.apache.activemq.artemis.utils.FileUtil;
import org.signetmq.cli.console.CleanUp;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Failures;
import org.signetmq.cli.console.Progress;
import org.signetmq.cli.console.ReportingCommand;
import org.signetmq.cli.console.TextTable;
import org.signetmq.cli.demo.Demo.Lane;
import org.signetmq.envelope.Opener;
import org.signetmq.envelope.Sealer;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentityRequest;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.file.WholeFile;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Password;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.SealingPlace;
import org.signetmq.policy.file.PolicyFile;
import org.signetmq.policy.text.Quoted;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The whole path for some messages per lane: producers, a broker with the plugin, a search, a consumer.
 *
 * @param messages of each lane
 * @param where the broker seals the messages of ordinary producers, or the producers seal and the broker checks
 * @param parent of the folder of the run
 * @param progress takes what is being done
 */
public record Demo(int messages, SealingPlace where, Path parent, Consumer<String> progress) {
    /** The result of a run. The names of the components are those in JSON; {@code docs/cli.md} describes them. */
    record Report(List<Row> rows, String where, int clearRefused, long searchedFiles, long searchedBytes, boolean ok) {
        /** Microseconds to seal and to open a message, on average. */
        record Timing(double sealMicros, double openMicros) {}

        /** The fate of the messages of one protocol under one quality. */
        record Row(
                String protocol,
                String quality,
                int sent,
                int opened,
                double bytesAdded,
                int foundInClear,
                boolean hidden,
                double sealMicros,
                double openMicros,
                boolean ok) {

            /**
             * Returns the row. It is ok if all messages arrived and none is in clear on disk, or all are where nothing
             * hides them.
             */
            static Row of(Lane lane, DemoClients.Received received, int foundInClear, Timing timing) {
                boolean hidden = lane.quality().encrypts();
                return new Row(
                        lane.protocol() == Lane.Protocol.CORE
                                ? "Core/JMS"
                                : lane.protocol().name(),
                        lane.quality().label(),
                        received.sent(),
                        received.opened(),
                        rounded(received.bytesAdded()),
                        foundInClear,
                        hidden,
                        rounded(timing.sealMicros()),
                        rounded(timing.openMicros()),
                        received.opened() == received.sent() && foundInClear == (hidden ? 0 : received.sent()));
            }

            private static double rounded(double value) {
                return Math.round(value * 10) / 10.0;
            }
        }
    }

    /** Runs it, and leaves nothing behind. */
    Report run() throws Exception {
        try (CleanUp cleanUp = new CleanUp()) {
            Path folder = Files.createTempDirectory(parent, "signet-demo-"); // mode 0700
            cleanUp.add(() -> FileUtil.deleteDirectory(folder.toFile()));
            progress.accept("creating identities and policies");
            PolicySet policies = DemoHome.policies(where);
            DemoHome ofBroker = DemoHome.create(folder, DemoHome.BROKER, policies);
            DemoHome ofConsumer = DemoHome.create(folder, DemoHome.CONSUMER, policies);
            DemoHome ofProducer = where == SealingPlace.CLIENT
                    ? DemoHome.create(folder, DemoHome.PRODUCER, policies)
                    : ofBroker; // the broker seals for producers without a home
            List<DemoHome> homes =
                    Stream.of(ofBroker, ofConsumer, ofProducer).distinct().toList();
            for (DemoHome home : homes) {
                for (DemoHome other : homes) {
                    home.trust(other);
                }
            }
            progress.accept("starting the broker");
            DemoBroker broker = DemoBroker.start(folder);
            cleanUp.add(broker::stop);
            Payloads payloads = new Payloads();
            DemoClients clients = new DemoClients(broker, ofProducer, ofConsumer, where);
            int clearRefused = 0;
            for (Lane lane : Lane.all()) {
                progress.accept("sending to " + lane.address());
                clients.send(lane, payloads.of(lane, messages));
                if (clients.seal(lane)) {
                    clearRefused += clients.isRefusedInClear(lane, payloads.payload(lane, messages)) ? 1 : 0;
                }
            }
            progress.accept("searching the broker's files");
            LongSummaryStatistics searched = payloads.search(broker.data());
            Map<Lane, DemoClients.Received> received = new LinkedHashMap<>();
            for (Lane lane : Lane.all()) {
                progress.accept("opening " + lane.address());
                received.put(lane, clients.receive(lane, payloads.of(lane, messages)));
            }
            progress.accept("searching the broker's files again");
            broker.stop();
            payloads.search(broker.data());
            List<Report.Row> rows = new ArrayList<>();
            Stopwatch stopwatch = new Stopwatch(
                    cleanUp.add(ofProducer.sealer()),
                    ofProducer.identity(),
                    cleanUp.add(ofConsumer.opener(policies)),
                    policies);
            progress.accept("warming up");
            Lane.all().forEach(lane -> stopwatch.time(lane, payloads.of(lane, messages)));
            for (Map.Entry<Lane, DemoClients.Received> entry : received.entrySet()) {
                Lane lane = entry.getKey();
                progress.accept("timing " + lane.address());
                Report.Timing timing = stopwatch.time(lane, payloads.of(lane, messages));
                rows.add(Report.Row.of(lane, entry.getValue(), payloads.found(lane), timing));
            }
            long protectedLanes = Lane.all().stream().filter(clients::seal).count();
            return new Report(
                    rows,
                    where.label(),
                    clearRefused,
                    searched.getCount(),
                    searched.getSum(),
                    clearRefused == protectedLanes && rows.stream().allMatch(Report.Row::ok));
        }
    }

    /** Times sealing by the keys that sealed and opening by the consumer's, on one thread and without a broker. */
    private record Stopwatch(Sealer sealer, Identity signer, Opener opener, PolicySet policies) {
        /** Seals and opens up to 200 of the payloads. The first calls warm up. */
        Report.Timing time(Lane lane, List<String> payloads) {
            EffectivePolicy policy = policies.find(lane.address()).orElseThrow();
            List<ClearMessage> messages = payloads.stream()
                    .limit(200)
                    .map(text -> text.getBytes(StandardCharsets.UTF_8))
                    .map(body -> ClearMessage.of(lane.address(), ClearMessage.Body.TEXT, body))
                    .toList();
            long start = System.nanoTime();
            List<byte[]> envelopes = messages.stream()
                    .map(message -> sealer.seal(message, policy, signer))
                    .toList();
            long sealed = System.nanoTime();
            envelopes.forEach(envelope -> opener.open(envelope, lane.address()));
            long opened = System.nanoTime();
            double unit = 1000.0 * messages.size(); // nanoseconds per microsecond, for all messages
            return new Report.Timing((sealed - start) / unit, (opened - sealed) / unit);
        }
    }

    /**
     * The payloads of a run, and a search for them in the files of a broker. Each payload has a {@code marker = run
     * address message}, so that a search for the run finds every payload, and knows which.
     */
    static final class Payloads {
        private static final String FILLER =
                "{\"article\":\"4711\",\"amount\":1,\"price\":\"12.50\"},".repeat(18) + "{}";

        private final String run = "CLEAR" + UUID.randomUUID() + "-"; // in all payloads of a run, and nowhere else
        private final Pattern marker = Pattern.compile(run + "([a-z.]+)([0-9]{7})");
        private final Map<String, BitSet> found = new HashMap<>();

        /** Returns the first payloads of a lane. */
        List<String> of(Lane lane, int messages) {
            return IntStream.range(0, messages)
                    .mapToObj(message -> payload(lane, message))
                    .toList();
        }

        /** The payload of a message: about one kilobyte of text, unlike every other. */
        String payload(Lane lane, int message) {
            return String.format(
                    Locale.ROOT,
                    "{\"order\":%1$d,\"marker\":\"%2$s%3$s%1$07d\",\"customer\":\"Zoë\",\"lines\":[%4$s]}",
                    message,
                    run,
                    lane.address(),
                    FILLER);
        }

        /** Searches all files below a folder, keeps earlier findings, and returns the lengths of the files. */
        LongSummaryStatistics search(Path folder) throws IOException {
            LongSummaryStatistics lengths = new LongSummaryStatistics();
            searchBelow(folder, lengths);
            return lengths;
        }

        private void searchBelow(Path path, LongSummaryStatistics lengths) throws IOException {
            try {
                if (Files.isDirectory(path)) {
                    try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
                        for (Path entry : entries) {
                            searchBelow(entry, lengths);
                        }
                    }
                } else {
                    byte[] content = Files.readAllBytes(path);
                    lengths.accept(content.length);
                    searchBytes(content);
                }
            } catch (NoSuchFileException e) {
                // a running broker has deleted it; any other failure would leave a part unsearched
            }
        }

        /** UTF-8 has the characters side by side; UTF-16 of either byte order a zero between them. */
        void searchBytes(byte[] content) {
            for (byte[] characters : List.of(content, everySecond(content, 0), everySecond(content, 1))) {
                Matcher matcher = marker.matcher(new String(characters, StandardCharsets.ISO_8859_1));
                while (matcher.find()) {
                    found.computeIfAbsent(matcher.group(1), address -> new BitSet())
                            .set(Integer.parseInt(matcher.group(2)));
                }
            }
        }

        private static byte[] everySecond(byte[] content, int first) {
            byte[] taken = new byte[(content.length + 1 - first) / 2];
            for (int i = 0; i < taken.length; i++) {
                taken[i] = content[first + 2 * i];
            }
            return taken;
        }

        /** Returns the number of different messages of a lane that were found. */
        int found(Lane lane) {
            return found.getOrDefault(lane.address(), new BitSet()).cardinality();
        }
    }

    /** The messages of one protocol under one quality; they have an address of their own. */
    record Lane(Protocol protocol, QualityOfProtection quality) {
        /** The protocol of producers. */
        enum Protocol {
            CORE,
            AMQP,
            MQTT,
            STOMP
        }

        /** Every protocol under every quality. */
        static List<Lane> all() {
            return Stream.of(Protocol.values())
                    .flatMap(protocol ->
                            Stream.of(QualityOfProtection.values()).map(quality -> new Lane(protocol, quality)))
                    .toList();
        }

        /** The address, and the name of its one queue. */
        String address() {
            return "demo." + quality.label() + "." + protocol.name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * The home of the broker, the producer or the consumer. It holds the private key of its owner, and the certificates
     * of the others.
     */
    record DemoHome(Home home, Identity identity) {
        static final String BROKER = "broker";
        static final String CONSUMER = "consumer";

        static final String PRODUCER = "producer";

        /** Returns the policies of all homes. A broker that seals vouches for the senders of messages. */
        static PolicySet policies(SealingPlace where) {
            String sealed = where == SealingPlace.CLIENT ? "\"where\": \"client\"" : "\"where\": \"either\"";
            String signed = sealed
                    + (where == SealingPlace.CLIENT ? ", \"signers\": [\"producer\"]" : ", \"brokers\": [\"broker\"]");
            return PolicyFile.parse(
                    """
                {"schema": 1, "version": 1, "policies": [
                  {"pattern": "demo.none.#", "quality": "none"},
                  {"pattern": "demo.integrity.#", "quality": "integrity", @signed@},
                  {"pattern": "demo.privacy.#", "quality": "privacy", @signed@, "recipients": ["consumer"]},
                  {"pattern": "demo.confidentiality.#", "quality": "confidentiality", @sealed@, "recipients": ["consumer"]},
                  {"pattern": "demo.authenticity.#", "quality": "authenticity", @signed@, "recipients": ["consumer"]}
                ]}
                """.replace("@signed@", signed).replace("@sealed@", sealed), PartyValidator.acceptAll());
        }

        /** Makes the home of this owner below a folder. */
        static DemoHome create(Path folder, String name, PolicySet policies) throws IOException {
            Home home = new Home(folder.resolve(name + "-home"));
            String secret = UUID.randomUUID().toString();
            try (Password password = Password.takeOwnershipOf(secret.toCharArray())) {
                WholeFile.makeFolder(home.root());
                new WholeFile(home.root().resolve("password"))
                        .write(secret.getBytes(StandardCharsets.US_ASCII), WholeFile.PRIVATE);
                IdentityRequest request =
                        new IdentityRequest(name, distinguishedName(name), KeyAlgorithm.EC_P256, null);
                DemoHome created = new DemoHome(home, home.identityStore().create(request, password));
                new WholeFile(home.policies()).write(PolicyFile.bytes(policies), WholeFile.READABLE);
                return created;
            }
        }

        static String distinguishedName(String name) {
            return "CN=" + name + ",O=Signet demo";
        }

        /** Takes the certificate of the other home, as its owner would hand it over. */
        void trust(DemoHome other) throws IOException {
            if (other.equals(this)) {
                return;
            }
            String file = other.identity.name() + ".pem";
            Path certificate = other.home.recipients().resolve(file);
            Files.copy(certificate, home.recipients().resolve(file));
            Files.copy(certificate, home.trust().resolve(file));
        }

        Sealer sealer() {
            return Sealer.create(home.recipientDirectory(), home.certificateTrust());
        }

        Opener opener(PolicySet policies) {
            Opener.Keys keys = new Opener.Keys(List.of(identity), home.recipientDirectory(), home.certificateTrust());
            return Opener.create(keys, () -> policies);
        }
    }

    /** An Artemis broker with the plugin, configured by a broker.xml as any other is; on a free loopback port. */
    record DemoBroker(EmbeddedActiveMQ embedded, Path data, String password) {
        static final String HOST = "127.0.0.1";
        static final String PRODUCER = "producer";
        static final String CONSUMER = "consumer";

        /** Starts a broker that keeps its files in the folder, beside its home. */
        static DemoBroker start(Path folder) throws Exception {
            String addresses = Lane.all().stream().map(DemoBroker::address).collect(Collectors.joining());
            String xml =
                    folder.toString().replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
            Path configuration = Files.writeString(
                    folder.resolve("broker.xml"),
                    template().replace("@folder@", xml).replace("@addresses@", addresses));
            String password = UUID.randomUUID().toString();
            SecurityConfiguration users = new SecurityConfiguration(
                    Map.of(PRODUCER, password, CONSUMER, password),
                    Map.of(PRODUCER, List.of(PRODUCER), CONSUMER, List.of(CONSUMER)));
            EmbeddedActiveMQ embedded = new EmbeddedActiveMQ()
                    .setConfigResourcePath(configuration.toUri().toString())
                    .setSecurityManager(new ActiveMQJAASSecurityManager(InVMLoginModule.class.getName(), users));
            DemoBroker broker = new DemoBroker(embedded, folder.resolve("broker-data"), password);
            embedded.start();
            if (!embedded.getActiveMQServer().waitForActivation(30, TimeUnit.SECONDS)) {
                broker.stop();
                throw new IOException("broker: not active after 30 s");
            }
            return broker;
        }

        private static String template() throws IOException {
            try (InputStream in = DemoBroker.class.getResourceAsStream("broker.xml")) {
                return new String(Objects.requireNonNull(in, "broker.xml").readAllBytes(), StandardCharsets.UTF_8);
            }
        }

        /** Returns a queue that exists before the first message; MQTT publishes by multicast. */
        private static String address(Lane lane) {
            String routing = lane.protocol() == Lane.Protocol.MQTT ? "multicast" : "anycast";
            return "      <address name=\"%1$s\"><%2$s><queue name=\"%1$s\"/></%2$s></address>%n"
                    .formatted(lane.address(), routing);
        }

        int port() {
            RemotingService remoting = embedded.getActiveMQServer().getRemotingService();
            return remoting.getAcceptor("all").getActualPort();
        }

        String url(String scheme) {
            return scheme + "://" + HOST + ":" + port();
        }

        /** Stops the broker, unless it has stopped already. */
        void stop() throws Exception {
            embedded.stop();
        }
    }

    /** The command {@code signet demo}. */
    @Command(
            name = "demo",
            description = "Shows the whole path with a real broker, on a loopback port and in a temporary folder.",
            footer = {"  signet demo", "  signet demo --where client", "  signet demo --messages 20 --json"})
    public static final class DemoCommand extends ReportingCommand {
        private static final int MOST_MESSAGES = 100_000;

        @Option(
                names = "--messages",
                paramLabel = "N",
                description = "How many messages per protocol and quality; default 200.")
        private int messages = 200;

        @Option(
                names = "--where",
                paramLabel = "PLACE",
                description =
                        "broker: ordinary producers, the broker seals (default). client: producers seal, the broker"
                                + " checks, and refuses messages in clear.")
        private String where = SealingPlace.BROKER.label();

        @Override
        public Integer call() {
            if (!where.equals(SealingPlace.BROKER.label()) && !where.equals(SealingPlace.CLIENT.label())) {
                throw usage("--where: neither broker nor client: " + Quoted.text(where));
            }
            if (messages < 1 || messages > MOST_MESSAGES) {
                throw usage("--messages: not between 1 and " + MOST_MESSAGES + ": " + messages);
            }
            Demo.Report report;
            try (Progress progress = new Progress(context)) {
                SealingPlace place = SealingPlace.valueOf(where.toUpperCase(Locale.ROOT));
                Path parent = Path.of(System.getProperty("java.io.tmpdir"));
                report = new Demo(messages, place, parent, progress::show).run();
            } catch (Exception e) {
                throw CliException.failure("demo not finished: " + Failures.inWords(e))
                        .causedBy(e);
            }
            report(report, () -> lines(report));
            return report.ok() ? ExitCode.OK : ExitCode.FAILURE;
        }

        private static List<String> lines(Demo.Report report) {
            TextTable table = TextTable.of(
                    "PROTOCOL",
                    "QUALITY",
                    "SENT",
                    "OPENED",
                    "BYTES ADDED",
                    "IN CLEAR ON DISK",
                    "SEAL µs",
                    "OPEN µs",
                    "");
            for (Demo.Report.Row row : report.rows()) {
                boolean sealed = !row.quality().equals(QualityOfProtection.NONE.label());
                table.row(
                        row.protocol(),
                        row.quality(),
                        Integer.toString(row.sent()),
                        Integer.toString(row.opened()),
                        number(row.bytesAdded()),
                        Integer.toString(row.foundInClear()),
                        sealed ? number(row.sealMicros()) : "-",
                        sealed ? number(row.openMicros()) : "-",
                        row.ok() ? "ok" : "WRONG");
            }
            List<String> lines = new ArrayList<>(table.lines());
            lines.add("");
            lines.add(String.format(
                            Locale.ROOT,
                            "Searched %d files of the broker, %.1f MiB, as UTF-8 and UTF-16. ",
                            report.searchedFiles(),
                            report.searchedBytes() / (double) (1 << 20))
                    + "Payloads of none and integrity");
            lines.add("are found because those do not encrypt; that shows that the search works.");
            if (report.where().equals(SealingPlace.CLIENT.label())) {
                lines.add("The producers sealed. The broker had no payload to seal and no key to open one. It refused");
                lines.add(report.clearRefused() + " messages in clear, one on each protected address.");
            }
            lines.add(
                    report.ok()
                            ? "All as it should be."
                            : "NOT as it should be: something is missing, or was found in clear.");
            return lines;
        }

        private static String number(double value) {
            return String.format(Locale.ROOT, "%.0f", value);
        }
    }
}
