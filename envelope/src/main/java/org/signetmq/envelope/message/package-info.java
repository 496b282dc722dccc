/* SPDX-License-Identifier: Apache-2.0 */
/** A message before sealing and after opening, and the values it consists of. */
@NullMarked
package org.signetmq.envelope.message;

import org.jspecify.annotations.NullMarked;
