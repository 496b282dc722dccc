/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.io.nio.NIOSequentialFileFactory;
import org.apache.activemq.artemis.core.journal.RecordInfo;
import org.apache.activemq.artemis.core.journal.impl.JournalFile;
import org.apache.activemq.artemis.core.journal.impl.JournalImpl;
import org.apache.activemq.artemis.core.journal.impl.JournalReaderCallback;
import org.apache.activemq.artemis.core.persistence.impl.journal.JournalRecordIds;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.testkit.Tier;

/** A broker that keeps a history of its journal writes each part of a large message there too, but later. */
final class JournalRetentionIT {
    private static final int CLIENTS = 6;
    private static final int MESSAGES = 12;
    private static final int BYTES = 2_000_000;

    /** One file of the journal has all parts, because the broker copies full files elsewhere. */
    private static final int ALL_BYTES = 32 << 20;

    @TempDir
    private Path folder;

    private final PolicySet policies = LargeBodies.policies(QualityOfProtection.CONFIDENTIALITY);

    private TestBroker start() throws Exception {
        TestBroker.Setup setup = new TestBroker.Setup(folder)
                .with(configuration -> configuration
                        .setJournalRetentionDirectory(
                                folder.resolve("data/history").toString())
                        .setJournalFileSize(ALL_BYTES));
        setup.homes().policies(policies);
        return setup.start();
    }

    /** The parts of each large message as the journal has them, by the identifiers of the messages. */
    private static Map<Long, ByteArrayOutputStream> history(TestBroker broker) throws Exception {
        Map<Long, ByteArrayOutputStream> parts = new TreeMap<>();
        JournalReaderCallback reader = new JournalReaderCallback() {
            @Override
            public void onReadEventRecord(RecordInfo event) {
                if (event.getUserRecordType() == JournalRecordIds.ADD_MESSAGE_BODY) {
                    parts.computeIfAbsent(event.id, id -> new ByteArrayOutputStream())
                            .writeBytes(event.data);
                }
            }
        };
        Configuration configuration = broker.server().getConfiguration();
        NIOSequentialFileFactory files = new NIOSequentialFileFactory(configuration.getJournalLocation(), 1);
        JournalImpl journal =
                new JournalImpl(configuration.getJournalFileSize(), 2, 2, 0, 0, files, "activemq-data", "amq", 1);
        for (JournalFile file : journal.orderFiles()) {
            JournalImpl.readJournalFile(files, file, reader);
        }
        return parts;
    }

    static Stream<Producers> producers() {
        return Tier.cases(1, Producers.CORE, Producers.AMQP, Producers.OPENWIRE);
    }

    @Tag(Tier.LONG)
    @ParameterizedTest
    @MethodSource("producers")
    void largeMessages_areInTheHistoryAsInTheirFiles(Producers producer) throws Exception {
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try (TestBroker broker = start()) {
            List<Future<?>> sending = new ArrayList<>();
            for (int i = 0; i < MESSAGES; i++) {
                String text = LargeBodies.text(BYTES + i);
                sending.add(clients.submit(() -> {
                    producer.send(broker, "orders", text);
                    return null;
                }));
            }
            for (Future<?> each : sending) {
                each.get(3, TimeUnit.MINUTES);
            }

            Map<Long, ByteArrayOutputStream> history = history(broker);

            assertThat(history.keySet()).hasSize(MESSAGES);
            for (Map.Entry<Long, ByteArrayOutputStream> each : history.entrySet()) {
                Path file = folder.resolve("data/large/" + each.getKey() + ".msg");
                assertThat(Arrays.equals(each.getValue().toByteArray(), Files.readAllBytes(file)))
                        .as("message %d", each.getKey())
                        .isTrue();
            }
            assertThat(broker.disk().filesWith(LargeBodies.MARK)).isEmpty();
        } finally {
            clients.shutdownNow();
        }
    }
}
