/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.token;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.cert.Certificate;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.internal.names.FormerCertificates;

/**
 * Chooses the keys that a URI names. A URI with an id names one key. One with a label names all keys with this label.
 * Any other names the keys whose label is the name of the identity, and those whose certificates the home has under
 * this name.
 *
 * @param uri names the keys
 * @param name the name of the identity
 * @param rule tells which key is the current one, and has the certificates of the home
 * @param ids finds certificates by their ids
 */
record KeyChoice(TokenUri uri, String name, CurrentKeyRule rule, Ids ids) {
    private static final int MOST_SHOWN = 10;
    private static final int MOST_KEYS = FormerCertificates.MOST + 1;
    private static final int MOST_ENTRIES = 10_000;
    private static final int UNKNOWN = 2;

    /** The ids of certificates, which SunPKCS11 does not show. */
    interface Ids {
        /** Returns the encoded certificates with this id. */
        List<byte[]> certificates(byte[] id);

        /** Returns the id of a certificate; empty if it has none. */
        byte[] of(byte[] certificate);
    }

    /**
     * The keys that may be used. A token may have several entries for one public key, and at most one of them is right.
     *
     * @param keys the entries of each public key; those of the current key first
     * @param problems the reasons why further keys are not used
     * @param failed the keys whose entries could not be read; then the current key shows whether the token works
     */
    record Candidates(List<List<OpenedKey>> keys, List<String> problems, Set<PublicKeyInfo> failed) {
        Candidates {
            keys = List.copyOf(keys);
            problems = List.copyOf(problems);
            failed = Set.copyOf(failed);
        }
    }

    /** The key of an entry that the token has, and could not read. It is never used. */
    private static final class Unreadable implements PrivateKey {
        private static final long serialVersionUID = 1L;

        @Override
        public String getAlgorithm() {
            return "unreadable";
        }

        @Override
        public String getFormat() {
            return "none";
        }

        @Override
        public byte[] getEncoded() {
            return new byte[0];
        }
    }

    /**
     * Returns the keys with their certificates, the current one first.
     *
     * @throws KeystoreUnusableException if there is no such key, or if several identities have one
     * @throws GeneralSecurityException if the token could not read the current key; no other one takes its place
     */
    Candidates from(KeyStore keys, Provider provider) throws GeneralSecurityException {
        List<OpenedKey> found = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        Exception failure = null;
        for (OpenedKey.Entry entry : limited(named(keys), problems)) {
            try {
                found.add(opened(keys, entry, provider));
            } catch (KeystoreUnusableException unfit) {
                problems.add(String.valueOf(unfit.getMessage()));
            } catch (GeneralSecurityException | RuntimeException e) {
                failure = failure == null ? e : failure;
                found.add(unreadable(entry, provider));
                problems.add(String.valueOf(
                        problem("cannot be read (" + TokenFailure.of(e).code() + ")")
                                .getMessage()));
            }
        }
        if (found.isEmpty()) {
            throw problems.isEmpty() ? absent() : new KeystoreUnusableException(problems.get(0));
        }
        Candidates ordered = ordered(found, problems);
        if (ordered.keys().get(0).isEmpty() && failure != null) {
            throw TokenFailure.again(failure);
        }
        return ordered;
    }

    /** Returns an entry that the token could not read. It takes part in the choice of the current key alone. */
    private OpenedKey unreadable(OpenedKey.Entry entry, Provider provider) {
        X509Certificate leaf = rule.certificateOf(entry.certificate());
        return new OpenedKey(provider, new Unreadable(), List.of(leaf), entry);
    }

    /** Returns the entries of one public key, whatever their names are. They have the chain that the key had before. */
    List<OpenedKey> again(KeyStore keys, Provider provider, OpenedKey before) throws GeneralSecurityException {
        List<OpenedKey> found = new ArrayList<>();
        Exception failure = null;
        for (OpenedKey.Entry entry : entries(keys)) {
            try {
                if (keyOf(entry).filter(before.info()::equals).isPresent()
                        && keys.getKey(entry.alias(), null) instanceof PrivateKey key
                        && key.getAlgorithm().equals(before.publicKey().getAlgorithm())) {
                    found.add(new OpenedKey(provider, key, before.chain(), entry));
                }
            } catch (GeneralSecurityException | RuntimeException e) {
                failure = failure == null ? e : failure;
            }
        }
        if (found.isEmpty() && failure != null) {
            throw TokenFailure.again(failure);
        }
        return found;
    }

