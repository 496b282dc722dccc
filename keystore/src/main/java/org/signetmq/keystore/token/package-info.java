/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Uses private keys in a token by PKCS#11. It finds the token and the keys, logs in, signs and decrypts. It opens a
 * token again that was pulled out. No other package of the keystore imports it.
 */
@NullMarked
package org.signetmq.keystore.token;

import org.jspecify.annotations.NullMarked;
