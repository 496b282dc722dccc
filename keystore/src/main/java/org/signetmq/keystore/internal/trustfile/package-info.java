/* SPDX-License-Identifier: Apache-2.0 */
/** Reads {@code trust.json}, strictly. Imports {@code trust}, {@code internal.names} and {@code internal.x509}. */
@NullMarked
package org.signetmq.keystore.internal.trustfile;

import org.jspecify.annotations.NullMarked;
