/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.testkit.Distribution;
import org.signetmq.testkit.Run;
import org.yaml.snakeyaml.Yaml;

/** The images of the Dockerfile, and the pods of examples/kubernetes in them. */
final class ContainerIT {
    private static final Path EXAMPLES = Path.of("../examples/kubernetes");

    private static final String JAVA_IMAGE = "eclipse-temurin:17.0.17_10-jre-jammy";
    private static final String ARTEMIS_IMAGE = "apache/artemis:2.56.0";
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final String TEXT = "ten pounds of apples, and nobody else needs to know";
    private static final String KEY_PASSWORD = "change-me-keys";

    /** What Kubernetes gives: the user of the image, and the group of the manifest. */
    private static final Kubelet.Rights KUBERNETES = new Kubelet.Rights("10001", "10001");

    /** What a namespace of OpenShift gives: a user and a group of its own. */
    private static final Kubelet.Rights OPENSHIFT = new Kubelet.Rights("1000730000", "1000730000");

    /**
     * The files of the images. Their links lead anywhere, so they are not below target/, which plugins of Maven search.
     */
    private static Path images = Path.of("");

    private static Map<String, Image> built = Map.of();

    /** A broker without the plugin, in the folders that the operator's image has. */
    private static final String OPERATOR = """
            FROM %s AS operator
            COPY --from=%s /opt/artemis /opt/amq
            RUN /opt/amq/bin/artemis create /home/jboss/amq-broker --silent --user app --password change-me-app \
                --role admin --require-login --nio --no-autotune --no-web && chmod -R g=u /home/jboss
            """.formatted(JAVA_IMAGE, ARTEMIS_IMAGE);

    @TempDir
    private Path folder;

    private Issuer issuer;
    private Kubelet kubelet;

    @BeforeAll
    static void buildImages() throws IOException {
        Run unshared = Run.of(
                "unshare", "--mount", "--pid", "--net", "--ipc", "--uts", "--fork", "mount", "-t", "tmpfs", "tmpfs",
                "/mnt");
        if (unshared.exitCode() != 0) {
            throw new AssertionError(
                    "these tests need root and the right to make namespaces and mounts: " + unshared.text());
        }
        images = Files.createTempDirectory("signet-images-");
        Path context = Files.createDirectories(images.resolve("context"));
        Run.of("tar", "-C", context.toString(), "-xzf", Release.TAR.toString()).ok();
        Path artemis = Files.createDirectories(images.resolve("artemis-image/opt"));
        Run.of("cp", "-a", Distribution.ARTEMIS_2_56.home() + "/.", artemis.resolve("artemis") + "/")
                .ok();
        Image java = Image.ofThisMachine(images.resolve("java-image"));
        Map<String, Image> bases = Map.of(
                ARTEMIS_IMAGE,
                new Image(images.resolve("artemis-image"), Map.of(), "0:0", List.of(), List.of(), List.of()),
                JAVA_IMAGE,
                java);
        Map<String, Image> stages = new Image.Builder(images, context, bases)
                .build(Files.readString(context.resolve("signet-" + Release.VERSION + "/containers/Dockerfile")));
        Map<String, Image> operators = new Image.Builder(images, context, bases).build(OPERATOR);
        built = Map.of(
                "signet:" + Release.VERSION,
                stages.get("cli"),
                "signet-artemis:" + Release.VERSION,
                stages.get("broker"),
                "arkmq",
                operators.get("operator"));
    }

    @AfterAll
    static void removeImages() throws IOException {
        Run.of("rm", "-rf", images.toString()).ok();
    }

