/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.console;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option for a token with the private keys, in place of the home. */
public final class TokenOption {
    /** The name of the option. */
    public static final String NAME = "--key-store";

    /** The name of its value. */
    public static final String LABEL = "URI";

    /** The part of its description about the place of the keys and the PIN. */
    public static final String PLACE =
            ", as a pkcs11: URI; default the home. The PIN: pin-source in the URI, else $SIGNET_PIN, else a prompt.";

    @Option(names = NAME, paramLabel = LABEL, description = "A token with the private keys" + PLACE)
    private @Nullable String uri;

    /** Returns the token if the option is given. */
    public Optional<TokenAccess> token() {
        return Optional.ofNullable(uri).map(TokenAccess::of);
    }
}
