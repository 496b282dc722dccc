/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.token;

import java.util.List;
import java.util.Set;
import org.signetmq.keystore.PublicKeyInfo;

/**
 * The keys of one identity in a token.
 *
 * @param keys the current key first, which signs; the others only open messages
 * @param problems the reasons why further keys are not used
 * @param failed the keys that the token has, and could not read or use this time
 */
record TokenKeys(List<OpenedKey> keys, List<String> problems, Set<PublicKeyInfo> failed) {
    TokenKeys {
        keys = List.copyOf(keys);
        problems = List.copyOf(problems);
        failed = Set.copyOf(failed);
    }
}
