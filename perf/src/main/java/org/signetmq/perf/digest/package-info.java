/* SPDX-License-Identifier: Apache-2.0 */
/** Reading files, and working on what was read. */
@NullMarked
package org.signetmq.perf.digest;

import org.jspecify.annotations.NullMarked;
