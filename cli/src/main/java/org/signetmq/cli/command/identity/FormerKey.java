/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.identity;

import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeyIdentifier;

/**
 * A key or certificate of an identity that is not the current one. No password is needed to find it.
 *
 * @param keyId the identifier of the key in hex; without a certificate only its first 16 digits
 * @param hasPrivateKey whether {@code identities/former/} has the key
 * @param certificate its certificate, or null if {@code recipients/} has none, nor {@code trust/} for an own key
 * @param state {@code next} for a certificate that is newer than the current one, {@code signing} for the key that
 *     signs if the current one only receives, else {@code former}
 */
record FormerKey(
        String keyId, boolean hasPrivateKey, @Nullable X509Certificate certificate, String state) {
    private static final String FORMER = "former";

    private static final int DIGITAL_SIGNATURE = 0;
    private static final int NON_REPUDIATION = 1;
    private static final int KEY_ENCIPHERMENT = 2;
    private static final int KEY_AGREEMENT = 4;

    /**
     * Returns the former keys of an identity, those with certificates first.
     *
     * @param current its current certificate, or null if there is none
     * @param certificates all certificates under its name
     * @param held the first digits of the identifiers of the private keys in {@code identities/former/}
     * @param own whether the home has the key that signs
     */
    static List<FormerKey> of(
            @Nullable X509Certificate current,
            Collection<X509Certificate> certificates,
            List<String> held,
            boolean own) {
        List<FormerKey> found = new ArrayList<>();
        Optional<X509Certificate> signing = current == null || !onlyReceives(current)
                ? Optional.empty()
                : certificates.stream().filter(other -> !onlyReceives(other)).findFirst();
        for (X509Certificate certificate : certificates) {
            if (signing.isPresent() && certificate.equals(signing.get())) {
                String keyId = KeyIdentifier.ofKey(certificate).toString();
                found.add(new FormerKey(keyId, own, certificate, "signing"));
            } else if (!certificate.equals(current)) {
                String keyId = KeyIdentifier.ofKey(certificate).toString();
                boolean newer = current != null
                        && certificate
                                .getNotBefore()
                                .toInstant()
                                .isAfter(current.getNotBefore().toInstant());
                found.add(new FormerKey(
                        keyId, held.stream().anyMatch(keyId::startsWith), certificate, newer ? "next" : FORMER));
            }
        }
        String currentId = current == null ? "" : KeyIdentifier.ofKey(current).toString();
        held.stream()
                .filter(id -> !currentId.startsWith(id)) // left over from a renewal that was interrupted
                .filter(id -> found.stream().noneMatch(key -> key.keyId().startsWith(id)))
                .forEach(id -> found.add(new FormerKey(id, true, null, FORMER)));
        return List.copyOf(found);
    }

    /** Tells whether the key usage of a certificate allows to receive messages, and not to sign them. */
    static boolean onlyReceives(X509Certificate certificate) {
        boolean[] usage = certificate.getKeyUsage();
        return usage != null
                && (usage[KEY_ENCIPHERMENT] || usage[KEY_AGREEMENT])
                && !usage[DIGITAL_SIGNATURE]
                && !usage[NON_REPUDIATION];
    }

    /** Returns in words which files the home has of it. */
    String held() {
        if (certificate == null) {
            return state + " key";
        }
        return state + (hasPrivateKey ? " key, certificate" : " certificate");
    }

    /** Returns the fields of the certificate, or only the identifier of the key. */
    Map<String, String> facts() {
        return certificate == null ? Map.of("key-id", keyId) : KnownIdentity.facts(certificate);
    }

    /** A former key in an answer as JSON. */
    record Row(
            String state,
            String keyId,
            boolean privateKey,
            @Nullable Map<String, String> certificate) {
        static List<Row> of(KnownIdentity identity) {
            return identity.former().stream()
                    .map(key -> new Row(
                            key.state(),
                            key.keyId(),
                            key.hasPrivateKey(),
                            key.certificate() == null ? null : key.facts()))
                    .toList();
        }
    }
}
