/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.signetmq.keystore.crypto.CryptoProviders;

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

    /** Rows that are looked at for as long. */
    record Planned(Depth depth, List<Entry> rows) {}

    private static final List<String> QUALITIES = List.of("integrity", "privacy", "confidentiality");
    private static final List<String> KEYS = List.of("p256", "rsa2048");
    private static final List<Integer> OTHER_SIZES = List.of(256, 20480, 204800);
    private static final List<Integer> MORE_RECIPIENTS = List.of(5, 20, 50);

    private static final List<String> LIMITS_OF_TARGETS = List.of(
            "limit.aes256gcm.encrypt", "limit.aes256gcm.decrypt", "limit.ecdsa-p256.sign", "limit.ecdsa-p256.verify");

    private static final List<String> OTHER_LIMITS =
            List.of("limit.sha512", "limit.rsa2048.sign", "limit.rsa2048.verify");

    /** What the targets speak of. */
    private static final List<String> TARGETS = List.of(
            "seal.confidentiality.32.p256",
            "seal.confidentiality.32.rsa2048",
            "open.confidentiality.warm.p256",
            "seal.privacy.0.p256",
            "open.privacy.warm.p256",
            "seal.integrity.0.p256",
            "seal.confidentiality.unlimited.p256");

    /** Targets too, of which one set of providers will do. */
    private static final List<String> FRESH_KEYS =
            List.of("seal.confidentiality.0.p256", "seal.confidentiality.1.p256");

    /** Those that the targets speak of. */
    private static final List<String> PEERS_OF_TARGETS =
            List.of("peer.pulsar.seal.32", "peer.aws.seal.32", "peer.aws.open.warm", "peer.bc-cms.seal.0");

    private RowCatalog() {}

    /** Without the native provider its rows would be those of Java alone, measured twice. */
    private static List<Crypto> own() {
        return CryptoProviders.standard().accelerated().isPresent()
                ? List.of(Crypto.JAVA_ONLY, Crypto.NATIVE)
                : List.of(Crypto.JAVA_ONLY);
    }

    static List<Planned> fullPeers(List<String> names) {
        return List.of(new Planned(Depth.FULL, peers(names)));
    }

    /** Of the names that there are those that the targets speak of: a glance at the others would do them wrong. */
    static List<Planned> quickPeers(List<String> names) {
        return List.of(new Planned(
                Depth.QUICK,
                peers(names.stream().filter(PEERS_OF_TARGETS::contains).toList())));
    }

    private static List<Entry> peers(List<String> names) {
        return names.stream().map(name -> new Entry(name, 1, Crypto.PEER)).toList();
    }

    /** What the targets need, by each set of providers; of each other kind of row one glance, by the better set. */
    static List<Planned> quick() {
        Set<String> targets = new LinkedHashSet<>(LIMITS_OF_TARGETS);
        targets.addAll(TARGETS);
        List<Entry> entries = new ArrayList<>();
        for (Crypto crypto : own()) {
            targets.forEach(name -> entries.add(new Entry(name, 1, crypto)));
            entries.add(new Entry("seal.confidentiality.32.p256", 2, crypto));
        }
        Crypto better = own().get(own().size() - 1);
        FRESH_KEYS.forEach(name -> entries.add(new Entry(name, 1, better)));
        Set<String> others = new LinkedHashSet<>(OTHER_LIMITS);
        for (String key : KEYS) {
            others.addAll(operations(key, List.of("0", "1", "32", "unlimited")));
        }
        OTHER_SIZES.forEach(size -> others.add("seal.confidentiality.32.p256." + size));
        MORE_RECIPIENTS.forEach(count -> others.add("seal.confidentiality.32.p256.r" + count));
        others.removeAll(targets);
        FRESH_KEYS.forEach(others::remove);
        return List.of(
                new Planned(Depth.QUICK, entries),
                new Planned(
                        Depth.SHORT,
                        others.stream().map(name -> new Entry(name, 1, better)).toList()));
    }

    /** Sealing and opening in all qualities, the usual payload for one recipient. */
    private static List<String> operations(String key, List<String> reuses) {
        List<String> names = new ArrayList<>();
        names.add("seal.integrity.0." + key);
        names.add("seal.privacy.0." + key);
        reuses.forEach(reuse -> names.add("seal.confidentiality." + reuse + "." + key));
        for (String state : List.of("warm", "cold")) {
            QUALITIES.forEach(quality -> names.add("open." + quality + "." + state + "." + key));
        }
        return names;
    }

    static List<Planned> full() {
        List<String> names = new ArrayList<>(LIMITS_OF_TARGETS);
        names.addAll(OTHER_LIMITS);
        for (String key : KEYS) {
            names.addAll(operations(key, List.of("0", "1", "2", "4", "8", "16", "32", "64", "unlimited")));
            for (int size : OTHER_SIZES) {
                names.add("seal.confidentiality.32." + key + "." + size);
                names.add("open.confidentiality.warm." + key + "." + size);
            }
            for (int recipients : MORE_RECIPIENTS) {
                names.add("seal.confidentiality.32." + key + ".r" + recipients);
                names.add("seal.privacy.0." + key + ".r" + recipients);
            }
        }
        for (int size : OTHER_SIZES) {
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
        return List.of(new Planned(Depth.FULL, entries));
    }
}
