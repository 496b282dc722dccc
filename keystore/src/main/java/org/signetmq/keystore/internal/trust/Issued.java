/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.trust;

import java.math.BigInteger;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.trust.Certificates;

/** A certificate and its issuer, whose key verified its signature. */
public record Issued(X509Certificate certificate, X509Certificate issuer) {
    /** The issuer's key and the serial number of a certificate, by which OCSP names it. */
    record Id(PublicKeyInfo issuer, BigInteger serialNumber) {}

    Id id() {
        return new Id(PublicKeyInfo.of(issuer), certificate.getSerialNumber());
    }

    /** Returns the members of a valid path that have an issuer in it. A trusted certificate alone has none. */
    public static List<Issued> of(List<X509Certificate> path) {
        return IntStream.range(1, path.size())
                .mapToObj(i -> new Issued(path.get(i - 1), path.get(i)))
                .toList();
    }

    /**
     * The certificates of valid paths by their keys, so that the revocation of one certificate is known when another
     * one for the same key comes. Keeps at most four certificates of a key, the last ones of four issuers, and the keys
     * that were used last. Thread-safe.
     */
    static final class SeenCertificates {
        private static final int MOST_KEYS = 2048;
        private static final int MOST_OF_A_KEY = 4;
        private static final int LONGEST = 8192;

        /** The certificates of each key, the key that was used longest ago first. Guarded by this. */
        private final Map<Key, List<Issued>> byKey = new LinkedHashMap<>(16, 0.75f, true);

        /**
         * The number that is secret with the private key. One key has many encodings, and these do not count.
         *
         * @param kind the algorithm and, for a curve, its size
         */
        record Key(String kind, BigInteger number) {
            static Key of(X509Certificate certificate) {
                PublicKey key = certificate.getPublicKey();
                if (key instanceof RSAPublicKey rsa) {
                    return new Key("RSA", rsa.getModulus());
                }
                if (key instanceof ECPublicKey ec) {
                    int size = ec.getParams().getCurve().getField().getFieldSize();
                    return new Key("EC " + size, ec.getW().getAffineX());
                }
                return new Key(key.getAlgorithm(), new BigInteger(1, key.getEncoded()));
            }
        }

        /** Adds the members of a path whose signatures were verified. */
        synchronized void add(List<Issued> path) {
            for (Issued issued : path) {
                if (Certificates.length(issued.certificate()) <= LONGEST) {
                    add(issued);
                }
            }
            while (byKey.size() > MOST_KEYS) {
                byKey.remove(byKey.keySet().iterator().next());
            }
        }

        private void add(Issued issued) {
            List<Issued> known = byKey.computeIfAbsent(Key.of(issued.certificate()), any -> new ArrayList<>());
            if (known.contains(issued)) {
                return;
            }
            if (known.size() == MOST_OF_A_KEY) { // a renewal takes the place of its issuer's; else the first ones stay
                known.remove(IntStream.range(0, MOST_OF_A_KEY)
                        .filter(i -> known.get(i).issuer().equals(issued.issuer()))
                        .findFirst()
                        .orElse(MOST_OF_A_KEY - 1));
            }
            known.add(issued);
        }

        /** Returns the certificates of a key. */
        synchronized List<Issued> of(Key key) {
            return List.copyOf(byKey.getOrDefault(key, List.of()));
        }
    }
}
