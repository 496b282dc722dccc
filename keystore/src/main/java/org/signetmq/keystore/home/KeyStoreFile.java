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
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.internal.file.BoundedFile;
import org.signetmq.keystore.internal.x509.CertificateProviders;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.keys.SoftwareKey;

/** Reads and writes an identity as a PKCS#12 file (RFC 7292), which openssl and keytool can read. Thread-safe. */
public final class KeyStoreFile {
    public static final int MAX_BYTES = 1 << 20;

    private KeyStoreFile() {}

    /** Rejects passwords beyond printable ASCII, which the JDK does not accept for PBES2. */
    public static void requirePortable(Password password) {
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

    /**
     * Returns an identity as the bytes of a file.
     *
     * @throws KeystoreUnusableException if its key is not in this process
     */
    public static byte[] bytes(Identity identity, Password password) throws GeneralSecurityException, IOException {
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

    /**
     * Reads an identity.
     *
     * @param name the name that the identity gets; the entry of this name is read, else the only one with a key
     * @throws KeystoreUnusableException if the file cannot be read; the text says why
     */
    public static Identity read(Path file, String name, Password password, CryptoProviders providers) {
        requirePortable(password);
        try {
            byte[] bytes = BoundedFile.read(file, MAX_BYTES);
            KeyStore store = open(file, bytes, password);
            String alias = keyAlias(file, store, name);
            Key key = CertificateProviders.key(store, alias, password.characters(), bytes);
            List<X509Certificate> chain = chain(store, alias);
            if (!(key instanceof PrivateKey privateKey) || chain.isEmpty()) {
                throw new KeystoreUnusableException(file + ": holds no private key with a certificate");
            }
            if (!CertificateProviders.isPair(privateKey, chain.get(0).getPublicKey())) {
                throw new KeystoreUnusableException(file + ": its private key is not the one of its certificate");
            }
            return new Identity(name, new SoftwareKey(privateKey, providers), chain);
        } catch (UnrecoverableKeyException e) {
            throw new KeystoreUnusableException(file + ": its private key: " + password.wrong(), e);
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
                throw new KeystoreUnusableException(file + ": " + password.wrong(), e);
            }
            throw new KeystoreUnusableException(file + ": damaged, or not a PKCS#12 file", e);
        }
    }

    /** Returns the entry of this name, else the only one with a key, because other software chooses other names. */
    private static String keyAlias(Path file, KeyStore store, String name) throws GeneralSecurityException {
        if (store.isKeyEntry(name)) {
            return name;
        }
        List<String> keys = new ArrayList<>();
        for (String alias : Collections.list(store.aliases())) {
            if (store.isKeyEntry(alias)) {
                keys.add(alias);
            }
        }
        if (keys.isEmpty()) {
            throw new KeystoreUnusableException(file + ": holds no private key");
        }
        if (keys.size() > 1) {
            throw new KeystoreUnusableException(
                    file + ": holds " + keys.size() + " private keys, and none has the name '" + name
                            + "'; take the file out of identities/, and run signet identity import");
        }
        return keys.get(0);
    }

    private static List<X509Certificate> chain(KeyStore store, String alias) throws GeneralSecurityException {
        Certificate[] chain = store.getCertificateChain(alias);
        return chain == null
                ? List.of()
                : Stream.of(chain).map(X509Certificate.class::cast).toList();
    }
}