    /** Returns the failure of a token without a key that it had before. */
    KeystoreUnusableException lost(KeyStore keys) throws GeneralSecurityException {
        return named(keys).isEmpty() ? absent() : anotherKey(uri, name);
    }

    /** Returns the failure of a token that has lost a key, and has another one of the same name. */
    static KeystoreUnusableException anotherKey(TokenUri uri, String name) {
        return new KeystoreUnusableException(
                uri.tokenInWords() + ": it has another key under this name than before; put its certificate into"
                        + " recipients/" + name + ".pem, or restart the program");
    }

    private List<OpenedKey.Entry> entries(KeyStore keys) throws GeneralSecurityException {
        List<String> aliases = Collections.list(keys.aliases());
        if (aliases.size() > MOST_ENTRIES) {
            throw new KeystoreUnusableException(uri.tokenInWords() + ": more than " + MOST_ENTRIES
                    + " keys and certificates; use a token of its own");
        }
        List<OpenedKey.Entry> found = new ArrayList<>();
        for (String alias : aliases) {
            if (keys.getCertificate(alias) instanceof X509Certificate certificate && keys.isKeyEntry(alias)) {
                found.add(new OpenedKey.Entry(alias, certificate));
            }
        }
        return found;
    }

    private List<OpenedKey.Entry> named(KeyStore keys) throws GeneralSecurityException {
        List<OpenedKey.Entry> found = new ArrayList<>();
        for (OpenedKey.Entry entry : entries(keys)) {
            if (isNamed(entry.alias(), entry.certificate())) {
                found.add(entry);
            }
        }
        return found;
    }

    /** Returns the public key; empty if the certificate of some other program is malformed. */
    private static Optional<PublicKeyInfo> keyOf(OpenedKey.Entry entry) {
        try {
            return Optional.of(PublicKeyInfo.of(entry.certificate()));
        } catch (IllegalArgumentException malformed) {
            return Optional.empty();
        }
    }

    /**
     * Returns the entries of at most {@value #MOST_KEYS} keys. Those of the home come first, then those that this
     * process has.
     *
     * @throws KeystoreUnusableException if there are more keys, and neither tells which ones count
     */
    private List<OpenedKey.Entry> limited(List<OpenedKey.Entry> named, List<String> problems) {
        List<OpenedKey.Entry> kept = new ArrayList<>();
        Set<PublicKeyInfo> keys = new HashSet<>();
        boolean isKnown = false;
        boolean isComplete = true;
        for (OpenedKey.Entry entry :
                named.stream().sorted(Comparator.comparing(this::rank)).toList()) {
            Optional<PublicKeyInfo> key = keyOf(entry);
            if (key.isEmpty()) {
                problems.add(
                        String.valueOf(problem("has a malformed certificate").getMessage()));
            } else if (keys.contains(key.get()) || keys.size() < MOST_KEYS) {
                keys.add(key.get());
                kept.add(entry);
                isKnown |= rank(entry) < UNKNOWN;
            } else {
                isComplete = false;
            }
        }
        if (!isComplete) {
            KeystoreUnusableException tooMany = problem("is one of more than " + MOST_KEYS
                    + " keys, and the others are not used; delete old ones, put the certificate of"
                    + " the right one into recipients/" + name + ".pem, or name one by its id");
            if (!isKnown) {
                throw tooMany;
            }
            problems.add(String.valueOf(tooMany.getMessage()));
        }
        return kept;
    }

    private int rank(OpenedKey.Entry entry) {
        if (rule.home().hasKeyOf(entry.certificate())) {
            return 0;
        }
        return keyOf(entry).filter(rule::isPresent).isPresent() ? 1 : UNKNOWN;
    }

