/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Loads a broker apart from the clients. Its OpenWire is built on the client of ActiveMQ 5, and ActiveMQ 6 has classes
 * of the same names.
 */
final class BrokerLoader extends URLClassLoader {
    /** One for all brokers of a process: each would load some thousand classes anew. */
    private static @Nullable BrokerLoader loader;

    private BrokerLoader(List<URL> classPath) {
        super(classPath.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }

    /** Starts a {@link DeadLetterBroker} that is loaded with the libraries of a folder, if one is named. */
    static synchronized Broker start(@Nullable Path data, @Nullable Path home) throws Exception {
        String libraries = System.getProperty("signet.broker.libraries");
        if (libraries == null) {
            return new DeadLetterBroker(data, home);
        }
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        if (loader == null) {
            loader = new BrokerLoader(classPath(Path.of(libraries)));
        }
        thread.setContextClassLoader(loader);
        try {
            return (Broker) loader.loadClass(DeadLetterBroker.class.getName())
                    .getConstructor(Path.class, Path.class)
                    .newInstance(data, home);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static List<URL> classPath(Path libraries) throws IOException {
        try (Stream<Path> added = Files.list(libraries)) {
            Stream<Path> ours = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                    .filter(entry -> !entry.contains("activemq-client"))
                    .map(Path::of);
            return Stream.concat(added, ours).map(BrokerLoader::url).toList();
        }
    }

    private static URL url(Path path) {
        try {
            return path.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The one type that both sides share. */
    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        return name.equals(Broker.class.getName()) ? Broker.class : super.findClass(name);
    }
}
