/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarInputStream;
import java.util.jar.Manifest;

/**
 * The plugin as one jar.
 *
 * @param bytes the whole file
 */
public record PluginJar(byte[] bytes) {
    private static final String RESOURCE = "signet-plugin.jar";

    /** The jar that this program carries. */
    public static PluginJar carried() throws IOException {
        try (InputStream in = PluginJar.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IOException(RESOURCE + ": not carried by this program, which was built without mvn package");
            }
            return new PluginJar(in.readAllBytes());
        }
    }

    /** The version in its manifest; empty if there is none. */
    Optional<String> version() {
        try (JarInputStream jar = new JarInputStream(new ByteArrayInputStream(bytes))) {
            return Optional.ofNullable(jar.getManifest())
                    .map(Manifest::getMainAttributes)
                    .map(attributes -> attributes.getValue(Attributes.Name.IMPLEMENTATION_VERSION));
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
