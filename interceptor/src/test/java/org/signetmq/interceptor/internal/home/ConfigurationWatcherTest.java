/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.interceptor.TestHomes;
import org.signetmq.interceptor.internal.audit.AuditLog;

/** Which looks at a real home change the state of the plugin. */
final class ConfigurationWatcherTest {
    @TempDir
    private Path folder;

    private TestHomes homes;
    private ConfigurationWatcher watcher;

    @BeforeEach
    void start() throws Exception {
        homes = new TestHomes(folder);
        homes.policies(1, TestHomes.privacy("orders"));
        watcher = new ConfigurationWatcher(
                Map.of("home", homes.broker.root().toString(), "password-file", homes.passwordFile.toString()),
                CryptoService::new,
                new ConfigurationImpl(),
                new AuditLog(Clock.systemUTC()));
        watcher.start();
        assertThat(watcher.readiness()).isInstanceOf(Readiness.Ready.class);
    }

    @AfterEach
    void close() {
        watcher.close();
    }

    /** The permissions that the plugin remembers last as long as the state. */
    @Test
    void lookAtAnUnchangedHome_keepsTheState() {
        Readiness before = watcher.readiness();

        watcher.look();

        assertThat(watcher.readiness()).isSameAs(before);
    }

    @Test
    void changedPolicies_changeTheState() throws Exception {
        Readiness before = watcher.readiness();
        homes.policies(2, TestHomes.privacy("orders"));

        watcher.look();

        assertThat(watcher.readiness()).isNotSameAs(before).isInstanceOf(Readiness.Ready.class);
    }

    @Test
    void missingRecipient_andItsReturn_changeTheState() throws Exception {
        Readiness before = watcher.readiness();
        Path certificate = homes.broker.recipients().resolve(TestHomes.CONSUMER + ".pem");
        byte[] content = Files.readAllBytes(certificate);
        Files.delete(certificate);

        Readiness missing = afterChangeOf(before);
        Files.write(certificate, content);
        assertThat(afterChangeOf(missing)).isInstanceOf(Readiness.Ready.class);
    }

    /** Waits for a new state, which the watcher's own thread finds. A folder is read again after a while only. */
    private Readiness afterChangeOf(Readiness before) {
        return await().until(watcher::readiness, now -> !now.equals(before));
    }
}
