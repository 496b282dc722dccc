/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Knows which certificates are revoked: fetches lists and OCSP answers in the background, keeps them on disk, and says
 * whether a path may be used. Imports {@code trust}, {@code internal.x509} and {@code file}.
 */
@NullMarked
package org.signetmq.keystore.internal.revocation;

import org.jspecify.annotations.NullMarked;
