/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.signetmq.envelope.Sealer;
import org.signetmq.perf.Payload;

/** How many bytes sealing adds to the payload. */
final class EnvelopeSizes {
    /** Signatures of elliptic curves differ by some bytes: the longest envelope of so many counts. */
    private static final int ENVELOPES = 64;

    private EnvelopeSizes() {}

    /** By name, such as size.privacy.referenced.p256: certificate and kind of key, one recipient, the usual payload. */
    static Map<String, Integer> measure() throws IOException {
        Map<String, Integer> added = new LinkedHashMap<>();
        for (String key : List.of("p256", "rsa2048")) {
            added.put(
                    "size.confidentiality." + key, added("seal.confidentiality.32." + key, Scene.Certificate.INCLUDED));
            for (Scene.Certificate certificate : Scene.Certificate.values()) {
                for (String quality : List.of("integrity", "privacy")) {
                    added.put(
                            "size." + quality + "." + certificate.word() + "." + key,
                            added("seal." + quality + ".0." + key, certificate));
                }
            }
        }
        return added;
    }

    private static int added(String row, Scene.Certificate certificate) throws IOException {
        RowName name = RowName.parse(row);
        byte[] payload = Payload.ofSize(name.size());
        try (Scene scene = new Scene(name, certificate);
                Sealer sealer = scene.sealer()) {
            int longest = 0;
            for (int i = 0; i < ENVELOPES; i++) {
                longest =
                        Math.max(longest, sealer.seal(scene.message(payload), scene.policy(), scene.producer()).length);
            }
            return longest - payload.length;
        }
    }

    /** As rows of JSON. */
    static List<Map<String, Object>> rows(Map<String, Integer> added) {
        List<Map<String, Object>> rows = new ArrayList<>();
        added.forEach((name, bytes) -> {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("name", name);
            row.put("bytes_added", bytes);
            rows.add(row);
        });
        return rows;
    }
}
