/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.token;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

    /** The ids of certificates, which SunPKCS11 does not show. */
    interface Ids {
        /** Returns the encoded certificates with this id. */
        List<byte[]> certificates(byte[] id);

        /** Returns the id of a certificate; empty if it has none. */
        byte[] of(byte[] certificate);
    }

    /**
     * Returns the keys with their certificates, the current one first.
     *
     * @throws KeystoreUnusableException if there is no such key, or if several identities have one
     */
    TokenKeys from(KeyStore keys, Provider provider) throws GeneralSecurityException {
        List<OpenedKey> found = new ArrayList<>();
        List<byte[]> inToken = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        List<String> aliases = Collections.list(keys.aliases());
        if (aliases.size() > MOST_ENTRIES) {
            throw new KeystoreUnusableException(uri.tokenInWords() + ": more than " + MOST_ENTRIES
                    + " keys and certificates; use a token of its own");
        }
        for (String alias : aliases) {
            if (keys.getCertificate(alias) instanceof X509Certificate certificate
                    && keys.isKeyEntry(alias)
                    && isNamed(alias, certificate)) {
                if (found.size() == MOST_KEYS) {
                    throw problem("is one of more than " + MOST_KEYS + " keys; delete old ones, or name one by its id");
                }
                try {
                    found.add(opened(keys, alias, provider));
                    inToken.add(certificate.getEncoded());
                } catch (KeystoreUnusableException unfit) {
                    problems.add(String.valueOf(unfit.getMessage()));
                }
            }
        }
        if (found.isEmpty()) {
            throw problems.isEmpty() ? absent() : new KeystoreUnusableException(problems.get(0));
        }
        return ordered(found, inToken, problems);
    }

    private TokenKeys ordered(List<OpenedKey> found, List<byte[]> inToken, List<String> problems) {
        List<OpenedKey> newestFirst =
                found.stream().sorted(CurrentKeyRule.NEWEST).toList();
        OpenedKey current =
                rule.of(newestFirst).orElseThrow(() -> rule.namesIssuer() ? withoutIssuer() : ambiguous(inToken));
        DistinguishedName owner = CurrentKeyRule.nameOf(current);
        Map<PublicKeyInfo, OpenedKey> ordered = new LinkedHashMap<>();
        ordered.put(PublicKeyInfo.of(current.certificate()), current);
        for (OpenedKey key : newestFirst) {
            if (CurrentKeyRule.nameOf(key).equals(owner)) {
                ordered.putIfAbsent(PublicKeyInfo.of(key.certificate()), key);
            } else {
                problems.add(String.valueOf(problem("has a namesake that is not used: its certificate has another"
                                + " distinguished name than the current key")
                        .getMessage()));
            }
        }
        return new TokenKeys(List.copyOf(ordered.values()), problems);
    }

    private OpenedKey opened(KeyStore keys, String alias, Provider provider) throws GeneralSecurityException {
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
            throw problem("is not the key of the certificate with its id");
        }
        return new OpenedKey(
                provider,
                key,
                rule.home()
                        .chain(Stream.of(chain).map(X509Certificate.class::cast).toList()));
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

    private KeystoreUnusableException ambiguous(List<byte[]> inToken) {
        String known = inToken.stream()
                .limit(MOST_SHOWN)
                .map(certificate -> percentEncoded(ids.of(certificate)))
                .collect(Collectors.joining(" or "));
        return problem("is not the only one: " + inToken.size()
                + " keys of different distinguished names are so named; name one by its id: " + known);
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
