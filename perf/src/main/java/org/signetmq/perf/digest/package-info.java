/* SPDX-License-Identifier: Apache-2.0 */
/** {@code signet perf digest}: files read and digested or sealed at once. Imports result. */
@NullMarked
package org.signetmq.perf.digest;

import org.jspecify.annotations.NullMarked;
