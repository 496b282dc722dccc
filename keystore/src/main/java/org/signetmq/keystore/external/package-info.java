/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Chooses the place of private keys outside of this process by a URI: a token, or the engine Transit of HashiCorp Vault
 * and OpenBao. It has the client of Transit, which signs and decrypts there.
 */
@NullMarked
package org.signetmq.keystore.external;

import org.jspecify.annotations.NullMarked;
