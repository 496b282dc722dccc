/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.home.Pem;

/** Runs the stock openssl command. */
final class Openssl {
    private final Path folder;

    Openssl(Path folder) {
        this.folder = folder;
    }

    /** Runs openssl, and fails the test if openssl fails. */
    void run(String... arguments) throws IOException, InterruptedException {
        assertThat(exitCode(arguments))
                .as("openssl " + String.join(" ", arguments) + ": " + Files.readString(log()))
                .isZero();
    }

    int exitCode(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("openssl"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log().toFile())
                .start();
        assertThat(process.waitFor(3, TimeUnit.MINUTES)).isTrue();
        return process.exitValue();
    }

    private Path log() {
        return folder.resolve("openssl.log");
    }

    Path write(String name, byte[] bytes) throws IOException {
        return Files.write(folder.resolve(name), bytes);
    }

    byte[] read(String name) throws IOException {
        return Files.readAllBytes(folder.resolve(name));
    }

    /** Writes the certificate and the key of an identity as NAME.pem and NAME.key. */
    String export(Identity identity) throws IOException {
        Files.writeString(folder.resolve(identity.name() + ".pem"), Pem.certificatePem(identity.certificate()));
        Files.writeString(folder.resolve(identity.name() + ".key"), Pem.privateKeyPem(identity));
        return identity.name();
    }
}
