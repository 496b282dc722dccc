/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.enrolment;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.UnrecoverableKeyException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import javax.crypto.BadPaddingException;
import org.bouncycastle.asn1.ASN1BMPString;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.ASN1Sequence;
import org.bouncycastle.asn1.ASN1Set;
import org.bouncycastle.asn1.pkcs.Attribute;
import org.bouncycastle.asn1.pkcs.AuthenticatedSafe;
import org.bouncycastle.asn1.pkcs.CertBag;
import org.bouncycastle.asn1.pkcs.ContentInfo;
import org.bouncycastle.asn1.pkcs.EncryptedData;
import org.bouncycastle.asn1.pkcs.EncryptedPrivateKeyInfo;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.Pfx;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.pkcs.SafeBag;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.home.Password;
import org.signetmq.keystore.home.Pem;
import org.signetmq.keystore.internal.x509.CertificateProviders;
import org.signetmq.keystore.internal.x509.PemText;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.keys.SoftwareKey;

/** The private keys and certificates of the files of one import. Immutable. */
public final class KeyMaterial {
    private final String source;
    private final List<Entry> keys;
    private final List<X509Certificate> certificates;

    /**
     * A private key.
     *
     * @param alias its name in a key store, or a number
     */
    private record Entry(String alias, PrivateKey key) {
        @Override
        public String toString() {
            return "Entry[" + alias + "]";
        }
    }

    private KeyMaterial(String source, List<Entry> keys, Collection<X509Certificate> certificates) {
        this.source = source;
        this.keys = List.copyOf(keys);
        this.certificates = List.copyOf(certificates);
    }

    /**
     * Reads files.
     *
     * @param password of the files, or null if none needs one
     * @throws KeystoreUnusableException if the password is wrong, or a file is damaged
     */
    public static KeyMaterial read(List<ImportFile> files, @Nullable Password password) {
        List<Entry> keys = new ArrayList<>();
        Set<X509Certificate> certificates = new LinkedHashSet<>(ImportFile.certificates(files));
        for (ImportFile file : files) {
            if (file.isStore()) {
                readStore(file, password, keys, certificates);
            }
            for (PemText.Block block : file.blocks()) {
                if (block.isPrivateKey()) {
                    keys.add(new Entry(String.valueOf(keys.size() + 1), PemKeys.read(block, password)));
                }
            }
        }
        return new KeyMaterial(ImportFile.sources(files), keys, certificates);
    }

    private static void readStore(
            ImportFile file, @Nullable Password password, List<Entry> keys, Set<X509Certificate> certificates) {
        try {
            KeyStore store = opened(file, password);
            if (file.kind() == ImportFile.Kind.PKCS12) { // counts the rounds of all keys before one is decrypted
                Pkcs12Bags bags = Pkcs12Bags.read(file, characters(password));
                certificates.addAll(bags.certificates());
                bags.keys().forEach((alias, key) -> keys.add(new Entry(alias, key)));
            }
            for (String alias : Collections.list(store.aliases())) {
                Certificate[] chain = store.getCertificateChain(alias);
                Certificate[] all = chain == null ? new Certificate[] {store.getCertificate(alias)} : chain;
                for (Certificate certificate : all) {
                    if (certificate instanceof X509Certificate x509) {
                        certificates.add(CertificateProviders.certificate(x509.getEncoded()));
                    }
                }
                if (store.isKeyEntry(alias)) {
                    Key key = CertificateProviders.key(store, alias, characters(password), file.bytes());
                    if (key instanceof PrivateKey privateKey) {
                        keys.add(new Entry(alias, privateKey));
                    }
                }
            }
        } catch (KeystoreUnusableException e) {
            throw e;
        } catch (UnrecoverableKeyException e) {
            throw new KeystoreUnusableException(
                    file.source() + ": wrong password for a private key in it; give the key and the file one password"
                            + " first: keytool -keypasswd",
                    e);
        } catch (GeneralSecurityException | IOException | RuntimeException e) { // undocumented ones of parsers, too
            throw new KeystoreUnusableException(
                    file.source() + ": damaged, or of a kind of key that is not supported", e);
        }
    }

    /** Returns the characters of a password, which its owner wipes; none for no password. */
    private static char[] characters(@Nullable Password password) {
        return password == null ? new char[0] : password.characters();
    }

