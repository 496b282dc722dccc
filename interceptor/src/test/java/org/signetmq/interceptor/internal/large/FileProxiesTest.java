/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.large;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.activemq.artemis.core.io.SequentialFile;
import org.apache.activemq.artemis.core.io.nio.NIOSequentialFileFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file that is synchronised once, after its envelope. */
final class FileProxiesTest {
    @TempDir
    private Path folder;

    private final LargeFile own = new LargeFile(BrokerInternals.nowhere(), 1);
    private final LargeBody writer = LargeBody.unchanged(own, message -> {});
    private final List<String> calls = new ArrayList<>();

    @Test
    void file_isNotSynchronised_beforeSomethingIsWritten() throws Exception {
        SequentialFile file = FileProxies.lateSynced(recorded(), writer);
        file.open();

        file.sync();
        assertThat(calls).containsExactly("open");
        own.become(file);
        assertThatThrownBy(() -> own.add(new byte[1], 0, 1)).hasMessageContaining("could not be written");
        calls.clear();
        file.sync();

        assertThat(calls).containsExactly("sync");
        file.close();
    }

    @Test
    void file_doesAllElseAsBefore() throws Exception {
        SequentialFile file = FileProxies.lateSynced(real(), writer);
        file.open();
        file.blockingWriteDirect(ByteBuffer.wrap(new byte[] {1, 2, 3}), false, false);

        assertThat(file.size()).isEqualTo(3);
        assertThat(file.isOpen()).isTrue();
        assertThat(file.getFileName()).isEqualTo("1.msg");
        file.close();
        assertThat(folder.resolve("1.msg")).hasBinaryContent(new byte[] {1, 2, 3});
    }

    @Test
    void failure_ofTheFile_staysTheSame() {
        SequentialFile file = FileProxies.lateSynced(
                new NIOSequentialFileFactory(folder.resolve("missing").toFile(), 1).createSequentialFile("1.msg"),
                writer);

        assertThatThrownBy(file::open)
                .isNotInstanceOf(java.lang.reflect.UndeclaredThrowableException.class)
                .hasMessageContaining("missing");
    }

    private SequentialFile real() {
        return new NIOSequentialFileFactory(folder.toFile(), 1).createSequentialFile("1.msg");
    }

    /** The real file, which notes its calls. */
    private SequentialFile recorded() {
        SequentialFile real = real();
        return (SequentialFile) Proxy.newProxyInstance(
                SequentialFile.class.getClassLoader(), new Class<?>[] {SequentialFile.class}, (self, method, given) -> {
                    calls.add(method.getName());
                    return method.invoke(real, given);
                });
    }
}
