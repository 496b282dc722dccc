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
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.signetmq.keystore.KeystoreUnusableException;

/**
 * Chooses the key that a URI names.
 *
 * @param uri names the key
 * @param name the name of the identity, which is the label where the URI has neither label nor id
 * @param ids finds certificates by their ids
 */
record KeyChoice(TokenUri uri, String name, Ids ids) {
    private static final int MOST_SHOWN = 10;

    /** The ids of certificates, which SunPKCS11 does not show. */
    interface Ids {
        /** Returns the encoded certificates with this id. */
        List<byte[]> certificates(byte[] id);

        /** Returns the id of a certificate; empty if it has none. */
        byte[] of(byte[] certificate);
    }

    /**
     * Returns the key with its certificates.
     *
     * @throws KeystoreUnusableException if there is no such key, or if there are several
     */
    OpenedKey from(KeyStore keys, Provider provider) throws GeneralSecurityException {
        List<String> found = new ArrayList<>();
        for (String alias : Collections.list(keys.aliases())) {
            if (keys.getCertificate(alias) instanceof X509Certificate certificate
                    && keys.isKeyEntry(alias)
                    && hasLabel(alias, certificate)
                    && hasId(certificate)) {
                found.add(alias);
            }
        }
        if (found.isEmpty()) {
            throw absent();
        }
        if (found.size() > 1) {
            throw ambiguous(keys, found);
        }
        String alias = found.get(0);
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
                provider, key, Stream.of(chain).map(X509Certificate.class::cast).toList());
    }

    /** SunPKCS11 adds issuer and serial number to a label that several certificates have. */
    private boolean hasLabel(String alias, X509Certificate certificate) {
        if (uri.object().isEmpty() && uri.id().isPresent()) {
            return true;
        }
        // SunPKCS11 shows each byte of a label as a character
        String label =
                new String(uri.object().orElse(name).getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        return alias.equals(label)
                || (alias.startsWith(label + "/") && alias.endsWith("/" + certificate.getSerialNumber()));
    }

    private boolean hasId(X509Certificate certificate) throws GeneralSecurityException {
        if (uri.id().isEmpty()) {
            return true;
        }
        byte[] encoded = certificate.getEncoded();
        return ids.certificates(uri.id().get()).stream().anyMatch(candidate -> Arrays.equals(candidate, encoded));
    }

    private KeystoreUnusableException absent() {
        return problem("is not there with a certificate of the same id. Java finds no key without one: write the"
                + " certificate into the token, for example by pkcs11-tool --write-object FILE.der --type cert"
                + " --id ID --label LABEL");
    }

    private KeystoreUnusableException ambiguous(KeyStore keys, List<String> found) throws GeneralSecurityException {
        List<String> known = new ArrayList<>();
        for (String alias : found.subList(0, Math.min(found.size(), MOST_SHOWN))) {
            known.add(percentEncoded(ids.of(keys.getCertificate(alias).getEncoded())));
        }
        return problem("is not the only one: " + found.size() + " keys are so named; name one by its id: "
                + String.join(" or ", known));
    }

    private static String percentEncoded(byte[] id) {
        return id.length == 0
                ? "(it has no id)"
                : "id="
                        + Stream.iterate(0, i -> i < id.length, i -> i + 1)
                                .map(i -> "%%%02x".formatted(id[i] & 0xff))
                                .collect(Collectors.joining());
    }

    private KeystoreUnusableException problem(String text) {
        return new KeystoreUnusableException(
                uri.tokenInWords() + ": the private key with " + uri.keyInWords(name) + " " + text);
    }
}