    /** Opens a key store. Without a password, the certificates of a JKS file can be read, and PKCS#12 without one. */
    private static KeyStore opened(ImportFile file, @Nullable Password password) throws GeneralSecurityException {
        boolean jks = file.kind() == ImportFile.Kind.JKS;
        KeyStore store = jks ? CertificateProviders.jks() : CertificateProviders.pkcs12();
        try {
            if (!jks) { // the JDK limits the rounds of each encryption alone
                var unused = Pkcs12Bags.read(file, null);
            }
            store.load(new ByteArrayInputStream(file.bytes()), jks && password == null ? null : characters(password));
            return store;
        } catch (IOException e) {
            if (e.getCause() instanceof UnrecoverableKeyException) {
                throw new KeystoreUnusableException(file.source() + ": wrong password", e);
            }
            throw new KeystoreUnusableException(
                    file.source() + ": damaged or truncated, or its encryption is not supported", e);
        }
    }

    /** Tells whether a key store needs a password: JKS for its keys, PKCS#12 unless it has none or an empty one. */
    static boolean needsPassword(ImportFile store) {
        try {
            KeyStore opened = opened(store, null);
            for (String alias : Collections.list(opened.aliases())) {
                if (store.kind() == ImportFile.Kind.JKS && opened.isKeyEntry(alias)) {
                    return true;
                }
            }
            return false;
        } catch (GeneralSecurityException | RuntimeException wrongPassword) {
            return true;
        }
    }

    /**
     * Returns a key store without a private key as a file of its certificates. Any other file stays as it is.
     *
     * @param password of the file, or null if it needs none
     * @throws KeystoreUnusableException if the password is wrong, or a key store has neither key nor certificate
     */
    public static ImportFile certificatesAlone(ImportFile file, @Nullable Password password) {
        if (!file.isStore() || (file.kind() == ImportFile.Kind.JKS ? needsPassword(file) : Pkcs12Bags.showsKey(file))) {
            return file;
        }
        KeyMaterial read = read(List.of(file), password);
        if (!read.keys.isEmpty()) {
            return file;
        }
        if (read.certificates.isEmpty()) {
            throw new KeystoreUnusableException(file.source() + ": holds no certificate");
        }
        String pem = read.certificates.stream().map(Pem::certificatePem).collect(Collectors.joining());
        return ImportFile.of(file.source(), pem.getBytes(StandardCharsets.US_ASCII));
    }

    /**
     * Returns the private key with its certificate and the issuers of that, in their order.
     *
     * @param name the name of the identity
     * @param alias the key, or null if there is only one
     * @throws KeystoreUnusableException if there is no key, or no certificate for it; if there are two keys, the text
     *     says which
     */
    public Identity identity(String name, @Nullable String alias) {
        PrivateKey key = key(alias).key();
        List<X509Certificate> own = certificates.stream()
                .filter(certificate -> CertificateProviders.isPair(key, certificate.getPublicKey()))
                .toList();
        X509Certificate leaf = own.stream()
                .max(Comparator.comparing(X509Certificate::getNotBefore))
                .orElseThrow(() -> new KeystoreUnusableException(source
                        + (certificates.isEmpty()
                                ? ": holds no certificate; add the file of the certificate by another --in"
                                : ": none of its certificates is that of its private key")));
        return new Identity(name, new SoftwareKey(key, CryptoProviders.jdk()), PartyRules.chain(leaf, certificates));
    }

    private Entry key(@Nullable String alias) {
        if (keys.isEmpty()) {
            throw new KeystoreUnusableException(source + ": holds no private key");
        }
        List<String> aliases = keys.stream().map(Entry::alias).toList();
        if (alias == null) {
            if (keys.size() > 1) {
                throw new KeystoreUnusableException(source + ": holds " + keys.size() + " private keys, "
                        + quoted(aliases) + "; choose one: --alias NAME");
            }
            return keys.get(0);
        }
        return keys.stream()
                .filter(entry -> entry.alias().equalsIgnoreCase(alias))
                .findFirst()
                .orElseThrow(() -> new KeystoreUnusableException(
                        source + ": holds no private key '" + alias + "', but " + quoted(aliases)));
    }

    private static String quoted(List<String> aliases) {
        return aliases.stream().map(alias -> "'" + alias + "'").collect(Collectors.joining(", "));
    }

    @Override
    public String toString() {
        return "KeyMaterial[" + source + ", " + keys.size() + " keys, " + certificates.size() + " certificates]";
    }

    /**
     * What a PKCS#12 file has and the JDK's key store leaves out: keys that are not encrypted, and certificates without
     * a key that no attribute of Java marks. All encryptions in a file together may ask for as many rounds as that of a
     * key.
     */
    static final class Pkcs12Bags {
        private final ImportFile file;
        private final char @Nullable [] password;
        private final Map<String, PrivateKey> keys = new LinkedHashMap<>();
        private final List<X509Certificate> certificates = new ArrayList<>();
        private BigInteger rounds = BigInteger.ZERO;
        private boolean hasKey;

