/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.identity;

import java.util.List;

/** Finds the messages that need a former key. A command asks it before the key is retired. */
interface KeyNeeds {
    /** Looks nowhere, because no broker is named. */
    KeyNeeds UNKNOWN = (name, keyId) -> List.of();

    /**
     * Returns one line for each place whose messages need the key; empty if it finds none.
     *
     * @param name the identity
     * @param keyId at least 16 hex digits of the key id
     * @throws org.signetmq.cli.console.CliException if it cannot look
     */
    List<String> of(String name, String keyId);
}
