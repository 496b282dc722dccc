/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.token;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.internal.x509.FormerCertificates;
import org.signetmq.keystore.token.CurrentKeyRule.Candidate;

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
}
