/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.file.FileChanges;
import org.signetmq.keystore.file.WholeFile;
import org.signetmq.keystore.internal.x509.CertificateRules;

/** Changes the keys of identities in a home. At any moment the home has the old or the new identity. */
final class KeyChanges {
    private static final Pattern KEY_ID = Pattern.compile("[0-9a-f]{16,40}");
    private static final List<String> OTHER_EXTENSIONS = List.of(".crt", ".cer", ".der");
    private static final String EXTENSION = ".pem";
    private static final int SHORT_ID = 16;
    private static final String LOCK = ".lock";
    private static final ReentrantLock ALONE = new ReentrantLock(); // the lock of a file does not keep threads apart

    private final Home home;
    private final IdentityFiles files;
    private final Clock clock;
    private final Runnable beforeEach;

    /**
     * Makes changes of a home.
     *
     * @param beforeEach runs before each change of a file
     */
    KeyChanges(Home home, IdentityFiles files, Clock clock, Runnable beforeEach) {
        this.home = home;
        this.files = files;
        this.clock = clock;
        this.beforeEach = beforeEach;
    }

    /** Does work on the identities of the home while no other process or thread changes them. */
    @SuppressWarnings("try") // the lock is only held
    <T> T alone(String name, Supplier<T> work) {
        if (!Files.isDirectory(home.identities())) {
            return work.get(); // it makes the folder, or says what is missing
        }
        ALONE.lock();
        try (FileChannel lock = new WholeFile(home.identities().resolve(LOCK)).lock()) {
            return work.get();
        } catch (IOException e) {
            throw IdentityFiles.unwritten(home, name, e);
        } finally {
            ALONE.unlock();
        }
    }

    /**
     * Replaces the current key or certificate of an identity. The new private key is in the home before its certificate
     * is handed out. The old one stays as a former key.
     *
     * @param keys the identity as it is
     * @param made the identity as it shall be
     */
    void replace(IdentityKeys keys, Identity made, Password password) {
        String name = made.name();
        X509Certificate old = keys.current().certificate();
        boolean newKey = !isSameKey(old, made.certificate());
        requireRoom(keys, made);
        Path next = former(name, made.certificate());
        try (FileChanges changes = new FileChanges()) {
            byte[] keyStore = KeyStoreFile.bytes(made, password);
            if (newKey) {
                changes.putPrivate(next, keyStore);
            }
            for (Path place : files.places(made)) {
                List<X509Certificate> certificates = new ArrayList<>(renewed(place, made.certificate(), keys));
                if (certificates.size() > 1 && isReceiving(certificates.get(1)) && !isReceiving(made.certificate())) {
                    certificates.add(1, certificates.remove(0)); // others go on to encrypt for the other key
                }
                IdentityFiles.issuersBelowRoot(made)
                        .filter(issuer -> !certificates.contains(issuer))
                        .forEach(certificates::add);
                changes.put(place, pem(certificates));
            }
            if (newKey) {
                changes.putPrivate(former(name, old), KeyStoreFile.bytes(keys.current(), password));
            }
            changes.putPrivate(files.keyStore(name), keyStore);
            if (newKey) {
                changes.delete(next);
            }
            changes.apply(beforeEach);
        } catch (IOException | GeneralSecurityException e) {
            throw IdentityFiles.unwritten(home, name, e);
        }
    }

    /** Adds a key to an identity. It opens messages and verifies, and the current key stays the current one. */
    void prepare(IdentityKeys keys, Identity made, Password password) {
        add(keys, made, password, CertificatePosition.BEHIND_SIGNER);
    }

    /** Adds a key that only opens messages. Its certificate gets no trust, and no other party sees it. */
    void addFormer(IdentityKeys keys, Identity made, Password password) {
        requireRoom(keys, made);
        try (FileChanges changes = new FileChanges()) {
            changes.putPrivate(former(made.name(), made.certificate()), KeyStoreFile.bytes(made, password));
            changes.apply(beforeEach);
        } catch (IOException | GeneralSecurityException e) {
            throw IdentityFiles.unwritten(home, made.name(), e);
        }
    }

    /** Adds a key for which others encrypt from now on. The current key goes on to sign. */
    void receive(IdentityKeys keys, Identity made, Password password) {
        add(keys, made, password, CertificatePosition.FIRST);
    }

    /** Where a certificate is put among those of an identity. Others encrypt for the first one. */
    private enum CertificatePosition {
        FIRST,
        BEHIND_SIGNER;

        int in(List<X509Certificate> certificates) {
            if (this == FIRST || certificates.isEmpty()) {
                return 0;
            }
            return isReceiving(certificates.get(0)) ? Math.min(2, certificates.size()) : 1;
        }
    }

    private void add(IdentityKeys keys, Identity made, Password password, CertificatePosition position) {
        String name = made.name();
        requireRoom(keys, made);
        try (FileChanges changes = new FileChanges()) {
            changes.putPrivate(former(name, made.certificate()), KeyStoreFile.bytes(made, password));
            for (Path place : files.places(made)) {
                List<X509Certificate> renewed = new ArrayList<>(renewed(place, made.certificate(), keys));
                renewed.remove(0);
                renewed.add(position.in(renewed), made.certificate());
                IdentityFiles.issuersBelowRoot(made)
                        .filter(issuer -> !renewed.contains(issuer))
                        .forEach(renewed::add);
                changes.put(place, pem(renewed));
            }
            changes.apply(beforeEach);
        } catch (IOException | GeneralSecurityException e) {
            throw IdentityFiles.unwritten(home, name, e);
        }
    }

