/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Reads and issues certificates, applies the rules for them, and finds the keys that the names in a home stand for.
 * Imports {@code keys} and the root package.
 */
@NullMarked
package org.signetmq.keystore.internal.x509;

import org.jspecify.annotations.NullMarked;