    /** Orders the keys. Those of the current key may be none, if the token could read none. */
    private Candidates ordered(List<OpenedKey> found, List<String> problems) {
        List<OpenedKey> newestFirst =
                found.stream().sorted(CurrentKeyRule.NEWEST).toList();
        OpenedKey current =
                rule.of(newestFirst).orElseThrow(() -> rule.namesIssuer() ? withoutIssuer() : ambiguous(found));
        DistinguishedName owner = CurrentKeyRule.nameOf(current);
        Map<PublicKeyInfo, List<OpenedKey>> ordered = new LinkedHashMap<>();
        ordered.put(current.info(), new ArrayList<>(List.of(current)));
        for (OpenedKey key : newestFirst) {
            if (!CurrentKeyRule.nameOf(key).equals(owner)) {
                problems.add(String.valueOf(problem("has a namesake that is not used: its certificate has another"
                                + " distinguished name than the current key")
                        .getMessage()));
            } else if (!key.entry().equals(current.entry())) {
                ordered.computeIfAbsent(key.info(), any -> new ArrayList<>()).add(key);
            }
        }
        List<List<OpenedKey>> readable = ordered.values().stream()
                .map(entries -> entries.stream()
                        .filter(key -> !(key.key() instanceof Unreadable))
                        .toList())
                .toList();
        Set<PublicKeyInfo> failed = found.stream()
                .filter(key -> key.key() instanceof Unreadable)
                .map(OpenedKey::info)
                .collect(Collectors.toSet());
        return new Candidates(
                Stream.concat(
                                readable.stream().limit(1),
                                readable.stream().skip(1).filter(entries -> !entries.isEmpty()))
                        .toList(),
                problems,
                failed);
    }

    private OpenedKey opened(KeyStore keys, OpenedKey.Entry entry, Provider provider) throws GeneralSecurityException {
        if (!(keys.getKey(entry.alias(), null) instanceof PrivateKey key)) {
            throw problem("is not a private key, or two private keys have its id");
        }
        if (!key.getAlgorithm().equals("EC") && !key.getAlgorithm().equals("RSA")) {
            throw problem("is of the kind " + key.getAlgorithm() + "; in a token Signet uses EC and RSA keys");
        }
        Certificate[] chain = keys.getCertificateChain(entry.alias());
        if (chain == null || chain.length == 0) {
            throw problem("has no certificate");
        }
        if (!key.getAlgorithm().equals(chain[0].getPublicKey().getAlgorithm())) {
            throw problem("is not the key of the certificate with its id");
        }
        List<X509Certificate> inToken =
                Stream.of(chain).map(X509Certificate.class::cast).toList();
        X509Certificate leaf = rule.certificateOf(inToken.get(0));
        return new OpenedKey(provider, key, rule.home().chain(leaf, inToken), entry);
    }

    private boolean isNamed(String alias, X509Certificate certificate) throws GeneralSecurityException {
        if (uri.id().isPresent()) {
            return (uri.object().isEmpty() || hasLabel(alias, certificate))
                    && hasId(certificate, uri.id().get());
        }
        return hasLabel(alias, certificate)
                || (uri.object().isEmpty() && rule.home().hasKeyOf(certificate));
    }

    /** SunPKCS11 adds issuer and serial number to a label that several certificates have. */
    private boolean hasLabel(String alias, X509Certificate certificate) {
        // SunPKCS11 shows each byte of a label as a character
        String label =
                new String(uri.object().orElse(name).getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        return alias.equals(label)
                || (alias.startsWith(label + "/") && alias.endsWith("/" + certificate.getSerialNumber()));
    }

    private boolean hasId(X509Certificate certificate, byte[] id) throws GeneralSecurityException {
        byte[] encoded = certificate.getEncoded();
        return ids.certificates(id).stream().anyMatch(candidate -> Arrays.equals(candidate, encoded));
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

    private KeystoreUnusableException ambiguous(List<OpenedKey> found) {
        String known = found.stream()
                .limit(MOST_SHOWN)
                .map(key -> percentEncoded(ids.of(encoded(key.entry().certificate()))))
                .collect(Collectors.joining(" or "));
        return problem("is not the only one: " + found.size()
                + " keys of different distinguished names are so named; name one by its id: " + known);
    }

    private static byte[] encoded(X509Certificate certificate) {
        try {
            return certificate.getEncoded();
        } catch (CertificateEncodingException e) {
            throw new IllegalArgumentException("certificate: cannot be encoded", e);
        }
    }

    private static String percentEncoded(byte[] id) {
        return id.length == 0
                ? "(it has no id)"
                : "id="
                        + IntStream.range(0, id.length)
                                .mapToObj(i -> "%" + HexFormat.of().toHexDigits(id[i]))
                                .collect(Collectors.joining());
    }

    private KeystoreUnusableException problem(String text) {
        return new KeystoreUnusableException(
                uri.tokenInWords() + ": the private key with " + uri.keyInWords(name) + " " + text);
    }
}
