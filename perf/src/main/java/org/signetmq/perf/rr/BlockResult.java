/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import org.jspecify.annotations.Nullable;

/**
 * What the clients' process answers to a block: the phases, or why there are none.
 *
 * @param cold right after connecting, with empty caches
 * @param warm after that
 * @param failure null if all went well
 */
record BlockResult(
        @Nullable Phase cold,
        @Nullable Phase warm,
        @Nullable String failure) {
    static BlockResult failed(String why) {
        return new BlockResult(null, null, why);
    }
}
