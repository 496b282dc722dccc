/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.UnrecoverableKeyException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.crypto.CryptoProviders;
import org.signetmq.keystore.crypto.SoftwareKey;
import org.signetmq.keystore.internal.file.BoundedFile;
import org.signetmq.keystore.internal.x509.CertificateProviders;

/** Reads and writes an identity as a PKCS#12 file (RFC 7292), which openssl and keytool can read. */
final class KeyStoreFile {
    static final int MAX_BYTES = 1 << 20;

    private KeyStoreFile() {}

    /** Rejects passwords beyond printable ASCII, which the JDK does not accept for PBES2. */
    static void requirePortable(Password password) {
        char[] characters = password.characters();
        if (characters.length == 0) {
            throw new KeystoreUnusableException("password: must not be empty");
        }
        for (char character : characters) {
            if (character < ' ' || character > '~') {
                throw new KeystoreUnusableException("password: must be of printable ASCII characters alone");
            }
        }
    }

    static byte[] bytes(Identity identity, Password password) throws GeneralSecurityException, IOException {
        KeyStore store = CertificateProviders.pkcs12();
        store.load(null, null);
        store.setKeyEntry(
                identity.name(),
                SoftwareKey.exported(identity),
                password.characters(),
                identity.chain().toArray(new Certificate[0]));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        store.store(out, password.characters());
        return out.toByteArray();
    }

    static Identity read(Path file, String name, Password password, CryptoProviders providers) {
        requirePortable(password);
        try {
            KeyStore store = open(file, BoundedFile.read(file, MAX_BYTES), password);
            String alias = keyAlias(store, name);
            if (alias == null) {
                throw new KeystoreUnusableException(file + ": holds no private key");
            }
            Key key = store.getKey(alias, password.characters());
            List<X509Certificate> chain = chain(store, alias);
            if (!(key instanceof PrivateKey privateKey) || chain.isEmpty()) {
                throw new KeystoreUnusableException(file + ": holds no private key with a certificate");
            }
            if (!CertificateProviders.isPair(privateKey, chain.get(0).getPublicKey())) {
                throw new KeystoreUnusableException(file + ": its private key is not the one of its certificate");
            }
            return new Identity(name, new SoftwareKey(privateKey, providers), chain);
        } catch (UnrecoverableKeyException e) {
            throw new KeystoreUnusableException(file + ": wrong password for its private key", e);
        } catch (GeneralSecurityException e) {
            throw new KeystoreUnusableException(file + ": damaged, or of a kind of key that is not supported", e);
        }
    }

    private static KeyStore open(Path file, byte[] bytes, Password password) throws GeneralSecurityException {
        KeyStore store = CertificateProviders.pkcs12();
        try {
            store.load(new ByteArrayInputStream(bytes), password.characters());
            return store;
        } catch (IOException | RuntimeException e) { // the parser throws index and state errors for some damage
            if (e.getCause() instanceof UnrecoverableKeyException) {
                throw new KeystoreUnusableException(file + ": wrong password", e);
            }
            throw new KeystoreUnusableException(file + ": damaged, or not a PKCS#12 file", e);
        }
    }

    /** Returns the entry of this name, else the first one with a key, because other software chooses other names. */
    private static @Nullable String keyAlias(KeyStore store, String name) throws GeneralSecurityException {
        if (store.isKeyEntry(name)) {
            return name;
        }
        for (String alias : Collections.list(store.aliases())) {
            if (store.isKeyEntry(alias)) {
                return alias;
            }
        }
        return null;
    }

    private static List<X509Certificate> chain(KeyStore store, String alias) throws GeneralSecurityException {
        Certificate[] chain = store.getCertificateChain(alias);
        return chain == null
                ? List.of()
                : Stream.of(chain).map(X509Certificate.class::cast).toList();
    }
}
