/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Trust by the files of a home: reads its folders of certificates, notices changes, fetches revocations and decides by
 * them. Imports {@code trust}, {@code internal.x509} and {@code file}.
 */
@NullMarked
package org.signetmq.keystore.internal.trust;

import org.jspecify.annotations.NullMarked;
