/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Pem;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.keys.PregenerationSettings;
import org.signetmq.keystore.keys.SoftwareKey;
import org.signetmq.keystore.trust.CertificateTrust;
import org.signetmq.policy.CertificateInclusion;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.Policy.RequiredKeys;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.SignatureAlgorithm;
import org.signetmq.policy.UnmatchedAddress;

/** The identities of the test vectors in a home of their own, with keys from PEM files. */
final class FixedParties {
    static final String ADDRESS = "orders.eu";
    static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

    /** The identities that sign and receive. */
    static final List<String> NAMES = List.of("test-p256", "test-rsa2048");

    /** The identity that only receives. */
    static final String KEM = "test-mlkem768";

    /** The identity that only signs. */
    static final String ML_DSA = "test-mldsa65";

    /** The party with both: the companion of the first identity. */
    private static final String COMPANION = RequiredKeys.companionOf(NAMES.get(0));

    private final Home home;
    private final CertificateTrust trust;

    /** Takes all NAME.pem of the folder as recipients and trusted. */
    FixedParties(Path folder) throws IOException {
        this.home = new Home(folder);
        this.trust = home.certificateTrust();
        Files.createDirectories(home.recipients());
        Files.createDirectories(home.trust());
        for (String name : List.of(NAMES.get(0), NAMES.get(1), KEM, ML_DSA)) {
            byte[] pem = Files.readAllBytes(folder.resolve(name + ".pem"));
            for (Path certificates : List.of(home.recipients(), home.trust())) {
                Path file = certificates.resolve(party(name) + ".pem");
                Files.write(file, pem, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            }
        }
    }

    private static String party(String identity) {
        return NAMES.contains(identity) ? identity : COMPANION;
    }

    /** Returns an identity, with its companion if it has one. */
    Identity identity(String name) throws IOException, GeneralSecurityException {
        Identity alone = alone(name);
        return name.equals(NAMES.get(0)) ? alone.with(alone(ML_DSA)) : alone;
    }

    private Identity alone(String name) throws IOException, GeneralSecurityException {
        return new Identity(
                party(name), new SoftwareKey(privateKey(name), CryptoProviders.standard()), List.of(certificate(name)));
    }

    X509Certificate certificate(String name) throws IOException {
        return Pem.readCertificates(home.root().resolve(name + ".pem")).get(0);
    }

    PrivateKey privateKey(String name) throws IOException, GeneralSecurityException {
        String base64 = String.join(
                "",
                Files.readAllLines(home.root().resolve(name + ".key")).stream()
                        .filter(line -> !line.startsWith("-----"))
                        .toList());
        PKCS8EncodedKeySpec encoded =
                new PKCS8EncodedKeySpec(Base64.getDecoder().decode(base64));
        KeyFactory factory = switch (name) {
            case KEM -> KeyFactory.getInstance("ML-KEM-768", CryptoProviders.bouncyCastle());
            case ML_DSA -> KeyFactory.getInstance("ML-DSA-65", CryptoProviders.bouncyCastle());
            default -> KeyFactory.getInstance(name.endsWith("p256") ? "EC" : "RSA");
        };
        return factory.generatePrivate(encoded);
    }

    Sealer sealer() {
        return Sealer.create(home.recipientDirectory(), trust, at(NOW), PregenerationSettings.AUTO);
    }

    SegmentForge forge() {
        return new SegmentForge(home, at(NOW));
    }

    /** An opener with the keys of an identity, and the receiving key of its companion. */
    Opener opener(String name, PolicySet policies, Instant now) throws IOException, GeneralSecurityException {
        List<Identity> own =
                name.equals(NAMES.get(0)) ? List.of(identity(name), identity(KEM)) : List.of(identity(name));
        Opener.Keys keys = new Opener.Keys(own, home.recipientDirectory(), trust);
        return Opener.create(keys, () -> policies, at(now));
    }

    /** An opener with the keys of all identities that sign and receive. */
    Opener openerOfAll(PolicySet policies) throws IOException, GeneralSecurityException {
        List<Identity> identities = new ArrayList<>();
        for (String name : NAMES) {
            identities.add(identity(name));
        }
        Opener.Keys keys = new Opener.Keys(identities, home.recipientDirectory(), trust);
        return Opener.create(keys, () -> policies, at(NOW));
    }

    RecipientDirectory directory() {
        return home.recipientDirectory();
    }

    X509Certificate anyCertificate() {
        return home.recipientDirectory().find(NAMES.get(0)).orElseThrow().certificate();
    }

    CertificateTrust trust() {
        return trust;
    }

    EnvelopeCheck check() {
        return new EnvelopeCheck(home.recipientDirectory(), trust, at(NOW), CryptoProviders.standard());
    }

    static PolicySet policies(QualityOfProtection quality, String recipient, List<String> signers) {
        return policies(quality, recipient, signers, RequiredKeys.EITHER);
    }

    static PolicySet policies(
            QualityOfProtection quality, String identity, List<String> signers, RequiredKeys required) {
        String recipient = party(identity);
        Policy.Signing signing = new Policy.Signing(
                SignatureAlgorithm.SHA_512,
                signers.stream().map(FixedParties::party).toList(),
                required == RequiredKeys.BOTH ? CertificateInclusion.REFERENCED : CertificateInclusion.INCLUDED);
        Policy policy = switch (quality) {
            case INTEGRITY -> Policy.integrity(ADDRESS).with(signing);
            case PRIVACY -> Policy.privacy(ADDRESS, List.of(recipient)).with(signing);
            case CONFIDENTIALITY -> Policy.confidentiality(ADDRESS, List.of(recipient), KeyLimits.DEFAULT);
            case AUTHENTICITY ->
                Policy.authenticity(ADDRESS, List.of(recipient), KeyLimits.DEFAULT)
                        .with(signing);
            case NONE -> throw new IllegalArgumentException("quality: none has no envelope");
        };
        Policy.Enforcement enforcement =
                new Policy.Enforcement(Policy.SignatureCheck.SIGNATURE, false, false, null, List.of(), required);
        return PolicySet.of(17, UnmatchedAddress.PASS, List.of(policy.with(enforcement)));
    }

    /** The policies, for another address. */
    static PolicySet covering(String address, PolicySet policies) {
        Policy policy = policies.policies().get(0);
        return policies.with(
                new Policy(address, policy.quality(), policy.signing(), policy.encryption(), policy.acceptance())
                        .with(policy.enforcement()));
    }

    private static Clock at(Instant now) {
        return Clock.fixed(now, ZoneOffset.UTC);
    }
}
