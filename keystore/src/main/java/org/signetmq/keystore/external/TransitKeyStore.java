/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.external;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.bouncycastle.asn1.edec.EdECObjectIdentifiers;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.external.TransitService.RefusedException;
import org.signetmq.keystore.home.ExternalKeys;
import org.signetmq.keystore.home.Finding;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.IdentityStore;
import org.signetmq.keystore.home.IdentityStore.IdentityKeys;
import org.signetmq.keystore.home.KeyWatch;
import org.signetmq.keystore.home.Pem;
import org.signetmq.keystore.internal.x509.CertificateIssuer;
import org.signetmq.keystore.internal.x509.CertificatePaths;
import org.signetmq.keystore.internal.x509.CertificateProviders;
import org.signetmq.keystore.internal.x509.CertificateRules;
import org.signetmq.keystore.internal.x509.FormerCertificates;
import org.signetmq.keystore.internal.x509.KeyRules;
import org.signetmq.keystore.internal.x509.PemText;
import org.signetmq.keystore.keys.CryptoProviders;

/**
 * One key of Transit as a key store. Its versions are the keys of an identity. The certificates come from the home: a
 * version without one is not used. The current key is that of the first certificate in {@code recipients/NAME.pem},
 * then in {@code trust/NAME.pem}, that may sign. Thread-safe.
 */
final class TransitKeyStore implements ExternalKeys {
    private static final Duration MOST = Duration.ofSeconds(10);
    private static final Duration WATCH_PAUSE = Duration.ofSeconds(10);
    private static final int MOST_KEYS = FormerCertificates.MOST + 1;
    private static final String ED25519 = "ed25519";
    private static final Set<String> TYPES =
            Set.of("rsa-2048", "rsa-3072", "rsa-4096", "ecdsa-p256", "ecdsa-p384", "ecdsa-p521", ED25519);

    private final TransitUri uri;
    private final TransitService service;

    /** Creates a key store. It uses the service only when an identity is loaded. */
    TransitKeyStore(TransitUri uri) {
        this(uri, MOST);
    }

    /** Creates a key store whose calls may take this time. */
    TransitKeyStore(TransitUri uri, Duration most) {
        this.uri = uri;
        this.service = new TransitService(uri, most);
    }

    /**
     * The certificates of one name in a home.
     *
     * @param own those of its keys, in their order
     * @param all these and those of their issuers
     */
    private record Certificates(List<X509Certificate> own, List<X509Certificate> all) {
        static Certificates of(Home home, String name) {
            IdentityStore.requireName(name);
            Set<X509Certificate> own = new LinkedHashSet<>();
            Set<X509Certificate> all = new LinkedHashSet<>();
            for (Path folder : List.of(home.recipients(), home.trust())) {
                Path file = folder.resolve(name + ".pem");
                if (Files.exists(file)) {
                    List<X509Certificate> read = Pem.readCertificates(file);
                    own.addAll(FormerCertificates.withCurrent(read));
                    all.addAll(read);
                }
            }
            return new Certificates(List.copyOf(own), List.copyOf(all));
        }

        /** Returns these certificates, then those that a running program has. */
        Certificates and(List<Identity> before) {
            List<X509Certificate> others = before.stream()
                    .flatMap(identity -> identity.chain().stream())
                    .toList();
            return new Certificates(
                    Stream.concat(own.stream(), before.stream().map(Identity::certificate))
                            .distinct()
                            .toList(),
                    Stream.concat(all.stream(), others.stream()).distinct().toList());
        }

        Optional<X509Certificate> of(PublicKey key) {
            PublicKeyInfo wanted = PublicKeyInfo.of(key);
            return own.stream()
                    .filter(certificate -> PublicKeyInfo.of(certificate).equals(wanted))
                    .findFirst();
        }

        List<X509Certificate> chain(X509Certificate leaf) {
            return CertificatePaths.chain(leaf, all, CertificatePaths.MAX_ISSUERS);
        }
    }

    @Override
    public IdentityKeys loadAll(String name, Home home) {
        IdentityKeys keys = keys(name, Certificates.of(home, name), List.of());
        keys.current().privateKey().requireUsable();
        return keys;
    }

    @Override
    public KeyWatch watch(String name, Home home) {
        return new KeyWatch(
                name,
                loadAll(name, home),
                WATCH_PAUSE,
                before -> keys(name, Certificates.of(home, name).and(before.all()), before.all()));
    }

    @Override
    public Identity requested(String name, Home home) {
        return identity(name, newestFirst().get(0), Certificates.of(home, name), List.of());
    }

    @Override
    public List<Identity> held(String name, Home home) {
        Certificates certificates = Certificates.of(home, name);
        return newestFirst().stream()
                .limit(MOST_KEYS)
                .map(key -> identity(name, key, certificates, List.of()))
                .toList();
    }

    private IdentityKeys keys(String name, Certificates certificates, List<Identity> before) {
        List<TransitKey> certified = newestFirst().stream()
                .filter(key -> certificates.of(key.publicKey()).isPresent())
                .limit(MOST_KEYS)
                .toList();
        if (certified.isEmpty()) {
            throw service.unusable(
                    "the home has no certificate of it in recipients/" + name
                            + ".pem; get one: signet identity request " + name
                            + " --key-store URI, then signet identity import " + name,
                    null);
        }
        List<Identity> all = new ArrayList<>(certified.stream()
                .map(key -> identity(name, key, certificates, before))
                .toList());
        Identity current = current(all, certificates);
        all.remove(current);
        return new IdentityKeys(current, all, findings(current));
    }