        private Pkcs12Bags(ImportFile file, char @Nullable [] password) {
            this.file = file;
            this.password = password;
        }

        /**
         * Tells whether the file shows without a password that it has a private key, as almost all do that have one.
         */
        static boolean showsKey(ImportFile file) {
            try {
                return read(file, null).hasKey;
            } catch (GeneralSecurityException | IOException | RuntimeException malformed) { // its reader says so
                return false;
            }
        }

        /**
         * Reads a file.
         *
         * @param password empty for none; null to read nothing but what encryption and keys the file shows
         * @throws KeystoreUnusableException if the encryptions ask for too many rounds
         */
        static Pkcs12Bags read(ImportFile file, char @Nullable [] password)
                throws GeneralSecurityException, IOException {
            Pkcs12Bags found = new Pkcs12Bags(file, password);
            Pfx store = Pfx.getInstance(file.bytes());
            if (store.getMacData() != null) {
                found.count(store.getMacData().getIterationCount());
            }
            byte[] safe = octets(store.getAuthSafe().getContent());
            for (ContentInfo part : AuthenticatedSafe.getInstance(safe).getContentInfo()) {
                if (part.getContentType().equals(PKCSObjectIdentifiers.data)) {
                    found.bags(octets(part.getContent()));
                } else if (part.getContentType().equals(PKCSObjectIdentifiers.encryptedData)) {
                    EncryptedData encrypted = EncryptedData.getInstance(part.getContent());
                    AlgorithmIdentifier algorithm = encrypted.getEncryptionAlgorithm();
                    found.count(PemKeys.rounds(algorithm, file.source()));
                    if (password != null) {
                        found.bags(decrypted(algorithm, encrypted.getContent().getOctets(), password));
                    }
                }
            }
            return found;
        }

        private void count(BigInteger more) {
            PemKeys.requireFew(more, file.source());
            rounds = rounds.add(more);
            PemKeys.requireFew(rounds, file.source());
        }

        /** Returns the keys that are not encrypted, by the names that the file gives them, or by numbers. */
        Map<String, PrivateKey> keys() {
            return keys;
        }

        /** Returns all certificates. */
        List<X509Certificate> certificates() {
            return certificates;
        }

        private static byte[] octets(ASN1Encodable content) {
            return ASN1OctetString.getInstance(content).getOctets();
        }

        private void bags(byte[] encoded) throws GeneralSecurityException, IOException {
            for (ASN1Encodable each : ASN1Sequence.getInstance(encoded)) {
                SafeBag bag = SafeBag.getInstance(each);
                ASN1ObjectIdentifier kind = bag.getBagId();
                if (kind.equals(PKCSObjectIdentifiers.pkcs8ShroudedKeyBag)) {
                    hasKey = true;
                    count(PemKeys.rounds(
                            EncryptedPrivateKeyInfo.getInstance(bag.getBagValue())
                                    .getEncryptionAlgorithm(),
                            file.source()));
                } else if (kind.equals(PKCSObjectIdentifiers.keyBag)) {
                    hasKey = true;
                    if (password != null) {
                        keys.put(
                                name(bag),
                                CertificateProviders.privateKey(PrivateKeyInfo.getInstance(bag.getBagValue())));
                    }
                } else if (kind.equals(PKCSObjectIdentifiers.certBag) && password != null) {
                    CertBag certificate = CertBag.getInstance(bag.getBagValue());
                    if (certificate.getCertId().equals(PKCSObjectIdentifiers.x509Certificate)) {
                        certificates.add(ImportFile.certificate(octets(certificate.getCertValue()), file.source()));
                    }
                }
            }
        }

        private String name(SafeBag bag) {
            ASN1Set attributes = bag.getBagAttributes();
            for (int i = 0; attributes != null && i < attributes.size(); i++) {
                Attribute attribute = Attribute.getInstance(attributes.getObjectAt(i));
                if (attribute.getAttrType().equals(PKCSObjectIdentifiers.pkcs_9_at_friendlyName)) {
                    return ASN1BMPString.getInstance(attribute.getAttributeValues()[0])
                            .getString();
                }
            }
            return String.valueOf(keys.size() + 1);
        }

        private static byte[] decrypted(AlgorithmIdentifier algorithm, byte[] content, char[] password)
                throws GeneralSecurityException, IOException {
            try {
                return CertificateProviders.decrypted(algorithm, content, password);
            } catch (BadPaddingException e) {
                if (password.length > 0) {
                    throw e;
                }
                // some software ends an empty password by a zero, too
                return CertificateProviders.decrypted(algorithm, content, new char[1]);
            }
        }
    }
}
