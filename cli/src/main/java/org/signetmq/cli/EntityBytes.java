/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import org.signetmq.envelope.OpenedMessage;

/** The entity of an opened message as it was inside its envelope. */
final class EntityBytes {
    private EntityBytes() {}

    static byte[] of(OpenedMessage opened) {
        throw CliException.failure("the entity of an opened message is not at hand: " + opened.quality());
    }
}
