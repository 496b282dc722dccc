/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.revocation;

import java.util.List;
import org.signetmq.keystore.internal.ocsp.OcspAnswer;

/**
 * The OCSP answers of a home.
 *
 * @param answers the answers of {@code ocsp/}
 * @param unreadable the problems of unreadable files, which may revoke any certificate
 */
public record OcspFiles(List<OcspAnswer> answers, List<String> unreadable) {
    public OcspFiles {
        answers = List.copyOf(answers);
        unreadable = List.copyOf(unreadable);
    }
}
