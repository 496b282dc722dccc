/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.identity;

import java.util.List;
import org.signetmq.keystore.enrolment.PendingRequests;
import org.signetmq.keystore.home.Home;

/** A request for a certificate that is not there yet, in the answer of {@code identity list}. */
record PendingRow(String name, String dn, String keyAlgorithm, String keyId) {
    /** Returns the pending requests of a home. */
    static List<PendingRow> all(Home home) {
        PendingRequests pending = new PendingRequests(home);
        return pending.names().stream()
                .flatMap(name -> pending.find(name).stream()
                        .map(request -> new PendingRow(
                                name,
                                request.subject().getName(),
                                KnownIdentity.algorithm(request.publicKey()),
                                request.keyIdentifier().toString())))
                .toList();
    }
}
