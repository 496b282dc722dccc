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

    /** Calls the constructor of a broker that is loaded with the libraries of a folder, if one is named. */
    static synchronized Broker start(Class<? extends Broker> type, Object... arguments) throws Exception {
        String libraries = System.getProperty("signet.broker.libraries");
        if (libraries == null) {
            return (Broker) type.getConstructors()[0].newInstance(arguments);
        }
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        if (loader == null) {
            loader = new BrokerLoader(classPath(Path.of(libraries)));
        }
        thread.setContextClassLoader(loader);
        try {
            return (Broker)
                    loader.loadClass(type.getName()).getConstructors()[0].newInstance(arguments);
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
