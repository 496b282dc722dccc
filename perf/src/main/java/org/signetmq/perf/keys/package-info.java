/* SPDX-License-Identifier: Apache-2.0 */
/** {@code signet perf keys}: the gain of making keys ahead and of remembering them. Imports result and upload. */
@NullMarked
package org.signetmq.perf.keys;

import org.jspecify.annotations.NullMarked;