    @BeforeEach
    void makeSecrets() throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        issuer = new Issuer(Files.createDirectory(folder.resolve("cert-manager")));
        kubelet = new Kubelet(folder, built);
        for (String file : List.of("secrets.yaml", "policies.yaml")) {
            kubelet.apply(manifests(file));
        }
        kubelet.put("Secret", "signet-broker", issuer.issue("broker", KEY_PASSWORD));
        kubelet.put("Secret", "signet-alice", issuer.issue("alice", KEY_PASSWORD));
    }

    @AfterEach
    void unmount() {
        kubelet.close();
    }

    @Test
    void brokerOnKubernetes_whoseSecretIsRotatedUnderLoad_losesNothingAndShowsNothing() throws Exception {
        Kubelet.Pod pod = broker(KUBERNETES);
        assertThat(podOf(manifests("broker.yaml").get(1)).get("securityContext"))
                .asString()
                .contains("fsGroup=" + KUBERNETES.volumes());
        assertThat(Objects.requireNonNull(built.get("signet-artemis:" + Release.VERSION))
                        .user())
                .isEqualTo(KUBERNETES.user() + ":0");
        try (Container.Running broker = start(pod, pod.container())) {
            awaitReady(pod, broker);
            assertThat(Objects.requireNonNull(built.get("signet-artemis:" + Release.VERSION))
                            .healthcheck())
                    .isEqualTo(pod.probe("readinessProbe"));
            assertThat(broker.exec(List.of(
                                    "sh",
                                    "-c",
                                    "touch /opt/broker/etc/x /x; grep -E 'NoNewPrivs|Cap...:' /proc/self/status"))
                            .text())
                    .contains("Read-only file system", "CapEff:\t0000000000000000", "NoNewPrivs:\t1");
            try (Sending sending = new Sending(broker, folder.resolve("producer.log"))) {
                sending.awaitMore();

                Map<String, byte[]> next = issuer.issue("broker", KEY_PASSWORD);
                rotate(pod, next);
                await().atMost(PATIENCE).until(() -> broker.text().contains("\"event\":\"keys-changed\""));
                sending.awaitMore();
                assertThat(sending.rejected()).isEmpty();

                Map<String, byte[]> broken = new HashMap<>(next);
                broken.put("keystore.p12", "no key store".getBytes(StandardCharsets.UTF_8));
                rotate(pod, broken);
                sending.awaitRejection();
                assertThat(sending.rejected().get(0)).doesNotContain("/run/signet");
                Run probe = broker.exec(pod.probe("readinessProbe"));
                assertThat(probe.exitCode()).isEqualTo(1);
                assertThat(probe.text()).contains("FAILED", "identities/broker.p12: damaged, or not a PKCS#12 file");
                assertThat(broker.text()).contains("identities/broker.p12: damaged, or not a PKCS#12 file");

                rotate(pod, next);
                sending.awaitMore();
                assertThat(broker.exec(pod.probe("readinessProbe")).exitCode()).isZero();

                kubelet.put(
                        "ConfigMap", "signet-policies", Map.of("policies.json", "{".getBytes(StandardCharsets.UTF_8)));
                pod.publish();
                await().atMost(PATIENCE)
                        .until(() ->
                                broker.exec(pod.probe("readinessProbe")).text().contains("DEGRADED"));
                assertThat(broker.exec(pod.probe("readinessProbe")).exitCode()).isZero();
                sending.awaitMore();
                kubelet.apply(manifests("policies.yaml"));

                List<String> sent = sending.end();
                assertThat(opened(broker, KUBERNETES)).containsExactlyElementsOf(sent);
            }
            assertThat(filesWith(TEXT, pod.volume("messages"))).isEmpty();
            assertThat(filesWith("orders", pod.volume("messages"))).isNotEmpty();
            broker.stop();
        }
    }

    @Test
    void brokerOnOpenShift_startsWithABrokenSecret_isMended_andKeepsItsMessagesOverARestart() throws Exception {
        Map<String, byte[]> good = issuer.issue("broker", KEY_PASSWORD);
        Map<String, byte[]> broken = new HashMap<>(good);
        broken.put("keystore.p12", issuer.issue("broker", "another password").get("keystore.p12"));
        kubelet.put("Secret", "signet-broker", broken);
        Kubelet.Pod pod = broker(OPENSHIFT);
        List<String> sent;
        try (Container.Running broker = start(pod, pod.container());
                Sending sending = new Sending(broker, folder.resolve("producer.log"))) {
            sending.awaitRejection();
            Run probe = broker.exec(pod.probe("startupProbe"));
            assertThat(probe.exitCode()).isEqualTo(1);
            assertThat(probe.text()).contains("FAILED", "identities/broker.p12: ", "password");

            rotate(pod, good);
            awaitReady(pod, broker);
            sending.awaitMore();
            sent = new ArrayList<>(sending.end());

            String users = Files.readString(EXAMPLES.resolve("secrets.yaml")).replace("change-me-probe", "another");
            kubelet.apply(manifestsOf(users));
            pod.publish();
            assertThat(broker.exec(pod.probe("readinessProbe")).exitCode()).isZero();
            assertThat(broker.exec(List.of("id")).out())
                    .contains("uid=1000730000 gid=0(root) groups=0(root),1000730000");
            broker.stop();
        }
        assertThat(filesWith(TEXT, pod.volume("messages"))).isEmpty();

        // without a folder for temporary files: the native libraries cannot be unpacked, and Java does their work
        Kubelet.Pod next = broker(OPENSHIFT);
        try (Container.Running broker = start(next, next.container(false))) {
            awaitReady(next, broker);
            assertThat(broker.exec(List.of("touch", "/tmp/file")).text()).contains("Read-only file system");
            try (Sending sending = new Sending(broker, folder.resolve("next.log"))) {
                sending.awaitMore();
                sent.addAll(sending.end());
            }
            assertThat(opened(broker, OPENSHIFT)).containsExactlyElementsOf(sent);
            broker.stop();
        }
        assertThat(filesWith(TEXT, next.volume("messages"))).isEmpty();
    }

    @Test
    void brokerOfTheOperator_takesThePluginFromExtraLibraries() throws Exception {
        Map<String, Object> spec = Kubelet.map(manifests("arkmq/broker.yaml").get(0), "spec");
        Map<String, Object> plan = Kubelet.map(spec, "deploymentPlan");
        // what the operator adds: the properties, and the folder in which its init containers prepare the broker
        kubelet.put(
                "Secret",
                "signet-props",
                Map.of(
                        "broker.properties",
                        String.join("\n", Kubelet.words(spec, "brokerProperties", List.of()))
                                .getBytes(StandardCharsets.UTF_8)));
        List<Map<String, Object>> volumes = new ArrayList<>(Kubelet.list(plan, "extraVolumes"));
        volumes.add(Map.of("name", "amq-cfg-dir", "emptyDir", Map.of()));
        volumes.add(Map.of("name", "props", "secret", Map.of("secretName", "signet-props", "defaultMode", 0440)));
        List<Map<String, Object>> mounts = new ArrayList<>(Kubelet.list(plan, "extraVolumeMounts"));
        mounts.add(Map.of("name", "amq-cfg-dir", "mountPath", "/amq/init/config"));
        mounts.add(Map.of("name", "props", "mountPath", "/amq/extra/secrets/signet-props", "readOnly", true));
        List<Map<String, Object>> variables = new ArrayList<>(Kubelet.list(spec, "env"));
        variables.add(Map.of(
                "name",
                "JDK_JAVA_OPTIONS",
                "value",
                "-Dbroker.properties=/amq/extra/secrets/signet-props/broker.properties"));
        Map<String, Object> rights =
                Map.of("allowPrivilegeEscalation", false, "capabilities", Map.of("drop", List.of("ALL")));
        Map<String, Object> container =
                Map.of("image", "arkmq", "env", variables, "volumeMounts", mounts, "securityContext", rights);
        Map<String, Object> patch =
                Kubelet.map(Kubelet.list(spec, "resourceTemplates").get(0), "patch");
        Map<String, Object> init =
                new HashMap<>(Kubelet.list(podOf(patch), "initContainers").get(0));
        init.put("securityContext", rights);
        Kubelet.Pod first = kubelet.pod(
                "signet-ss-0", Map.of("containers", List.of(init), "volumes", volumes), List.of(), OPENSHIFT);
        first.container().run(first.command()).ok();

        Kubelet.Pod pod = kubelet.pod("signet-ss-0", Map.of("containers", List.of(container)), List.of(), OPENSHIFT);
        try (Container.Running broker = start(pod.container(), List.of("/home/jboss/amq-broker/bin/artemis", "run"));
                Sending sending = new Sending(broker, folder.resolve("producer.log"))) {
            sending.awaitMore();
            assertThat(broker.exec(List.of(
                                    "/usr/bin/env",
                                    "SIGNET_BROKER_PASSWORD=change-me-app",
                                    "/amq/init/config/signet/bin/signet",
                                    "broker",
                                    "status",
                                    "--broker",
                                    "tcp://localhost:61616",
                                    "--user",
                                    "app"))
                            .ok()
                            .out())
                    .contains("READY");
            List<String> sent = sending.end();
            assertThat(opened(broker, OPENSHIFT)).containsExactlyElementsOf(sent);
        }
    }

    @Test
    void commands_ofAnyUserInAReadOnlyImage_startWithTheArchivedClasses() throws Exception {
        Kubelet.Pod pod =
                kubelet.pod("signet-browse", podOf(manifests("consumer.yaml").get(0)), List.of(), OPENSHIFT);
        Container container = pod.container(false).with("SIGNET_JAVA_OPTS", "-Xlog:class+load");

        Run version = container.run(List.of("signet", "--version"));
        assertThat(version.text()).isEqualTo("signet " + Release.VERSION + "\n");

        Run identities = container.run(List.of("signet", "identity", "list")).ok();
        assertThat(identities.out()).contains("org.signetmq.cli.Main source: shared objects file (top)");
        assertThat(identities.out()).contains("CN=alice");
        assertThat(identities.err()).doesNotContain("preparing a faster start");

        Run home = container.run(List.of("signet", "doctor", "home", "--password-file", "/run/signet/home/password"));
        assertThat(home.exitCode()).as(home.text()).isZero();
        assertThat(home.err()).contains("nothing found");
    }

    private void rotate(Kubelet.Pod pod, Map<String, byte[]> secret) throws IOException {
        kubelet.put("Secret", "signet-broker", secret);
        pod.publish();
    }

    private Kubelet.Pod broker(Kubelet.Rights rights) throws IOException {
        Map<String, Object> set = manifests("broker.yaml").get(1);
        return kubelet.pod("signet-broker-0", podOf(set), List.of("messages"), rights);
    }

    private static Map<String, Object> podOf(Map<String, Object> workload) {
        return Kubelet.map(Kubelet.map(Kubelet.map(workload, "spec"), "template"), "spec");
    }

    private Container.Running start(Kubelet.Pod pod, Container container) throws IOException {
        return start(container, pod.command());
    }

    private Container.Running start(Container container, List<String> command) throws IOException {
        Path console = folder.resolve("broker.log");
        Files.deleteIfExists(console);
        Container.Running broker = container.start(console, command);
        try {
            await().atMost(PATIENCE)
                    .failFast("the broker ended", () -> !broker.isAlive())
                    .until(() -> broker.text().contains("AMQ221007: Server is now active"));
            return broker;
        } catch (RuntimeException e) {
            broker.close();
            throw new AssertionError(broker.text(), e);
        }
    }

    private static void awaitReady(Kubelet.Pod pod, Container.Running broker) {
        await().atMost(PATIENCE)
                .until(() -> broker.exec(pod.probe("startupProbe")).exitCode() == 0);
    }

    /** Returns what the command line tool opens in its own container. */
    private List<String> opened(Container.Running broker, Kubelet.Rights rights) throws IOException {
        Kubelet.Pod pod =
                kubelet.pod("signet-browse", podOf(manifests("consumer.yaml").get(0)), List.of(), rights);
        List<String> command = new ArrayList<>(pod.command());
        command.addAll(List.of("--limit", "100000"));
        return pod.container()
                .run(broker, command)
                .ok()
                .out()
                .lines()
                .map(String::strip)
                .filter(line -> line.startsWith(TEXT))
                .toList();
    }

    private static List<String> filesWith(String text, Path folder) throws IOException {
        List<String> found = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                if (new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(text)) {
                    found.add(file.toString());
                }
            }
        }
        return found;
    }

    private static List<Map<String, Object>> manifests(String file) throws IOException {
        return manifestsOf(Files.readString(EXAMPLES.resolve(file)));
    }

    private static List<Map<String, Object>> manifestsOf(String text) {
        List<Map<String, Object>> all = new ArrayList<>();
        for (Object document : new Yaml().loadAll(text)) {
            @SuppressWarnings("unchecked") // of YAML
            Map<String, Object> object = (Map<String, Object>) document;
            all.add(object);
        }
        return all;
    }

    /** Writes Secrets as cert-manager does, by OpenSSL. */
    private static final class Issuer {
        private final Path folder;

        Issuer(Path folder) throws IOException {
            this.folder = folder;
            openssl(
                    "req",
                    "-x509",
                    "-newkey",
                    "ec",
                    "-pkeyopt",
                    "ec_paramgen_curve:P-256",
                    "-nodes",
                    "-keyout",
                    "ca.key",
                    "-out",
                    "ca.crt",
                    "-subj",
                    "/CN=signet-ca",
                    "-days",
                    "100",
                    "-addext",
                    "keyUsage=" + usages("signet-ca"));
        }

        /** Returns the key usages that the manifest asks for, in the words of OpenSSL. */
        private static String usages(String certificate) throws IOException {
            Map<String, String> words = Map.of(
                    "digital signature", "digitalSignature",
                    "key agreement", "keyAgreement",
                    "cert sign", "keyCertSign",
                    "crl sign", "cRLSign");
            for (Map<String, Object> manifest : manifests("certificates.yaml")) {
                if (Kubelet.text(manifest, "kind").equals("Certificate")
                        && Kubelet.text(Kubelet.map(manifest, "metadata"), "name")
                                .equals(certificate)) {
                    return "critical,"
                            + Kubelet.words(Kubelet.map(manifest, "spec"), "usages", List.of()).stream()
                                    .map(words::get)
                                    .collect(Collectors.joining(","));
                }
            }
            throw new AssertionError("no certificate " + certificate);
        }

        /** Returns the content of a Secret with a new key and its certificate. */
        Map<String, byte[]> issue(String name, String password) throws IOException {
            Files.writeString(folder.resolve("extensions"), """
                    keyUsage=%s
                    basicConstraints=critical,CA:FALSE
                    authorityKeyIdentifier=keyid
                    """.formatted(usages("signet-" + name)));
            openssl(
                    "req",
                    "-new",
                    "-newkey",
                    "ec",
                    "-pkeyopt",
                    "ec_paramgen_curve:P-256",
                    "-nodes",
                    "-keyout",
                    "tls.key",
                    "-out",
                    "tls.csr",
                    "-subj",
                    "/CN=" + name);
            openssl(
                    "x509",
                    "-req",
                    "-in",
                    "tls.csr",
                    "-CA",
                    "ca.crt",
                    "-CAkey",
                    "ca.key",
                    "-CAcreateserial",
                    "-days",
                    "90",
                    "-extfile",
                    "extensions",
                    "-out",
                    "tls.crt");
            openssl(
                    "pkcs12",
                    "-export",
                    "-inkey",
                    "tls.key",
                    "-in",
                    "tls.crt",
                    "-certfile",
                    "ca.crt",
                    "-passout",
                    "pass:" + password,
                    "-out",
                    "keystore.p12");
            Map<String, byte[]> secret = new HashMap<>();
            for (String key : List.of("ca.crt", "tls.crt", "tls.key", "keystore.p12")) {
                secret.put(key, Files.readAllBytes(folder.resolve(key)));
            }
            return secret;
        }

        private void openssl(String... arguments) throws IOException {
            List<String> command = new ArrayList<>(List.of("openssl"));
            command.addAll(List.of(arguments));
            Run.of(folder, command).ok();
        }
    }

    /** A producer that sends all the time. */
    private static final class Sending implements AutoCloseable {
        private final Process process;
        private final Path log;

        Sending(Container.Running broker, Path log) throws IOException {
            this.log = log;
            List<String> command = new ArrayList<>(broker.inNetwork());
            command.addAll(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:+UseSerialGC",
                    "-cp",
                    System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                    Producer.class.getName(),
                    "tcp://localhost:61616",
                    "app",
                    "change-me-app",
                    "orders",
                    TEXT));
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
        }

        private List<String> lines(String prefix) throws IOException {
            return Files.readAllLines(log).stream()
                    .filter(line -> line.startsWith(prefix))
                    .map(line -> line.substring(prefix.length()))
                    .toList();
        }

        /** Waits until the broker has confirmed further messages. */
        void awaitMore() throws IOException {
            int before = lines("sent ").size();
            await().atMost(PATIENCE).until(() -> lines("sent ").size() > before + 20);
        }

        /** Waits until the broker has rejected a message. */
        void awaitRejection() {
            await().atMost(PATIENCE).until(() -> !rejected().isEmpty());
        }

        List<String> rejected() throws IOException {
            return lines("rejected ");
        }

        /** Ends it, and returns the texts that the broker confirmed. */
        List<String> end() throws IOException, InterruptedException {
            process.getOutputStream().write('\n');
            process.getOutputStream().flush();
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                throw new AssertionError("the producer does not end\n" + Files.readString(log));
            }
            return lines("sent ");
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }
}
