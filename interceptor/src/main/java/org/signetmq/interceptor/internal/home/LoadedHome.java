/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.home;

import java.nio.file.Files;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.home.HomeReader;

/**
 * The keys and settings of a home that the plugin uses.
 *
 * @param identities the identities that sign
 * @param names resolves the names in policies
 * @param crypto seals messages and checks envelopes
 * @param maxMessageSize the greatest length of a body that the plugin seals in memory, in bytes
 */
public record LoadedHome(Identities identities, HomeNames names, CryptoService crypto, long maxMessageSize)
        implements AutoCloseable {
    /**
     * Opens the home that the settings name.
     *
     * @throws KeystoreUnusableException if the broker's identity, recipients or trust cannot be used
     */
    static LoadedHome open(PluginSettings settings, CryptoService.Factory services) {
        if (!Files.isDirectory(settings.home().root())) {
            throw new KeystoreUnusableException(
                    "home: no folder " + settings.home().root());
        }
        Identities identities = new Identities(settings);
        try {
            identities.ofBroker();
            HomeReader files = settings.home().reader();
            return new LoadedHome(
                    identities,
                    new HomeNames(settings.home(), files),
                    services.create(files, files, settings.tuning().pregeneration()),
                    settings.tuning().maxMessageSize());
        } catch (RuntimeException e) { // the plugin tries again each second
            identities.close();
            throw e;
        }
    }

    @Override
    public void close() {
        crypto.close();
        identities.close();
        names.files().close();
    }
}
