/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Looks up the cryptographic primitives, and makes, wraps, shares and caches data keys within their limits. Imports the
 * root package.
 */
@NullMarked
package org.signetmq.keystore.keys;

import org.jspecify.annotations.NullMarked;
