/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.ams;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.UnrecoverableKeyException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Set;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** An RSA key of 2048 bits with its self-signed certificate. A PKCS #12 file shares it between processes. */
public final class AmsIdentity {
    private static final int KEY_BITS = 2048;
    private static final int SERIAL_BITS = 127;
    private static final String ALIAS = "ams-compat";
    private static final Duration VALIDITY = Duration.ofDays(30);

    /** Messages of a machine with a late clock are signed before the certificate was made. */
    private static final Duration CLOCK_SKEW = Duration.ofHours(1);

    /** The key usages that AMS requires for one quality or another. */
    private static final int USAGE =
            KeyUsage.digitalSignature | KeyUsage.nonRepudiation | KeyUsage.keyEncipherment | KeyUsage.dataEncipherment;

    private final PrivateKey key;
    private final X509Certificate certificate;

    private AmsIdentity(PrivateKey key, X509Certificate certificate) {
        this.key = key;
        this.certificate = certificate;
    }

    /** Makes a key and a certificate with this common name. */
    public static AmsIdentity create(String name) throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(KEY_BITS);
        KeyPair pair = generator.generateKeyPair();
        X500Name subject = new X500Name("CN=" + name + ",O=Signet perf");
        Instant now = Instant.now();
        X509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                subject,
                new BigInteger(SERIAL_BITS, new SecureRandom()).setBit(SERIAL_BITS - 1),
                Date.from(now.minus(CLOCK_SKEW)),
                Date.from(now.plus(VALIDITY)),
                subject,
                pair.getPublic());
        try {
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
                    .addExtension(Extension.keyUsage, true, new KeyUsage(USAGE))
                    .addExtension(
                            Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_emailProtection))
                    .addExtension(
                            Extension.subjectKeyIdentifier,
                            false,
                            new JcaX509ExtensionUtils().createSubjectKeyIdentifier(pair.getPublic()));
            X509Certificate certificate = new JcaX509CertificateConverter()
                    .getCertificate(builder.build(
                            new JcaContentSignerBuilder(MessageSignature.ALGORITHM).build(pair.getPrivate())));
            return new AmsIdentity(pair.getPrivate(), certificate);
        } catch (IOException | OperatorCreationException e) {
            throw new GeneralSecurityException("certificate: cannot be made", e);
        }
    }

    /**
     * Writes the key and the certificate to a new PKCS #12 file, which its owner alone can read.
     *
     * @throws IOException if the file exists, or cannot be written
     */
    public void write(Path file, char[] password) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry(ALIAS, key, password, new Certificate[] {certificate});
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        store.store(bytes, password);
        try (ByteChannel channel = Files.newByteChannel(
                file,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
            ByteBuffer buffer = ByteBuffer.wrap(bytes.toByteArray());
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
        }
    }

    /**
     * Reads a file of {@link #write}.
     *
     * @throws IOException if the file cannot be read, or the password is wrong
     */
    public static AmsIdentity read(Path file, char[] password) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream bytes = Files.newInputStream(file)) {
            store.load(bytes, password);
        }
        if (store.getKey(ALIAS, password) instanceof PrivateKey key
                && store.getCertificate(ALIAS) instanceof X509Certificate certificate) {
            return new AmsIdentity(key, certificate);
        }
        throw new UnrecoverableKeyException("key store: " + file + " has no identity '" + ALIAS + "'");
    }

    public X509Certificate certificate() {
        return certificate;
    }

    PrivateKey key() {
        return key;
    }
}
