/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Reads revocation lists, finds serial numbers in them without a scan, and says what they prove. Imports
 * {@code internal.x509} and the root package.
 */
@NullMarked
package org.signetmq.keystore.internal.crl;

import org.jspecify.annotations.NullMarked;
