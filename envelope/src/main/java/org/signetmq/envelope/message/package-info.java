/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A message before sealing and after opening, and the values it consists of. It imports {@code exception} and
 * {@code internal.format}.
 */
@NullMarked
package org.signetmq.envelope.message;

import org.jspecify.annotations.NullMarked;
