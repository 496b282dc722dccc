/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.token;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.IdentityStore;
import org.signetmq.keystore.home.Pem;
import org.signetmq.keystore.internal.x509.CertificatePaths;
import org.signetmq.keystore.internal.x509.CertificateRules;
import org.signetmq.keystore.internal.x509.FormerCertificates;
import org.signetmq.keystore.token.KeyChoice.CurrentKeyRule.Candidate;

/**
 * Finds the keys that a URI names, and proves that the token has them. A URI with an id names one key. One with a label
 * names all keys with this label. Any other names the keys whose label is the name of the identity, and those whose
 * certificates the home has under this name. A token may have several entries of one public key; the first one that has
 * the private key counts.
 *
 * @param uri names the keys
 * @param name the name of the identity
 * @param rule tells which key is the current one, and has the certificates of the home
 * @param token the token after a login
 */
record KeyChoice(TokenUri uri, String name, CurrentKeyRule rule, Token token) {
    private static final int MOST_SHOWN = 10;
    private static final int MOST_KEYS = FormerCertificates.MOST + 1;
    private static final String NOT_ITS_KEY = "is not the key of the certificate with its id";

    /**
     * A token after a login.
     *
     * @param proven the entries that proved their private keys. Two entries of one public key may have different ones.
     * @param ids returns the ids of a certificate in hexadecimal, which SunPKCS11 does not show
     */
    record Token(TokenProvider provider, Set<OpenedKey.Entry> proven, Function<X509Certificate, List<String>> ids) {}

    /**
     * The keys of one identity in a token.
     *
     * @param keys the current key first, which signs; the others only open messages
     * @param problems the reasons why further keys are not used
     * @param failed the keys that the token has, and could not read or use this time
     */
    record TokenKeys(List<OpenedKey> keys, List<String> problems, Set<PublicKeyInfo> failed) {}

    /**
     * Returns the keys with their certificates, the current one first. An unfit one beside it does not disturb it.
     *
     * @param keys a listing of the token
     * @throws KeystoreUnusableException if there is no such key, if several identities have one, or if the current one
     *     is not that of its certificate
     * @throws GeneralSecurityException if the token fails, or could not read the current key; no other one takes its
     *     place
     */
    TokenKeys from(KeyStore keys) throws GeneralSecurityException {
        List<Candidate> newestFirst = named(keys).sorted(CurrentKeyRule.NEWEST).toList();
        if (newestFirst.isEmpty()) {
            throw absent();
        }
        Candidate current =
                rule.of(newestFirst).orElseThrow(() -> rule.namesIssuer() ? withoutIssuer() : ambiguous(newestFirst));
        List<String> problems = new ArrayList<>();
        Map<PublicKeyInfo, List<Candidate>> entries = new LinkedHashMap<>();
        entries.put(current.key(), new ArrayList<>());
        for (Candidate entry : newestFirst) {
            if (entry.owner().equals(current.owner())) {
                entries.computeIfAbsent(entry.key(), any -> new ArrayList<>()).add(entry);
            } else {
                problems.add(text(problem("has a namesake that is not used: its certificate has another distinguished"
                        + " name than the current key")));
            }
        }
        if (entries.size() > MOST_KEYS) {
            throw problem("is one of more than " + MOST_KEYS + " keys; delete old ones, or name one by its id");
        }
        List<OpenedKey> found = new ArrayList<>();
        Set<PublicKeyInfo> failed = new HashSet<>();
        for (Map.Entry<PublicKeyInfo, List<Candidate>> one : entries.entrySet()) {
            try {
                found.add(first(keys, one.getValue(), problems));
            } catch (GeneralSecurityException | RuntimeException e) {
                if (found.isEmpty()) {
                    throw e;
                }
                if (!(e instanceof KeystoreUnusableException)) {
                    failed.add(one.getKey());
                    problems.add(
                            text(problem("cannot be used (" + TokenFailure.of(e).code() + "), or " + NOT_ITS_KEY)));
                }
            }
        }
        if (!failed.isEmpty() && !found.get(0).proves()) {
            throw new InvalidKeyException("the current key does not work any more");
        }
        return new TokenKeys(found, problems, failed);
    }

