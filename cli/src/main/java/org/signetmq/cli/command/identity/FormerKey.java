/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.identity;

import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeyIdentifier;

/**
 * A key or certificate of an identity that is not the current one. No password is needed to find it.
 *
 * @param keyId the identifier of the key in hex; without a certificate only its first 16 digits
 * @param hasPrivateKey whether {@code identities/former/} has the key
 * @param certificate its certificate, or null if {@code recipients/} has none, nor {@code trust/} for an own key
 * @param state {@code next} for a certificate that is newer than the current one, else {@code former}
 */
record FormerKey(
        String keyId, boolean hasPrivateKey, @Nullable X509Certificate certificate, String state) {
    private static final String FORMER = "former";

    /**
     * Returns the former keys of an identity, those with certificates first.
     *
     * @param current its current certificate, or null if there is none
     * @param certificates all certificates under its name
     * @param held the first digits of the identifiers of the private keys in {@code identities/former/}
     */
    static List<FormerKey> of(
            @Nullable X509Certificate current, Collection<X509Certificate> certificates, List<String> held) {
        List<FormerKey> found = new ArrayList<>();
        for (X509Certificate certificate : certificates) {
            if (!certificate.equals(current)) {
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

    /** Returns the files of it in words. */
    String held() {
        if (certificate == null) {
            return state + " key";
        }
        return state + (hasPrivateKey ? " key, certificate" : " certificate");
    }

    /** Returns the facts of the certificate, or only the identifier of the key. */
    Map<String, String> facts() {
        return certificate == null ? Map.of("key-id", keyId) : KnownIdentity.facts(certificate);
    }
}
