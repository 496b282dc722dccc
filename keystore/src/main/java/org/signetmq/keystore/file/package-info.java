/* SPDX-License-Identifier: Apache-2.0 */
/** Reads and replaces files as a whole. Imports {@code internal.file}. */
@NullMarked
package org.signetmq.keystore.file;

import org.jspecify.annotations.NullMarked;
