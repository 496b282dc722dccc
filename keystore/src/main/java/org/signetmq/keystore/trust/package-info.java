/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Says whether a certificate may be used, and whether a signer is one that a policy names. Imports
 * {@code internal.x509} and the root package.
 */
@NullMarked
package org.signetmq.keystore.trust;

import org.jspecify.annotations.NullMarked;
