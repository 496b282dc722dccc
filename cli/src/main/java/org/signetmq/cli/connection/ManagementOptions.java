/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.connection;

import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.CommandContext;
import org.signetmq.policy.BrokerAddresses;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options for the management of one broker: the login, and the address of management messages. */
public final class ManagementOptions {
    @Mixin
    private final LoginOptions login = new LoginOptions();

    @Option(
            names = "--management-address",
            paramLabel = "ADDRESS",
            description = "Where the broker takes management messages: the <management-address> of its broker.xml.")
    private @Nullable String address;

    /** Tells whether an option is given. They mean nothing without a broker. */
    public boolean isGiven() {
        return login.isGiven() || address != null;
    }

    /** Returns the access to the broker of an option, else of {@code $SIGNET_BROKER}. It may ask for the password. */
    public BrokerAccess to(@Nullable String url, CommandContext context) throws IOException {
        return login.to(url, context);
    }

    /** Connects to a broker and asks its management. */
    public <T> T ask(BrokerAccess access, Management.Questions<T> questions) {
        return Management.ask(
                access, Objects.requireNonNullElse(address, BrokerAddresses.DEFAULT.management()), questions);
    }
}