    /** Tells whether a certificate is for a key that receives messages, and does not sign them. */
    private static boolean isReceiving(X509Certificate certificate) {
        return CertificateRules.isFor(certificate, CertificateUse.RECEIVING)
                && !CertificateRules.isFor(certificate, CertificateUse.SIGNING);
    }

    private static void requireRoom(IdentityKeys keys, Identity made) {
        boolean isThere = keys.all().stream().anyMatch(key -> isSameKey(key.certificate(), made.certificate()));
        if (!isThere && keys.former().size() >= FormerKeys.MOST) {
            throw new KeystoreUnusableException("identity '" + made.name() + "': has " + FormerKeys.MOST
                    + " former keys, which is the most; retire one with: signet identity retire " + made.name()
                    + " --key ID");
        }
    }

    private Path former(String name, X509Certificate certificate) {
        return home.formerKeys().resolve(FormerKeys.fileName(name, KeyIdentifier.ofKey(certificate)));
    }

    /** Returns the new certificates of a file: the made one, then those that are there and have not ended. */
    private List<X509Certificate> renewed(Path place, X509Certificate made, IdentityKeys keys) {
        List<X509Certificate> there = existing(place);
        if (there.isEmpty() && place.equals(files.recipient(keys.current().name()))) {
            return List.of(made, keys.current().certificate());
        }
        if (!there.isEmpty() && keys.all().stream().noneMatch(key -> isSameKey(key.certificate(), there.get(0)))) {
            throw new KeystoreUnusableException(place + ": its first certificate is not one of identity '"
                    + keys.current().name() + "', so it was not changed; put the one of the identity there");
        }
        List<X509Certificate> renewed = new ArrayList<>(List.of(made));
        Instant now = clock.instant();
        there.stream()
                .filter(certificate -> !certificate.equals(made)
                        && certificate.getNotAfter().toInstant().isAfter(now))
                .limit(FormerKeys.MOST)
                .forEach(renewed::add);
        return renewed;
    }

    /**
     * Moves a former key to the retired ones, and removes its certificates. Its file stays encrypted.
     *
     * @param key 16 to 40 hex digits of its identifier
     * @return the file of the retired key
     */
    Path retire(String name, String key) {
        String digits = requireFormer(name, key);
        String file = FormerKeys.fileName(name, digits.substring(0, SHORT_ID));
        List<Path> places = List.of(files.recipient(name), files.trusted(name));
        Path retired = home.retiredKeys().resolve(file);
        try (FileChanges changes = new FileChanges()) {
            byte[] keyStore = new WholeFile(home.formerKeys().resolve(file))
                    .read(KeyStoreFile.MAX_BYTES)
                    .orElseThrow(() -> noSuchKey(name, digits));
            changes.putPrivate(retired, keyStore);
            for (Path place : places) {
                List<X509Certificate> there = existing(place);
                List<X509Certificate> left = there.stream()
                        .filter(certificate -> !isKey(certificate, digits))
                        .toList();
                if (left.size() < there.size()) {
                    changes.put(place, pem(left));
                }
            }
            changes.delete(home.formerKeys().resolve(file));
            changes.apply(beforeEach);
            return retired;
        } catch (IOException e) {
            throw IdentityFiles.unwritten(home, name, e);
        }
    }

    /**
     * Checks that an identity has a former key.
     *
     * @param key 16 to 40 hex digits of its identifier
     * @return the digits in lower case
     */
    String requireFormer(String name, String key) {
        IdentityFiles.requireName(name);
        String digits = requireKeyId(key);
        for (Path place : List.of(files.recipient(name), files.trusted(name))) {
            List<X509Certificate> there = existing(place);
            if (!there.isEmpty() && isKey(there.get(0), digits)) {
                throw new KeystoreUnusableException("identity '" + name + "': " + digits
                        + " is its current key, which cannot be retired; renew it first: signet identity renew "
                        + name);
            }
        }
        if (!Files.exists(home.formerKeys().resolve(FormerKeys.fileName(name, digits.substring(0, SHORT_ID))))) {
            throw noSuchKey(name, digits);
        }
        return digits;
    }

    /** Returns the hex digits of a key identifier in lower case. */
    static String requireKeyId(String key) {
        String digits = key.toLowerCase(Locale.ROOT);
        if (!KEY_ID.matcher(digits).matches()) {
            throw new KeystoreUnusableException(
                    "key: must be 16 to 40 hex digits, as signet identity show prints them, but was '" + key + "'");
        }
        return digits;
    }

    static KeystoreUnusableException noSuchKey(String name, String digits) {
        return new KeystoreUnusableException("identity '" + name + "': has no former key " + digits
                + "; signet identity show " + name + " lists its keys");
    }

    /** Returns the certificates of a file; an empty list if it is absent. */
    private static List<X509Certificate> existing(Path place) {
        String base = String.valueOf(place.getFileName());
        String stem = base.substring(0, base.length() - EXTENSION.length());
        for (String extension : OTHER_EXTENSIONS) {
            Path other = place.resolveSibling(stem + extension);
            if (Files.exists(other, LinkOption.NOFOLLOW_LINKS)) {
                throw new KeystoreUnusableException(
                        other + ": has the name of the identity, too; rename it to " + base);
            }
        }
        return Files.exists(place) ? Pem.readCertificates(place) : List.of();
    }

    private static byte[] pem(List<X509Certificate> certificates) {
        return certificates.stream()
                .map(Pem::certificatePem)
                .collect(Collectors.joining())
                .getBytes(StandardCharsets.US_ASCII);
    }

    private static boolean isSameKey(X509Certificate one, X509Certificate other) {
        return PublicKeyInfo.of(one).equals(PublicKeyInfo.of(other));
    }

    static boolean isKey(X509Certificate certificate, String digits) {
        return KeyIdentifier.ofKey(certificate).toString().startsWith(digits);
    }
}
