/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import java.util.ArrayList;
import java.util.List;
import org.signetmq.policy.QualityOfProtection;

/** All combinations of what the options name. */
record Variants(List<QualityOfProtection> qualities, List<Reuse> reuses, List<KeyKind> keys) {
    Variants {
        qualities = List.copyOf(qualities);
        reuses = List.copyOf(reuses);
        keys = List.copyOf(keys);
    }

    /** Those that protect; the ones that are compared with each other stand side by side. */
    List<Variant> protecting() {
        List<Variant> variants = new ArrayList<>();
        for (KeyKind key : keys) {
            for (QualityOfProtection quality : qualities) {
                switch (quality) {
                    case NONE -> {}
                    case INTEGRITY, PRIVACY -> variants.add(new Variant(quality, Reuse.NONE, key));
                    case CONFIDENTIALITY -> reuses.forEach(reuse -> variants.add(new Variant(quality, reuse, key)));
                }
            }
        }
        return variants;
    }
}
