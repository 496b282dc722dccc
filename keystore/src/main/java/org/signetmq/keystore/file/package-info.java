/* SPDX-License-Identifier: Apache-2.0 */
/** Reads and replaces files in folders that other users may tamper with. Imports {@code internal.file}. */
@NullMarked
package org.signetmq.keystore.file;

import org.jspecify.annotations.NullMarked;
