/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import java.util.ArrayList;
import java.util.List;

/** The rows that are measured. */
final class RowCatalog {
    /** A row at a number of threads, with or without the native provider. */
    record Entry(String name, int threads, Crypto crypto) {}

    /** Which providers serve. */
    enum Crypto {
        /** The JDK and Bouncy Castle. */
        JAVA_ONLY,
        /** The native provider where it has what is needed. */
        NATIVE
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

    private RowCatalog() {}

    static List<Entry> quick() {
        List<Entry> entries = new ArrayList<>();
        for (Crypto crypto : Crypto.values()) {
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
            for (String reuse : List.of("0", "1", "32", "unlimited")) {
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
        for (Crypto crypto : Crypto.values()) {
            names.forEach(name -> entries.add(new Entry(name, 1, crypto)));
            for (String name :
                    List.of("limit.aes256gcm.encrypt", "seal.confidentiality.32.p256", "seal.privacy.0.p256")) {
                entries.add(new Entry(name, 2, crypto));
            }
        }
        return entries;
    }
}
