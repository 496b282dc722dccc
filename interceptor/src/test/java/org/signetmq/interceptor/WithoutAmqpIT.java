/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.policy.PolicySet;
import org.signetmq.testkit.Tier;

/** A broker may run without artemis-amqp-protocol, artemis-stomp-protocol or Micrometer. */
final class WithoutAmqpIT {
    @TempDir
    private Path folder;

    static Stream<Arguments> absent() {
        return Tier.cases(
                1,
                Arguments.of(
                        "amqp-protocol|proton-j|qpid-jms",
                        "org.apache.activemq.artemis.protocol.amqp.broker.AMQPStandardMessage"),
                Arguments.of("stomp-protocol", "org.apache.activemq.artemis.core.protocol.stomp.StompFrameInterceptor"),
                Arguments.of("micrometer|prometheus", "io.micrometer.core.instrument.MeterRegistry"));
    }

    @Tag(Tier.LONG)
    @ParameterizedTest
    @MethodSource("absent")
    void brokerWithoutTheProtocol_protects(String jars, String absent) throws Exception {
        URL[] others = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.matches(".*(" + jars + ").*"))
                .map(WithoutAmqpIT::url)
                .toArray(URL[]::new);
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        // never closed: threads of the broker's libraries outlive the broker, and load classes
        URLClassLoader loader = new URLClassLoader(others, ClassLoader.getPlatformClassLoader());
        try {
            thread.setContextClassLoader(loader);

            @SuppressWarnings("unchecked") // made by this class, loaded once more
            Function<Path, String> scenario = (Function<Path, String>) loader.loadClass(Scenario.class.getName())
                    .getDeclaredConstructor()
                    .newInstance();

            assertThatThrownBy(() -> loader.loadClass(absent)).isInstanceOf(ClassNotFoundException.class);
            assertThat(scenario.apply(folder)).isEqualTo("jms/text: hello, sealed 1");
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static URL url(String entry) {
        try {
            return new File(entry).toURI().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(entry, e);
        }
    }

    /** Runs where a protocol cannot be loaded. */
    public static final class Scenario implements Function<Path, String> {
        /** Made by reflection. */
        public Scenario() {}

        @Override
        public String apply(Path folder) {
            Callable<String> sending = () -> {
                TestBroker.Setup setup = new TestBroker.Setup(folder).own();
                PolicySet policies = setup.homes().policies(1, TestHomes.privacy("orders"));
                try (TestBroker broker = setup.start();
                        QueueReader reader = new QueueReader(broker).queue("orders")) {
                    Producers.CORE.send(broker, "orders", "hello");
                    var opened = broker.homes.open(reader.nextBody("orders"), "orders", policies);
                    return opened.entityIfProtected().orElseThrow().body() + ": "
                            + new String(opened.payload(), StandardCharsets.UTF_8) + ", sealed "
                            + broker.sealed();
                }
            };
            try {
                return sending.call();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
