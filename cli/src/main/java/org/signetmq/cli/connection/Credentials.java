/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.connection;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The login of a command at a broker, and its parameters of the connection.
 *
 * @param user the user of the login, or null
 * @param password of the user; null without a user
 * @param transport parameters of the connection beside those of the URL, by their names in Artemis
 */
public record Credentials(@Nullable String user, @Nullable String password, Map<String, String> transport) {
    static final Credentials NONE = new Credentials(null, null, Map.of());

    public Credentials {
        transport = Map.copyOf(transport);
    }

    /** Returns a text without the passwords. */
    @Override
    public String toString() {
        return "Credentials[" + user + "]";
    }
}
