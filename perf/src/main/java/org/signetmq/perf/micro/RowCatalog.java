/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import java.util.ArrayList;
import java.util.List;
import org.signetmq.keystore.CryptoProviders;

/** The rows that are measured. */
final class RowCatalog {
    /** A row at a number of threads, with or without the native provider. */
    record Entry(String name, int threads, Crypto crypto) {}

    /** Which providers serve. */
    enum Crypto {
        /** The JDK and Bouncy Castle. */
        JAVA_ONLY("java-only"),
        /** The native provider where it has what is needed. */
        NATIVE("native"),
        /** Whatever another system takes. */
        PEER("peer");

        private final String word;

        Crypto(String word) {
            this.word = word;
        }

        @Override
        public String toString() {
            return word;
        }
    }

    private static final List<String> LIMITS = List.of(
            "limit.aes256gcm.encrypt",
            "limit.aes256gcm.decrypt",
            "limit.sha512",
            "limit.ecdsa-p256.sign",
            "limit.ecdsa-p256.verify");

    /** What the targets speak of. */
    private static final List<String> TARGETS = List.of(
            "seal.confidentiality.32.p256",
            "seal.confidentiality.32.rsa2048",
            "open.confidentiality.warm.p256",
            "seal.privacy.0.p256",
            "open.privacy.warm.p256",
            "seal.integrity.0.p256",
            "seal.confidentiality.unlimited.p256");

    /** Those that the targets speak of; the peers' jar says which there are. */
    static final List<String> QUICK_PEERS =
            List.of("peer.pulsar.seal.32", "peer.aws.seal.32", "peer.aws.open.warm", "peer.bc-cms.seal.0");

    private RowCatalog() {}

    /** Without the native provider its rows would be those of Java alone, measured twice. */
    private static List<Crypto> own() {
        return CryptoProviders.standard().accelerated().isPresent()
                ? List.of(Crypto.JAVA_ONLY, Crypto.NATIVE)
                : List.of(Crypto.JAVA_ONLY);
    }

    static List<Entry> peers(List<String> names) {
        return names.stream().map(name -> new Entry(name, 1, Crypto.PEER)).toList();
    }

    static List<Entry> quick() {
        List<Entry> entries = new ArrayList<>();
        for (Crypto crypto : own()) {
            LIMITS.forEach(name -> entries.add(new Entry(name, 1, crypto)));
            TARGETS.forEach(name -> entries.add(new Entry(name, 1, crypto)));
            entries.add(new Entry("seal.confidentiality.32.p256", 2, crypto));
        }
        return entries;
    }

    static List<Entry> full() {
        List<String> names = new ArrayList<>(LIMITS);
        for (String key : List.of("p256", "rsa2048")) {
            names.add("seal.integrity.0." + key);
            names.add("seal.privacy.0." + key);
            for (String reuse : List.of("0", "1", "2", "4", "8", "16", "32", "64", "unlimited")) {
                names.add("seal.confidentiality." + reuse + "." + key);
            }
            for (String state : List.of("warm", "cold")) {
                for (String quality : List.of("integrity", "privacy", "confidentiality")) {
                    names.add("open." + quality + "." + state + "." + key);
                }
            }
            for (int size : new int[] {256, 20480, 204800}) {
                names.add("seal.confidentiality.32." + key + "." + size);
                names.add("open.confidentiality.warm." + key + "." + size);
            }
            for (int recipients : new int[] {5, 20, 50}) {
                names.add("seal.confidentiality.32." + key + ".r" + recipients);
                names.add("seal.privacy.0." + key + ".r" + recipients);
            }
        }
        for (int size : new int[] {256, 20480, 204800}) {
            names.add("limit.aes256gcm.encrypt." + size);
            names.add("limit.aes256gcm.decrypt." + size);
        }
        List<Entry> entries = new ArrayList<>();
        for (Crypto crypto : own()) {
            names.forEach(name -> entries.add(new Entry(name, 1, crypto)));
            for (String name :
                    List.of("limit.aes256gcm.encrypt", "seal.confidentiality.32.p256", "seal.privacy.0.p256")) {
                entries.add(new Entry(name, 2, crypto));
            }
        }
        return entries;
    }
}
