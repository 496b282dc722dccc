/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.token;

import java.util.List;

/**
 * The keys of one identity in a token.
 *
 * @param keys the current key first, which signs; the others only open messages
 * @param problems the reasons why further keys are not used
 */
record TokenKeys(List<OpenedKey> keys, List<String> problems) {
    TokenKeys {
        keys = List.copyOf(keys);
        problems = List.copyOf(problems);
    }
}
