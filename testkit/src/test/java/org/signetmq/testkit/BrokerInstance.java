/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.testkit;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A broker made by the distribution's {@code artemis create}, in a folder and a process of its own. */
public final class BrokerInstance implements AutoCloseable {
    /** The user that {@code artemis create} makes. */
    public static final String USER = "admin";

    /** The role that {@code artemis create} gives the user. */
    public static final String ROLE = "amq";

    public static final String PASSWORD = "admin-password";

    /** The option for the port of a web server. Without it there is none. */
    public static final String HTTP_PORT = "--http-port";

    private static final Duration PATIENCE = Duration.ofMinutes(5);

    /**
     * For programs that live for seconds: the second compiler and parallel collectors would take more than they save.
     */
    private static final String SHORT_LIVED = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1";

    private static final Map<String, String> TOOL = Map.of(
            "JAVA_ARGS",
            "-Dlog4j2.disableJmx=true --add-opens java.base/jdk.internal.misc=ALL-UNNAMED -Xmx512M " + SHORT_LIVED);

    private final Path folder;
    private final int port;
    private @Nullable Process process;

    private BrokerInstance(Path folder, int port) {
        this.folder = folder;
        this.port = port;
    }

    /**
     * Makes it on a free port, and does not start it.
     *
     * @param options of {@code artemis create}
     */
    public static BrokerInstance create(Distribution distribution, Path folder, String... options) throws IOException {
        return create(distribution, folder, Ports.free(), options);
    }

    /** As {@link #create(Distribution, Path, String...)}, on this port. */
    public static BrokerInstance create(Distribution distribution, Path folder, int port, String... options)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(
                distribution.home().resolve("bin/artemis").toAbsolutePath().toString(),
                "create",
                folder.toString(),
                "--host",
                "127.0.0.1",
                "--default-port",
                Integer.toString(port),
                "--user",
                USER,
                "--password",
                PASSWORD,
                "--require-login",
                "--nio",
                "--no-autotune",
                "--no-amqp-acceptor",
                "--no-hornetq-acceptor",
                "--no-mqtt-acceptor",
                "--no-stomp-acceptor",
                "--silent"));
        if (!Arrays.asList(options).contains(HTTP_PORT)) {
            command.add("--no-web");
        }
        command.addAll(Arrays.asList(options));
        Run.of(Path.of("").toAbsolutePath(), command, TOOL).ok();
        return new BrokerInstance(folder, port);
    }

    /** Returns the folder of the instance. */
    public Path folder() {
        return folder;
    }

    /** Returns the folder of its messages. */
    public Path data() {
        return folder.resolve("data");
    }

    public Path brokerXml() {
        return folder.resolve("etc/broker.xml");
    }

    public int port() {
        return port;
    }

    public String url() {
        return url("tcp");
    }

    /** Returns the URL for clients of a scheme. */
    public String url(String scheme) {
        return scheme + "://127.0.0.1:" + port;
    }

    /** One of these that can be reached now. */
    public static BrokerInstance answering(List<BrokerInstance> brokers) throws IOException {
        for (BrokerInstance broker : brokers) {
            if (broker.isReachable()) {
                return broker;
            }
        }
        throw new IOException("no broker answers");
    }

    /** Starts it, as an argument of another program if there is one, and waits until it answers. */
    public void start(String... before) throws IOException {
        launch(before);
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(50)).until(this::answers);
    }

    /** Starts it and does not wait. */
    public void launch(String... before) throws IOException {
        List<String> command = new ArrayList<>(Arrays.asList(before));
        command.add(folder.resolve("bin/artemis").toString());
        command.add("run");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        folder.resolve("log/console.log").toFile()));
        builder.environment().put("JAVA_ARGS", "-Xms64M -Xmx512M " + SHORT_LIVED + " " + consoleProperties());
        process = builder.start();
    }

    /** Returns the properties of the web console in the instance's profile, whose other arguments are replaced. */
    private String consoleProperties() throws IOException {
        return Pattern.compile("-D(?:hawtio|jolokia)[.]\\S+")
                .matcher(Files.readString(folder.resolve("etc/artemis.profile")))
                .results()
                .map(MatchResult::group)
                .collect(Collectors.joining(" "));
    }

    /**
     * Tells whether it can be reached.
     *
     * @throws AssertionError if its process has ended
     */
    public boolean answers() throws IOException {
        Process running = process;
        if (running == null || !running.isAlive()) {
            throw new AssertionError(folder + ": the broker ended\n" + console());
        }
        return isReachable();
    }

    private boolean isReachable() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** The number of its process, which must have been started. */
    public long pid() {
        // the script that was started replaces itself by Java
        return Objects.requireNonNull(process).pid();
    }

    /** Returns what it wrote to its console so far. */
    public String console() throws IOException {
        Path console = folder.resolve("log/console.log");
        return Files.exists(console) ? Files.readString(console) : "";
    }

    /** Ends it at once, as {@code kill -9} does. */
    public void kill() {
        Process running = process;
        if (running != null) {
            running.destroyForcibly().onExit().join();
        }
    }

    /** Ends it in order. */
    public void stop() throws InterruptedException {
        Process running = process;
        if (running != null) {
            running.destroy();
            if (!running.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                kill();
            }
        }
    }

    /** Runs the instance's own {@code artemis}. */
    public Run artemis(String... arguments) throws IOException {
        List<String> command =
                new ArrayList<>(List.of(folder.resolve("bin/artemis").toString()));
        command.addAll(Arrays.asList(arguments));
        return Run.of(folder, command, TOOL);
    }

    @Override
    public void close() {
        kill();
    }
}
