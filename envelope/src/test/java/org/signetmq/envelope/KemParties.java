/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.math.BigInteger;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.keys.SoftwareKey;
import org.signetmq.keystore.trust.CertificateTrust;
import org.signetmq.keystore.trust.TrustedCertificate;

/** ML-KEM recipients beside the identities of a home, whose rules for certificates do not count for them. */
final class KemParties implements RecipientDirectory, CertificateTrust {
    private final RecipientDirectory directory;
    private final CertificateTrust trust;
    private final Map<String, Identity> identities = new LinkedHashMap<>();
    private final KeyPair issuer;

    KemParties(Parties parties) throws Exception {
        this.directory = parties.home.recipientDirectory();
        this.trust = parties.home.certificateTrust();
        this.issuer = KeyPairGenerator.getInstance("EC").generateKeyPair();
    }

    /** Makes an identity, or returns it if it was made before. */
    Identity identity(String name, KeyAlgorithm algorithm) throws Exception {
        Identity made = identities.get(name);
        if (made == null) {
            KeyPair pair = CryptoProviders.generate(algorithm, new SecureRandom());
            X509Certificate certificate = new JcaX509CertificateConverter()
                    .getCertificate(new JcaX509v3CertificateBuilder(
                                    new X500Name("CN=issuer"),
                                    BigInteger.valueOf(identities.size() + 1),
                                    Date.from(Instant.EPOCH),
                                    Date.from(Instant.now().plusSeconds(86_400)),
                                    new X500Name("CN=" + name),
                                    pair.getPublic())
                            .build(new JcaContentSignerBuilder("SHA256withECDSA").build(issuer.getPrivate())));
            made = new Identity(
                    name, new SoftwareKey(pair.getPrivate(), CryptoProviders.standard()), List.of(certificate));
            identities.put(name, made);
        }
        return made;
    }

    private Optional<Recipient> kem(String name) {
        return Optional.ofNullable(identities.get(name))
                .map(identity -> new Recipient(identity.name(), identity.certificate()));
    }

    @Override
    public Optional<Recipient> find(String selector) {
        return kem(selector).or(() -> directory.find(selector));
    }

    @Override
    public List<Recipient> find(KeyIdentifier keyIdentifier) {
        return directory.find(keyIdentifier);
    }

    @Override
    public List<Recipient> all() {
        List<Recipient> all = new ArrayList<>(directory.all());
        identities.keySet().forEach(name -> all.add(kem(name).orElseThrow()));
        return all;
    }

    @Override
    public long version() {
        return 1;
    }

    @Override
    public TrustedCertificate verify(
            X509Certificate certificate, Collection<X509Certificate> others, CertificateUse use, Instant at) {
        return trust.verify(certificate, others, use, at);
    }

    @Override
    public void check(X509Certificate certificate, Collection<X509Certificate> others, CertificateUse use, Instant at) {
        if (KeyAlgorithm.postQuantum(certificate.getPublicKey()).isEmpty()) {
            trust.check(certificate, others, use, at);
        }
    }

    @Override
    public List<Recipient> trusted() {
        return trust.trusted();
    }

    @Override
    public long signatureVerifications() {
        return trust.signatureVerifications();
    }
}