    private Identity current(List<Identity> all, Certificates certificates) {
        boolean issues = CertificateRules.mayIssue(certificates.own().get(0));
        return certificates.own().stream()
                .limit(issues ? 1 : Long.MAX_VALUE)
                .filter(certificate -> issues || CertificateRules.isFor(certificate, CertificateUse.SIGNING))
                .flatMap(
                        certificate -> all.stream().filter(key -> PublicKeyInfo.isSame(key.certificate(), certificate)))
                .findFirst()
                .or(() -> issues ? Optional.empty() : Optional.of(all.get(0)))
                .orElseThrow(() -> service.unusable(
                        "it is not the key of the issuer, whose certificate the home has first under this name", null));
    }

    /** Others may encrypt for an EC key whose certificate allows that, and Transit could not open it. */
    private List<Finding> findings(Identity current) {
        boolean isElliptic = current.certificate().getPublicKey().getAlgorithm().equals("EC");
        return isElliptic && CertificateRules.isFor(current.certificate(), CertificateUse.RECEIVING)
                ? List.of(new Finding(
                        uri.inWords(),
                        "its certificate allows others to encrypt for it, and Transit opens messages by RSA keys alone."
                                + " Name '" + current.name() + "' as a signer, not as a recipient",
                        "signet policy list"))
                : List.of();
    }

    private Identity identity(String name, TransitKey key, Certificates certificates, List<Identity> before) {
        List<X509Certificate> chain = certificates
                .of(key.publicKey())
                .map(certificates::chain)
                .orElseGet(() -> List.of(placeholder(name, key, certificates)));
        return before.stream()
                .filter(known -> known.privateKey() instanceof TransitKey same
                        && same.version() == key.version()
                        && PublicKeyInfo.isSame(known.certificate(), chain.get(0)))
                .findFirst()
                .map(known -> known.chain().equals(chain) ? known : new Identity(name, known.privateKey(), chain))
                .orElseGet(() -> new Identity(name, key, chain));
    }

    /** Returns a certificate that the key itself signs, until an issuer has made one. It is written nowhere. */
    private X509Certificate placeholder(String name, TransitKey key, Certificates certificates) {
        X500Name subject = certificates.own().isEmpty()
                ? DistinguishedName.encodeReadable("CN=" + name)
                : X500Name.getInstance(
                        certificates.own().get(0).getSubjectX500Principal().getEncoded());
        try {
            return new CertificateIssuer(
                            Clock.systemUTC(), CryptoProviders.jdk().random())
                    .selfSigned(subject, key.publicKey(), key);
        } catch (GeneralSecurityException e) {
            throw service.unusable("it makes no certificate", e);
        }
    }

    /** Reads the versions of the key, at least one, the newest first. */
    private List<TransitKey> newestFirst() {
        JsonNode data;
        try {
            data = service.call(uri.mount() + "/keys/" + uri.key(), null);
        } catch (RefusedException e) {
            throw service.unusable(
                    e.isForbidden()
                            ? "it does not show the key: " + e.getMessage()
                                    + "; check the login, and that its policy has read on " + uri.mount() + "/keys/"
                                    + uri.key()
                            : "there is no such key in the engine at " + uri.mount() + ": " + e.getMessage(),
                    e);
        }
        String type = data.path("type").asText("");
        if (!TYPES.contains(type) || data.path("derived").asBoolean()) {
            throw service.unusable(
                    "it is of a type that Signet does not use; make a key of the type rsa-3072 to sign and to open,"
                            + " or ecdsa-p256 or ed25519 to sign alone",
                    null);
        }
        TreeMap<Integer, TransitKey> found = new TreeMap<>();
        for (Map.Entry<String, JsonNode> version : data.path("keys").properties()) {
            int number = number(version.getKey());
            found.put(
                    number,
                    new TransitKey(
                            uri,
                            service,
                            number,
                            publicKey(
                                    type, version.getValue().path("public_key").asText(""))));
        }
        if (found.isEmpty()) {
            throw service.unusable("its answer has no public key", null);
        }
        return List.copyOf(found.descendingMap().values());
    }

    private int number(String version) {
        if (!version.matches("[1-9][0-9]{0,8}")) {
            throw service.unusable("its answer has a version that is no number", null);
        }
        return Integer.parseInt(version);
    }

    private PublicKey publicKey(String type, String text) {
        try {
            SubjectPublicKeyInfo key = type.equals(ED25519)
                    ? new SubjectPublicKeyInfo(
                            new AlgorithmIdentifier(EdECObjectIdentifiers.id_Ed25519),
                            Base64.getDecoder().decode(text))
                    : SubjectPublicKeyInfo.getInstance(pem(text));
            KeyRules.problem(key, CertificateUse.SIGNING).ifPresent(problem -> {
                throw service.unusable(problem, null);
            });
            return CertificateProviders.publicKey(key);
        } catch (GeneralSecurityException | IllegalArgumentException | IOException e) {
            throw service.unusable("its public key is malformed", e);
        }
    }

    private byte[] pem(String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        List<PemText.Block> blocks = PemText.blocks(bytes, uri.inWords(), bytes.length);
        if (blocks.size() != 1) {
            throw new IOException("not one public key");
        }
        return blocks.get(0).content();
    }
}
