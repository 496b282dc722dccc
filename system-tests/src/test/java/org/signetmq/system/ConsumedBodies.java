/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.system;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.signetmq.testkit.BrokerInstance;
import org.signetmq.testkit.Distribution;
import org.signetmq.testkit.Run;

/**
 * The bodies that {@code artemis consumer} gets, byte for byte. It hands messages to a serializer that is named on its
 * command line; the one that it brings knows messages of its own client only.
 *
 * @param data where they are written to
 */
record ConsumedBodies(Path data) {
    private static final String NAME = "BodySerializer";

    private static final String SOURCE = """
            public class BodySerializer implements org.apache.activemq.artemis.cli.factory.serialize.MessageSerializer {
                private java.io.DataOutputStream out;
                public javax.jms.Message read() {
                    return null;
                }
                public void write(javax.jms.Message message) {
                    try {
                        byte[] body = message.getBody(byte[].class);
                        out.writeInt(body.length);
                        out.write(body);
                        out.flush();
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                }
                public void setOutput(java.io.OutputStream to) {
                    out = new java.io.DataOutputStream(to);
                }
                public void setInput(java.io.InputStream from, javax.jms.Session session) {}
                public void start() {}
                public void stop() {}
            }
            """;

    /** Puts the serializer where the instance's programs find it. */
    static void install(Distribution distribution, BrokerInstance broker, Path folder) throws IOException {
        Path source = Files.writeString(folder.resolve(NAME + ".java"), SOURCE);
        String bin = Path.of(System.getProperty("java.home"), "bin").toString();
        String libraries = distribution.home().toAbsolutePath() + "/lib/*";
        List<String> compile = List.of(
                bin + "/javac",
                "-J-XX:TieredStopAtLevel=1",
                "-J-XX:+UseSerialGC",
                "--release",
                "17",
                "-cp",
                libraries,
                source.toString());
        Run.of(folder, compile).ok();
        String jar = broker.folder().resolve("lib/body-serializer.jar").toString();
        Run.of(folder, List.of(bin + "/jar", "--create", "--file", jar, NAME + ".class"))
                .ok();
    }

    /** What the consumer must be told. */
    String[] options() {
        return new String[] {"--serializer", NAME, "--data", data.toString()};
    }

    List<byte[]> read() throws IOException {
        List<byte[]> bodies = new ArrayList<>();
        try (DataInputStream in = new DataInputStream(Files.newInputStream(data))) {
            while (in.available() > 0) {
                bodies.add(in.readNBytes(in.readInt()));
            }
        }
        return bodies;
    }
}
