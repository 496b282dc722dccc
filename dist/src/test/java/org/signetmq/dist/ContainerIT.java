/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
    private static final Duration PATIENCE = Duration.ofSeconds(40);
    private static final String TEXT = "ten pounds of apples, and nobody else needs to know";
    private static final String KEY_PASSWORD = "change-me-keys";

    /** What a namespace of Kubernetes gives, by the manifest, and what one of OpenShift gives. */
    private static final Kubelet.Rights KUBERNETES = new Kubelet.Rights("10001", "10001");

    private static final Kubelet.Rights OPENSHIFT = new Kubelet.Rights("1000730000", "1000730000");

    private static final Path IMAGES = Path.of("target/images").toAbsolutePath();

    private static Map<String, Image> built = Map.of();

    @TempDir
    private Path folder;

    private Issuer issuer;
    private Kubelet kubelet;

    @BeforeAll
    static void buildImages() throws IOException {
        Run unshared = Run.of("unshare", "--mount", "--pid", "--net", "--ipc", "--uts", "--fork", "mount", "-t", "tmpfs", "tmpfs", "/mnt");
        if (unshared.exitCode() != 0) {
            throw new AssertionError("these tests need root and the right to make namespaces and mounts: " + unshared.text());
        }
        String version = System.getProperty("signet.version", "0.1.0");
        if (System.getProperty("keep") == null) Run.of("rm", "-rf", IMAGES.toString()).ok();
        Path context = Files.createDirectories(IMAGES.resolve("context"));
        Run.of("tar", "-C", context.toString(), "-xzf", "target/signet-" + version + ".tar.gz")
                .ok();
        Path artemis = Files.createDirectories(IMAGES.resolve("artemis-image/opt"));
        Run.of("cp", "-a", Distribution.ARTEMIS_2_56.home() + "/.", artemis.resolve("artemis") + "/")
                .ok();
        Image java = Image.ofThisMachine(IMAGES.resolve("java-image"));
        Map<String, Image> bases = Map.of(
                "apache/artemis:" + Distribution.ARTEMIS_2_56.version(),
                new Image(artemis.getParent(), Map.of(), "0:0", List.of(), List.of(), List.of()),
                "eclipse-temurin:17.0.17_10-jre-jammy",
                java);
        Map<String, Image> stages = new Image.Builder(IMAGES, context, name -> {
                    if (!bases.containsKey(name)) {
                        throw new IllegalArgumentException("a base image that this test does not have: " + name);
                    }
                    return bases.get(name);
                })
                .build(Files.readString(context.resolve("signet-" + version + "/containers/Dockerfile")));
        built = Map.of("signet:" + version, stages.get("cli"), "signet-artemis:" + version, stages.get("broker"));
    }

    @BeforeEach
    void makeSecrets() throws IOException {
        Files.setPosixFilePermissions(folder, java.nio.file.attribute.PosixFilePermissions.fromString("rwxr-xr-x"));
        issuer = new Issuer(Files.createDirectory(folder.resolve("cert-manager")));
        kubelet = new Kubelet(folder, built);
        for (String file : List.of("secrets.yaml", "policies.yaml")) {
            kubelet.apply(manifests(file));
        }
        kubelet.put("Secret", "signet-broker", issuer.issue("broker", KEY_PASSWORD));
        kubelet.put("Secret", "signet-alice", issuer.issue("alice", KEY_PASSWORD));
    }

    @AfterEach
    void unmount() throws IOException {
        if (Files.exists(folder.resolve("broker.log"))) Files.copy(folder.resolve("broker.log"), Path.of("/tmp/w/h6x/broker.log"), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        kubelet.close();
    }

    @Test
    void brokerOnKubernetes_whoseSecretIsRotatedUnderLoad_losesNothingAndShowsNothing() throws Exception {
        Kubelet.Pod pod = broker(KUBERNETES);
        try (Container.Running broker = start(pod, pod.container())) {
            awaitReady(pod, broker);
            assertThat(broker.exec(List.of("sh", "-c", "touch /opt/broker/etc/x /x; grep -E 'NoNewPrivs|Cap...:' /proc/self/status")).text())
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

                List<String> sent = sending.end();
                System.out.println("SENT " + sent.size() + " " + sending.rejected().size()+sending.rejected().get(0));
                assertThat(opened(broker, KUBERNETES)).contains(sent.toArray(String[]::new));
            }
            assertThat(filesWith(TEXT, pod.volume("messages"))).isEmpty();
            broker.stop();
            System.out.println(broker.text());
        }
    }

    private void rotate(Kubelet.Pod pod, Map<String, byte[]> secret) throws IOException {
        kubelet.put("Secret", "signet-broker", secret);
        pod.publish();
    }

    private Kubelet.Pod broker(Kubelet.Rights rights) throws IOException {
        Map<String, Object> set = manifests("broker.yaml").get(1);
        return kubelet.new Pod("signet-broker-0", podOf(set), List.of("messages"), rights);
    }

    private static Map<String, Object> podOf(Map<String, Object> workload) {
        return Kubelet.map(Kubelet.map(Kubelet.map(workload, "spec"), "template"), "spec");
    }

    private Container.Running start(Kubelet.Pod pod, Container container) throws IOException {
        return container.start(folder.resolve("broker.log"), pod.command());
    }

    private static void awaitReady(Kubelet.Pod pod, Container.Running broker) {
        await().atMost(PATIENCE).until(() -> broker.exec(pod.probe("startupProbe")).exitCode() == 0);
    }

    /** Returns what the command line tool opens in its own container. */
    private List<String> opened(Container.Running broker, Kubelet.Rights rights) throws IOException {
        Kubelet.Pod pod = kubelet.new Pod("signet-browse", podOf(manifests("consumer.yaml").get(0)), List.of(), rights);
        Run run = pod.container().run(broker, pod.command()).ok();
        System.out.println("BROWSE " + run.text().substring(0, Math.min(1500, run.text().length())));
        return run.out().lines().toList();
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
        List<Map<String, Object>> all = new ArrayList<>();
        try (InputStream in = new BufferedInputStream(Files.newInputStream(EXAMPLES.resolve(file)))) {
            for (Object document : new Yaml().loadAll(in)) {
                @SuppressWarnings("unchecked") // of YAML
                Map<String, Object> object = (Map<String, Object>) document;
                all.add(object);
            }
        }
        return all;
    }

    /** Writes Secrets as cert-manager does, by OpenSSL. */
    private static final class Issuer {
        private final Path folder;

        Issuer(Path folder) throws IOException {
            this.folder = folder;
            openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "ca.key",
                    "-out", "ca.crt", "-subj", "/CN=signet-ca", "-days", "100", "-addext", "keyUsage=" + usages("signet-ca"));
        }

        /** Returns the key usages that the manifest asks for, in the words of OpenSSL. */
        private static String usages(String certificate) throws IOException {
            Map<String, String> words = Map.of(
                    "digital signature", "digitalSignature",
                    "key agreement", "keyAgreement",
                    "cert sign", "keyCertSign",
                    "crl sign", "cRLSign");
            for (Map<String, Object> manifest : manifests("certificates.yaml")) {
                if (manifest.get("kind").equals("Certificate") && Kubelet.map(manifest, "metadata").get("name").equals(certificate)) {
                    return "critical," + Kubelet.words(Kubelet.map(manifest, "spec"), "usages", List.of()).stream()
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
            openssl("req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "tls.key",
                    "-out", "tls.csr", "-subj", "/CN=" + name);
            openssl("x509", "-req", "-in", "tls.csr", "-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-days", "90",
                    "-extfile", "extensions", "-out", "tls.crt");
            openssl("pkcs12", "-export", "-inkey", "tls.key", "-in", "tls.crt", "-certfile", "ca.crt", "-passout",
                    "pass:" + password, "-out", "keystore.p12");
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
