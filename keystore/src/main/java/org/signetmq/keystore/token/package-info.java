/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Uses private keys in a token by PKCS#11: finds the token and the key, logs in, signs and decrypts, and opens the
 * token again after it was pulled out. No other package of the keystore imports it.
 */
@NullMarked
package org.signetmq.keystore.token;

import org.jspecify.annotations.NullMarked;
