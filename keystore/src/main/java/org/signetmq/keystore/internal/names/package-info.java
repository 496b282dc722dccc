/* SPDX-License-Identifier: Apache-2.0 */
/** Finds the keys that the names in a home stand for. Imports {@code internal.x509} and the root package. */
@NullMarked
package org.signetmq.keystore.internal.names;

import org.jspecify.annotations.NullMarked;
