/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Asks for and verifies OCSP answers (RFC 6960), without the network. Imports {@code internal.crl},
 * {@code internal.x509}, {@code crypto} and the root package.
 */
@NullMarked
package org.signetmq.keystore.internal.ocsp;

import org.jspecify.annotations.NullMarked;