    /**
     * Finds a key again by its public key alone, whatever its names are. It keeps its chain.
     *
     * @throws KeystoreUnusableException if the token does not have this key
     * @throws GeneralSecurityException if the token fails
     */
    OpenedKey again(KeyStore keys, OpenedKey before) throws GeneralSecurityException {
        List<Candidate> entries =
                entries(keys).filter(entry -> entry.key().equals(before.info())).toList();
        if (entries.isEmpty()) {
            throw named(keys).findAny().isEmpty() ? absent() : anotherKey(uri, name);
        }
        OpenedKey found = first(keys, entries, new ArrayList<>());
        return new OpenedKey(found.provider(), found.key(), before.chain(), found.entry());
    }

    /** Returns the failure of a token that has lost a key, and has another one of the same name. */
    static KeystoreUnusableException anotherKey(TokenUri uri, String name) {
        return new KeystoreUnusableException(
                uri.tokenInWords() + ": it has another key under this name than before; put its certificate into"
                        + " recipients/" + name + ".pem, or restart the program");
    }

    /**
     * Returns the first entry that has the private key of its certificate.
     *
     * @param entries those of one public key
     * @param problems takes the problems of unfit entries before it
     * @throws KeystoreUnusableException if all entries are unfit
     * @throws GeneralSecurityException if no entry has the key, and the token failed
     */
    private OpenedKey first(KeyStore keys, List<Candidate> entries, List<String> problems)
            throws GeneralSecurityException {
        Exception failure = problem(NOT_ITS_KEY);
        for (Candidate entry : entries) {
            try {
                OpenedKey key = opened(keys, entry);
                if (token.proven().contains(entry.entry()) || key.proves()) {
                    token.proven().add(entry.entry());
                    return key;
                }
                problems.add(text(problem(NOT_ITS_KEY)));
            } catch (KeystoreUnusableException unfit) {
                problems.add(text(unfit));
                failure = failure instanceof KeystoreUnusableException ? unfit : failure;
            } catch (GeneralSecurityException | RuntimeException e) {
                failure = e;
            }
        }
        if (failure instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        throw failure instanceof GeneralSecurityException same ? same : new GeneralSecurityException(failure);
    }

    private OpenedKey opened(KeyStore keys, Candidate candidate) throws GeneralSecurityException {
        String alias = candidate.entry().alias();
        if (!(keys.getKey(alias, null) instanceof PrivateKey key)) {
            throw problem("is not a private key, or two private keys have its id");
        }
        if (!key.getAlgorithm().equals("EC") && !key.getAlgorithm().equals("RSA")) {
            throw problem("is of the kind " + key.getAlgorithm() + "; in a token Signet uses EC and RSA keys");
        }
        Certificate[] chain = keys.getCertificateChain(alias);
        if (chain == null || chain.length == 0) {
            throw problem("has no certificate");
        }
        if (!key.getAlgorithm().equals(chain[0].getPublicKey().getAlgorithm())) {
            throw problem(NOT_ITS_KEY);
        }
        List<X509Certificate> inToken =
                Stream.of(chain).map(X509Certificate.class::cast).toList();
        return new OpenedKey(
                token.provider().provider(), key, rule.chain(candidate.certificate(), inToken), candidate.entry());
    }

    /** Returns the entries with private keys, except those with malformed certificates of other programs. */
    private Stream<Candidate> entries(KeyStore keys) throws GeneralSecurityException {
        List<Candidate> found = new ArrayList<>();
        for (String alias : Collections.list(keys.aliases())) {
            if (keys.getCertificate(alias) instanceof X509Certificate certificate && keys.isKeyEntry(alias)) {
                rule.candidate(new OpenedKey.Entry(alias, certificate)).ifPresent(found::add);
            }
        }
        return found.stream();
    }

    private Stream<Candidate> named(KeyStore keys) throws GeneralSecurityException {
        return entries(keys).filter(this::isNamed);
    }

    private boolean isNamed(Candidate candidate) {
        OpenedKey.Entry entry = candidate.entry();
        if (uri.id().isPresent()) {
            return (uri.object().isEmpty() || hasLabel(entry))
                    && token.ids().apply(entry.certificate()).contains(uri.id().get());
        }
        return hasLabel(entry) || (uri.object().isEmpty() && rule.hasKey(candidate.key()));
    }

    /** SunPKCS11 adds issuer and serial number to a label that several certificates have. */
    private boolean hasLabel(OpenedKey.Entry entry) {
        // SunPKCS11 shows each byte of a label as a character
        String label =
                new String(uri.object().orElse(name).getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        return entry.alias().equals(label)
                || (entry.alias().startsWith(label + "/")
                        && entry.alias().endsWith("/" + entry.certificate().getSerialNumber()));
    }

    private KeystoreUnusableException absent() {
        return problem("is not there with a certificate of the same id. Java finds no key without one: write the"
                + " certificate into the token, for example by pkcs11-tool --write-object FILE.der --type cert"
                + " --id ID --label LABEL");
    }

    private KeystoreUnusableException withoutIssuer() {
        return problem(
                "is not that of the issuer in the home: the home has the issuer's certificate first under the name "
                        + name + ", and the token does not have its key. Use the token with this key, or another name");
    }

    private KeystoreUnusableException ambiguous(List<Candidate> found) {
        String known = found.stream()
                .limit(MOST_SHOWN)
                .flatMap(key -> token.ids().apply(key.entry().certificate()).stream())
                .map(id -> id.isEmpty() ? "(it has no id)" : "id=" + id.replaceAll("..", "%$0"))
                .collect(Collectors.joining(" or "));
        return problem("is not the only one: " + found.size()
                + " keys of different distinguished names are so named; name one by its id: " + known);
    }

    private KeystoreUnusableException problem(String text) {
        return new KeystoreUnusableException(
                uri.tokenInWords() + ": the private key with " + uri.keyInWords(name) + " " + text);
    }

    private static String text(KeystoreUnusableException problem) {
        return String.valueOf(problem.getMessage());
    }

    /**
     * Chooses the current one of several keys of an identity by their certificates. It is the key of the first
     * certificate of the home that may sign. If that file begins with an issuer, no other key than the issuer's is the
     * current one. If the home has none, a running program keeps its present key, so no key signs that was only put
     * into the token. Without a present key in the token it is the key with the newest certificate that is already
     * valid. Keys that may sign come before all others.
     *
     * @param own the certificates of its keys in the order of {@code recipients/NAME.pem}, then of
     *     {@code trust/NAME.pem}
     * @param issuers all certificates of these files
     * @param present the certificates of the keys that this process has until now, the current one first; empty at the
     *     start
     */
    record CurrentKeyRule(List<X509Certificate> own, List<X509Certificate> issuers, List<X509Certificate> present) {
        /** The rule without a home at the start of a program. */
        static final CurrentKeyRule NONE = new CurrentKeyRule(List.of(), List.of(), List.of());

        /**
         * The newest certificate first. Of two entries with the same certificate, that which has it in the token is
         * first.
         */
        static final Comparator<Candidate> NEWEST = Comparator.<Candidate, Instant>comparing(
                        key -> key.certificate().getNotBefore().toInstant())
                .thenComparing(key -> key.certificate().getNotAfter().toInstant())
                .thenComparing(key -> key.certificate().getSerialNumber())
                .thenComparing(key -> key.entry().certificate().equals(key.certificate()))
                .reversed();

        /**
         * A key that may be the current one.
         *
         * @param entry its place in the token
         * @param certificate its certificate. The home may have another one than the token.
         */
        record Candidate(OpenedKey.Entry entry, X509Certificate certificate, PublicKeyInfo key) {
            DistinguishedName owner() {
                return DistinguishedName.of(certificate);
            }
        }

        /**
         * Reads the files of a name in a home.
         *
         * @throws org.signetmq.keystore.KeystoreUnusableException if the name is not one of an identity, or a file
         *     cannot be read
         */
        static CurrentKeyRule of(Home home, String name, List<X509Certificate> present) {
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
            return new CurrentKeyRule(List.copyOf(own), List.copyOf(all), present);
        }

        /** Returns whether the home has a certificate of a key. */
        boolean hasKey(PublicKeyInfo key) {
            return own.stream().map(PublicKeyInfo::of).anyMatch(key::equals);
        }

        /**
         * Returns the chain of a certificate. It takes the place of that in the token, so the token keeps the
         * certificate that its key was made with.
         *
         * @param inToken the certificates in the token: that of the key first, then its issuers
         */
        List<X509Certificate> chain(X509Certificate leaf, List<X509Certificate> inToken) {
            return leaf.equals(inToken.get(0)) && inToken.size() > 1
                    ? inToken
                    : CertificatePaths.chain(
                            leaf,
                            Stream.concat(issuers.stream(), inToken.stream()).toList(),
                            CertificatePaths.MAX_ISSUERS);
        }

        /**
         * Returns the key of an entry; empty if its certificate is malformed. Without a certificate in the home a
         * running program keeps the one that it has, so no program takes a certificate that was only put into the
         * token.
         */
        Optional<Candidate> candidate(OpenedKey.Entry entry) {
            try {
                PublicKeyInfo key = PublicKeyInfo.of(entry.certificate());
                X509Certificate certificate = Stream.concat(own.stream(), present.stream())
                        .filter(one -> PublicKeyInfo.of(one).equals(key))
                        .findFirst()
                        .orElse(entry.certificate());
                return Optional.of(new Candidate(entry, certificate, key));
            } catch (IllegalArgumentException malformed) {
                return Optional.empty();
            }
        }

        /**
         * Returns the current key; empty if nothing tells which one it is, because the keys belong to different
         * distinguished names, or because the home names an issuer whose key is not among them.
         *
         * @param found at least one key, the newest first
         */
        Optional<Candidate> of(List<Candidate> found) {
            if (!own.isEmpty() && CertificateRules.mayIssue(own.get(0))) {
                Optional<Candidate> issuing = withKey(found, own.get(0)).findFirst();
                if (issuing.isPresent() || namesIssuer()) {
                    return issuing;
                }
            }
            List<Candidate> signing = found.stream()
                    .filter(key -> CertificateRules.isFor(key.certificate(), CertificateUse.SIGNING))
                    .toList();
            List<Candidate> candidates = signing.isEmpty() ? found : signing;
            return Stream.concat(
                            own.stream().flatMap(certificate -> withKey(candidates, certificate)),
                            present.stream().limit(1).flatMap(certificate -> withKey(found, certificate)))
                    .findFirst()
                    .or(() -> newest(candidates));
        }

        /** Returns whether the first certificate of the home is that of an issuer. No other key may take its place. */
        boolean namesIssuer() {
            return own.stream()
                    .limit(1)
                    .anyMatch(
                            first -> CertificateRules.mayIssue(first) && !CertificateRules.isIdentityThatIssues(first));
        }

        private static Stream<Candidate> withKey(List<Candidate> keys, X509Certificate certificate) {
            PublicKeyInfo wanted = PublicKeyInfo.of(certificate);
            return keys.stream().filter(key -> key.key().equals(wanted));
        }

        private static Optional<Candidate> newest(List<Candidate> candidates) {
            if (candidates.stream().map(Candidate::owner).distinct().count() > 1) {
                return Optional.empty();
            }
            Instant now = Instant.now();
            return candidates.stream()
                    .filter(key -> !key.certificate().getNotBefore().toInstant().isAfter(now))
                    .findFirst()
                    .or(() -> Optional.of(candidates.get(0)));
        }
    }
}
